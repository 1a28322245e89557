import Foundation
import StaticFindingModel
import StaticLook

/// Two modules, of which the second uses the first, with the index that compiling them leaves.
final class IndexedModules: Sendable {
    let folder: String

    /// Compiles both. Some seconds.
    init(core: [String: String], app: [String: String]) throws {
        folder = NSTemporaryDirectory() + "gameprof-index-\(UUID().uuidString)"
        try write(core, module: "Core")
        try write(app, module: "App")
        try compile("Core")
        try compile("App")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var store: String { "\(folder)/store" }

    func path(_ module: String, _ file: String) -> String { "\(folder)/Sources/\(module)/\(file)" }

    /// Looks at the second module alone.
    func look(_ index: IndexChoice? = nil, cache: StaticFindingCache? = nil, module: String = "App") throws
        -> StaticFindingList
    {
        try Analyzer(jobs: 2, cache: cache, index: index ?? .store(store)).analyze(["\(folder)/Sources/\(module)"])
    }

    private func write(_ files: [String: String], module: String) throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/Sources/\(module)", withIntermediateDirectories: true)
        for (name, text) in files { try text.write(toFile: path(module, name), atomically: true, encoding: .utf8) }
    }

    /// Compiles a module anew.
    func compile(_ module: String) throws {
        let sources = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/Sources/\(module)").sorted()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.arguments =
            ["swiftc", "-module-name", module, "-parse-as-library", "-I", ".", "-emit-module", "-c"]
            + ["-index-store-path", "store", "-index-ignore-system-modules", "-module-cache-path", "cache"]
            + sources.map { path(module, $0) }
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CompilerError() }
    }

    struct CompilerError: Error {}
}
