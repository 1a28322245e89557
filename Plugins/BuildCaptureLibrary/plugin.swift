import Foundation
import PackagePlugin

/// Compiles the C targets into `libGameCapture.so`. SwiftPM's own dynamic products are linked through swiftc, which
/// makes them need libswiftCore; a library that is preloaded into any program must need libc alone.
@main
struct BuildCaptureLibrary: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let sources = context.package.directoryURL.appending(path: "Sources")
        let targets = ["CCapture", "CInterpose"].map { sources.appending(path: $0) }
        let files = targets.flatMap(Self.files(under:))
        let output = context.pluginWorkDirectoryURL.appending(path: "libGameCapture.so")
        let includes = [
            "CTraceFormat/include", "CCapture/include", "CCapture/internal", "CInterpose/include",
        ].map { "-I" + sources.appending(path: $0).path }
        let flags = [
            "-shared", "-fPIC", "-std=gnu11", "-O2", "-g", "-fno-omit-frame-pointer", "-fvisibility=hidden",
            "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-DGP_PRELOADED", "-ftls-model=initial-exec", "-pthread",
            "-Wl,-z,now", "-Wl,-z,relro", "-Wl,-z,defs", "-Wl,--as-needed", "-Wl,-soname,libGameCapture.so",
        ]
        return [
            .buildCommand(
                displayName: "Compiling libGameCapture.so",
                executable: try context.tool(named: "clang").url,
                arguments: flags + includes + files.filter { $0.pathExtension == "c" }.map(\.path)
                    + ["-o", output.path],
                inputFiles: files + Self.files(under: sources.appending(path: "CTraceFormat")),
                outputFiles: [output])
        ]
    }

    private static func files(under folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? [])
            .filter { ["c", "h"].contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
    }
}
