import Foundation
import PackagePlugin

/// Compiles the floors of the recorder into `libGameRecorder.so`. SwiftPM's own dynamic products are linked through
/// swiftc, which makes them need libswiftCore; a library that is preloaded into any program must need libc alone.
@main
struct BuildRecorderLibrary: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let sources = context.package.directoryURL.appending(path: "Sources")
        let recorder = sources.appending(path: "Recorder")
        let files = Self.files(under: recorder)
        let output = context.pluginWorkDirectoryURL.appending(path: "libGameRecorder.so")
        let floors = try FileManager.default.contentsOfDirectory(at: recorder, includingPropertiesForKeys: nil)
        let includes = floors.sorted { $0.path < $1.path }
            .map { "-I" + $0.appending(path: "include").path }
        let flags = [
            "-shared", "-fPIC", "-std=gnu11", "-O2", "-g", "-fno-omit-frame-pointer", "-fvisibility=hidden",
            "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-DGP_PRELOADED", "-ftls-model=initial-exec", "-pthread",
            // With RELRO gold may leave a page between the segments, which the loader takes out of reach by mprotect: under a
            // filter that forbids this the library could not be loaded.
            "-Wl,-z,now", "-Wl,-z,norelro", "-Wl,-z,defs", "-Wl,-soname,libGameRecorder.so",
        ]
        // Before glibc 2.34 these held what libc holds now: see the header.
        let old = ["-include", "glibc_versions.h", "-Wl,--no-as-needed", "-l:libdl.so.2", "-l:libpthread.so.0"]
        return [
            .buildCommand(
                displayName: "Compiling libGameRecorder.so",
                executable: try context.tool(named: "clang").url,
                arguments: flags + includes + old + files.filter { $0.pathExtension == "c" }.map(\.path)
                    + ["-o", output.path],
                inputFiles: files,
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
