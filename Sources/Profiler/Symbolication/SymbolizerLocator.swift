import Foundation

/// Finds the `llvm-symbolizer` that belongs to the Swift toolchain: another version may not understand its debug
/// information.
public enum SymbolizerLocator {
    /// The path of the symbolizer to use: `$GAMEPROF_SYMBOLIZER`, else beside the `swiftc` or `swift` on the search
    /// path, else any on the search path; nil when there is none. An empty `$GAMEPROF_SYMBOLIZER` means none.
    public static func find(environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        if let chosen = environment["GAMEPROF_SYMBOLIZER"] { return isExecutable(chosen) ? chosen : nil }
        let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for tool in ["swiftc", "swift"] {
            guard let found = folders.map({ "\($0)/\(tool)" }).first(where: isExecutable),
                let real = realpath(found, nil)
            else { continue }
            defer { free(real) }
            let folder = URL(fileURLWithPath: String(cString: real)).deletingLastPathComponent()
            let symbolizer = folder.appendingPathComponent("llvm-symbolizer").path
            if isExecutable(symbolizer) { return symbolizer }
        }
        return folders.map { "\($0)/llvm-symbolizer" }.first(where: isExecutable)
    }

    private static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        return !path.isEmpty && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }
}
