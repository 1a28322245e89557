import Foundation
import GameprofBasics

/// A program that reads lines out of debug information.
public struct Symbolizer: Hashable, Sendable {
    public var path: String
    /// It belongs to a Swift toolchain, or the user chose it. Another version may not understand the debug information of
    /// this Swift, and leave lines out without an error.
    public var isOfToolchain: Bool = true

    /// It starts: that of a package asks for a later C library than the tool.
    public var runs: Bool { (try? HelperProcess.run(path, ["--version"], hidesErrors: true))?.code == 0 }
}

/// Finds the `llvm-symbolizer` that belongs to the Swift toolchain: another version may not understand its debug
/// information.
public enum SymbolizerLocator {
    /// The symbolizer to use: `$GAMEPROF_SYMBOLIZER`, else beside the `swiftc` or `swift` on the search path, else the
    /// toolchain's one that an installed tool brings, else any on the search path; nil when there is none. An empty
    /// `$GAMEPROF_SYMBOLIZER` means none.
    public static func find(environment: [String: String] = ProcessInfo.processInfo.environment) -> Symbolizer? {
        if let chosen = environment["GAMEPROF_SYMBOLIZER"] {
            return isExecutable(chosen) ? Symbolizer(path: chosen) : nil
        }
        let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for tool in ["swiftc", "swift"] {
            guard let found = folders.map({ "\($0)/\(tool)" }).first(where: isExecutable),
                let real = realpath(found, nil)
            else { continue }
            defer { free(real) }
            let folder = URL(fileURLWithPath: String(cString: real)).deletingLastPathComponent()
            let symbolizer = folder.appendingPathComponent("llvm-symbolizer").path
            if isExecutable(symbolizer) { return Symbolizer(path: symbolizer) }
        }
        if isExecutable(ofPackage) { return Symbolizer(path: ofPackage) }
        return folders.map { "\($0)/llvm-symbolizer" }.first(where: isExecutable)
            .map { Symbolizer(path: $0, isOfToolchain: false) }
    }

    /// Where `make install` puts the symbolizer of the toolchain that built the tool.
    private static let ofPackage = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "../lib/gameprof/llvm-symbolizer").standardizedFileURL.path

    private static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        return !path.isEmpty && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }
}
