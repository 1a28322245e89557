import Foundation
import PackagePlugin

/// `swift package gameprof COMMAND [options] PRODUCT [-- ARGS…]`: builds a product of the package in release, with symbols
/// and frame pointers, runs it under gameprof, and prints where the report is.
@main
struct GameProf: CommandPlugin {
    /// Commands of gameprof that run a program.
    private static let commands = ["leaks", "heap", "zombies", "allocations", "time", "files"]
    private static let usage =
        "usage: swift package gameprof \(commands.joined(separator: "|")) [options of gameprof] PRODUCT [-- ARGS…]"

    func performCommand(context: PluginContext, arguments: [String]) throws {
        let own = Array(arguments.prefix { $0 != "--" })
        guard let command = own.first, Self.commands.contains(command), own.count > 1, let product = own.last else {
            throw Failure(sentence: Self.usage)
        }
        let program = try build(product, packageManager)
        let passed = arguments.dropFirst(own.count + 1)
        let page = context.pluginWorkDirectoryURL.appending(path: "\(product)-\(command).html")
        let options = own.dropFirst().dropLast()
        let report = options.contains { $0 == "--html" || $0.hasPrefix("--html=") } ? [] : ["--html", page.path]

        // What an earlier run left is no report of this one.
        if !report.isEmpty { try? FileManager.default.removeItem(at: page) }
        let tool = Process()
        tool.executableURL = try context.tool(named: "gameprof").url
        tool.currentDirectoryURL = context.package.directoryURL
        tool.arguments = [command] + report + options + ["--", program.path] + passed
        try tool.run()
        tool.waitUntilExit()
        if !report.isEmpty, FileManager.default.fileExists(atPath: page.path) { print("Report: \(page.path)") }
        switch tool.terminationStatus {
        case 0: break
        case 1: throw Failure(sentence: "gameprof found something.")
        case let status: throw Failure(sentence: "gameprof ended with exit code \(status).")
        }
    }

    private func build(_ product: String, _ packageManager: PackageManager) throws -> URL {
        var parameters = PackageManager.BuildParameters(configuration: .release, logging: .concise)
        parameters.otherSwiftcFlags = ["-g", "-Xcc", "-fno-omit-frame-pointer"]
        parameters.otherCFlags = ["-g", "-fno-omit-frame-pointer"]
        parameters.otherCxxFlags = parameters.otherCFlags
        let result = try packageManager.build(.product(product), parameters: parameters)
        guard result.succeeded else {
            throw Failure(sentence: "\(product) cannot be built.\n\(result.logText)")
        }
        guard let program = result.builtArtifacts.first(where: { $0.kind == .executable }) else {
            throw Failure(sentence: "\(product) is no executable product.")
        }
        return program.url
    }
}

/// Why the command did not do what was asked, as one sentence.
struct Failure: Error, CustomStringConvertible {
    var sentence: String
    var description: String { sentence }
}
