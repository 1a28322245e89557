import Foundation
import Testing

@testable import GameprofAnalysis

/// Ways in that take long to build, from packages outside this one's folder.
@Suite(.serialized, .enabled(if: LongTests.field)) struct WaysInFieldTests {
    private static func errors(_ report: Report) -> [String] {
        report.errors.map { "\($0.kind.rawValue) \($0.signature) × \($0.count)" }.sorted()
    }

    private static let game = """
        final class Table {
            var cards = [1, 2, 3]
            var onDeal: (() -> Void)?

            func deal(keeping: Bool) {
                if keeping { onDeal = { self.cards.append(4) } } else { onDeal = { [weak self] in self?.cards.append(4) } }
                onDeal?()
            }
        }

        @inline(never)
        func play(keeping: Bool) -> Int {
            let table = Table()
            table.deal(keeping: keeping)
            return table.cards.count
        }

        var sum = 0
        for _ in 0..<4 { sum += play(keeping: CommandLine.arguments.contains("keep")) }
        print(CommandLine.arguments.dropFirst().joined(separator: " "), sum)
        """

    @Test("behind swift run the product alone is recorded, not the manifest and not what the build runs")
    func swiftRun() throws {
        let folder = try TemporaryFolder()
        let manifest = """
            // swift-tools-version: 6.1
            import PackageDescription

            let package = Package(
                name: "Table",
                targets: [
                    .executableTarget(name: "Table", path: "Sources", plugins: ["Writer"]),
                    .executableTarget(name: "Maker", path: "Maker"),
                    .plugin(name: "Writer", capability: .buildTool(), dependencies: ["Maker"], path: "Writer"),
                ])
            """
        let maker = """
            import Foundation
            try Data("let made = 1".utf8).write(to: URL(filePath: CommandLine.arguments[1]))
            """
        let writer = """
            import PackagePlugin

            @main struct Writer: BuildToolPlugin {
                func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
                    let file = context.pluginWorkDirectoryURL.appending(path: "Made.swift")
                    return [
                        .buildCommand(
                            displayName: "make", executable: try context.tool(named: "Maker").url,
                            arguments: [file.path], outputFiles: [file])
                    ]
                }
            }
            """
        for (path, text) in [
            ("Package.swift", manifest), ("Sources/main.swift", "print(made)"), ("Maker/main.swift", maker),
            ("Writer/Writer.swift", writer),
        ] {
            let file = folder.url.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let result = try Command.run(
            Products.gameprof, ["leaks", "--json", "r.json", "-o", "t.gptrace", "--", "swift", "run", "Table"],
            directory: folder.url)
        #expect(result.status == 0 && result.output.hasSuffix("1\n"), "\(result.output)\(result.error)")
        let report = try Report(json: folder.url.appending(path: "r.json"))
        #expect(report.target.executable.hasSuffix("/Table"))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(left.filter { $0.hasSuffix("gptrace") } == ["t.gptrace"])
    }

    /// A package that depends on this one for its plugin alone. Its build is kept between runs.
    private func package() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gameprof-field/Table")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "Sources"), withIntermediateDirectories: true)
        let manifest = """
            // swift-tools-version: 6.1
            import PackageDescription

            let package = Package(
                name: "Table", dependencies: [.package(path: "\(Products.package.path)")],
                targets: [.executableTarget(name: "Table", path: "Sources")])
            """
        try Data(manifest.utf8).write(to: folder.appending(path: "Package.swift"))
        try Data(Self.game.utf8).write(to: folder.appending(path: "Sources/main.swift"))
        try? FileManager.default.removeItem(at: folder.appending(path: "r.json"))
        return folder
    }

    private func gameprof(in package: URL, permitted: Bool = true, _ arguments: String...) throws -> CommandResult {
        let permission = permitted ? ["--allow-writing-to-package-directory"] : []
        return try Command.run(
            URL(filePath: "/usr/bin/env"), ["swift", "package"] + permission + ["gameprof"] + arguments,
            directory: package)
    }

    /// The page that the plugin says it wrote.
    private func page(_ result: CommandResult) throws -> String {
        let line = try #require(result.output.split(separator: "\n").last { $0.hasPrefix("Report: ") }, "\(result)")
        return try String(contentsOfFile: String(line.dropFirst(8)), encoding: .utf8)
    }

    @Test func thePluginBuildsRecordsAndSaysWhereTheReportIs() throws {
        let package = try package()
        let result = try gameprof(in: package, "leaks", "--json", "r.json", "Table", "--", "keep", "a b")
        #expect(result.status == 1)
        #expect(result.output.contains("keep a b 16\n"))
        #expect(try page(result).contains("Table.onDeal"))
        let report = try Report(json: package.appending(path: "r.json"))
        #expect(report.findings.map(\.kind) == [.retainCycle])
        #expect(report.findings.first?.count == 4)
        let frames = try #require(report.findings.first?.allocatedBy?.frames)
        #expect(frames.contains { $0.function == "play(keeping:)" && $0.file?.hasSuffix("main.swift") == true })
    }

    @Test func thePluginSucceedsWhereNothingIsFound() throws {
        let result = try gameprof(in: package(), "leaks", "Table", "--", "fair")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("fair 16\n"))
        #expect(try page(result).contains("<html"))
    }

    @Test func thePluginAsksForItsPermissionAndKnowsItsProducts() throws {
        let package = try package()
        let unpermitted = try gameprof(in: package, permitted: false, "leaks", "Table")
        #expect(unpermitted.status != 0)
        #expect(unpermitted.error.contains("wants permission to write to the package directory"))
        let unknown = try gameprof(in: package, "leaks", "Nothing")
        #expect(unknown.status != 0)
        #expect(unknown.error.contains("Nothing cannot be built."))
        #expect(try gameprof(in: package, "dance", "Table").error.contains("usage: swift package gameprof leaks|"))
    }

    /// What a program says of itself that records its leaks from within.
    private func errors(_ program: URL, _ arguments: [String] = [], output: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let run = try Command.run(program, arguments, environment: ["GAMEPROF": "leaks"], directory: folder.url)
        #expect(run.status == 0 && run.output == output && run.error.isEmpty, "\(run)")
        _ = try Command.run(
            Products.gameprof,
            ["report", "\(program.lastPathComponent).gptrace", "--quiet", "--json", "r.json"], directory: folder.url)
        return try Self.errors(Report(json: folder.url.appending(path: "r.json")))
    }

    @Test(arguments: [[], ["leaking"]])
    func aServerOnTracingLibrariesSaysTheSameBothWays(arguments: [String]) throws {
        let server = try FieldPackage(name: "GameServer").build()
        let found = try errors(
            server, arguments, output: "answered 560 of 560; requests 560; games left 0\n")
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "r.json")
        _ = try Command.run(
            Products.gameprof, ["leaks", "--quiet", "--json", json.path, "--", server.path] + arguments)
        #expect(found == (try Self.errors(Report(json: json))))
        #expect(found.count == arguments.count && found.allSatisfy { $0.hasSuffix(" × 80") }, "\(found)")
    }

    @Test func aFullyStaticGameRecordsItselfAndFindsTheSame() throws {
        let game = try LinkedGame.fullyStatic.executable()
        let found = try errors(game, output: "played\n")
        #expect(found.count == 2)
        #expect(found == (try errors(LinkedGame.recording.executable(), output: "played\n")))
        #expect(try Command.run(game, ["abort"]).status == -SIGABRT)
        let preloaded = try Command.run(Products.gameprof, ["leaks", game.path])
        #expect(preloaded.status == 3)
        #expect(preloaded.error.contains("is fully static"))
    }
}
