import Foundation
import GameprofReport
import Synchronization
import Testing

@testable import GameprofAnalysis

/// A game outside this repository's tree that links Instrumentation.
enum LinkedGame: String, CaseIterable, CustomStringConvertible {
    case recording, recordingStatic, fullyStatic, plain

    var description: String { rawValue }

    private var flags: [String] {
        switch self {
        case .recording: ["--traits", "Profiling"]
        case .recordingStatic: ["--traits", "Profiling", "--static-swift-stdlib", "--product", "LinkedGame"]
        case .fullyStatic:
            [
                "--traits", "Profiling", "-Xswiftc", "-static-executable", "-Xlinker", "-z", "-Xlinker", "muldefs",
                "--product", "LinkedGame",
            ]
        case .plain: []
        }
    }

    private var products: [String] {
        switch self {
        case .recording, .plain:
            ["LinkedGame", "PushingProgram", "WatchedGame", "LostBoard", "WrappedTurns", "BareTurns"]
        case .recordingStatic, .fullyStatic: ["LinkedGame"]
        }
    }

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let builds = Once<LinkedGame, URL>()

    /// The executable, built by the package manager at its first use. What was built stays for the next test run.
    func executable() throws -> URL { try build().appending(path: "LinkedGame") }

    /// The folder of what was built.
    func build() throws -> URL { try Self.builds.value(for: self) { try Self.building.withLock { _ in try make() } } }

    private static let building = Mutex(())

    private func make() throws -> URL {
        let name = "gameprof-linked-game-\(getuid())-\(abs(Self.repository.path.hashValueForever))"
        let folder = FileManager.default.temporaryDirectory.appending(path: name)
        let fixture = Self.repository.appending(path: "Tests/Fixtures/LinkedGame")
        let (built, stamp) = (folder.appending(path: "\(self)"), folder.appending(path: "\(self)/stamp"))
        let inputs = [fixture] + ["Package.swift", "Sources"].map { Self.repository.appending(path: $0) }
        if let made = Self.newest([stamp]), made > Self.newest(inputs) ?? made { return built }

        let (files, begun) = (FileManager.default, Date())
        let package = folder.appending(path: "package")
        for stale in [package, built] { try? files.removeItem(at: stale) }
        try files.createDirectory(at: built, withIntermediateDirectories: true)
        try files.copyItem(at: fixture, to: package)
        // One source is two programs.
        let sources = package.appending(path: "Sources")
        try files.copyItem(at: sources.appending(path: "WrappedTurns"), to: sources.appending(path: "BareTurns"))
        // One folder for all: with other flags the package manager compiles Swift again, but not the recorder.
        let scratch = folder.appending(path: "build")
        let result = try Command.run(
            URL(filePath: "/usr/bin/env"),
            ["swift", "build", "-c", "release", "--scratch-path", scratch.path] + flags,
            environment: ["GAMEPROFILER": Self.repository.path], directory: package)
        guard result.status == 0 else {
            throw SwiftProgram.CompilationFailed(description: result.output + result.error)
        }
        for product in products + ["Modules"] {
            let from = scratch.appending(path: "release/\(product)")
            try files.copyItem(at: from, to: built.appending(path: product))
        }
        try Data().write(to: stamp)
        try files.setAttributes([.modificationDate: begun], ofItemAtPath: stamp.path)
        return built
    }

    /// When the last of these files, or of those in these folders, was written.
    private static func newest(_ places: [URL]) -> Date? {
        let inside = places.flatMap { place in
            let all = FileManager.default.enumerator(
                at: place, includingPropertiesForKeys: [.contentModificationDateKey])
            return all?.compactMap { $0 as? URL } ?? []
        }
        return (places + inside).compactMap {
            try? $0.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
        }.max()
    }
}

extension LinkedGame {
    /// The instructions of the hot function of the game's twin, without addresses and names.
    func hotInstructions(of twin: String) throws -> [String] {
        let listing = try Command.run(
            URL(filePath: "/usr/bin/env"),
            ["objdump", "-d", "--no-show-raw-insn", try build().appending(path: twin).path]
        ).output.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = listing.firstIndex(where: { $0.contains("hotLoop") && $0.hasSuffix(">:") }) else { return [] }
        return listing[(start + 1)...].prefix { !$0.isEmpty }.map { line in
            String(line.drop { $0 != "\t" }).replacing(/<.*>/, with: "").replacing(/(0x)?[0-9a-f]{4,}/, with: "")
        }
    }

    /// The public names of two products, with their parameters.
    func publicNames() throws -> Set<String> { Set(try symbolGraphs().flatMap(\.symbols).map(\.name)) }

    /// What the public types conform to, but for what the compiler adds by itself.
    func conformances() throws -> Set<String> {
        let graphs = try symbolGraphs()
        let names = Dictionary(
            graphs.flatMap(\.symbols).map { ($0.identifier.precise, $0.typeName) }, uniquingKeysWith: { one, _ in one })
        return Set(
            graphs.flatMap(\.relationships).compactMap { relation in
                guard relation.kind == "conformsTo", let type = names[relation.source],
                    let name = relation.targetFallback ?? names[relation.target],
                    !["Swift.BitwiseCopyable", "Swift.SendableMetatype"].contains(name)
                else { return nil }
                return "\(type): \(name)"
            })
    }

    private func symbolGraphs() throws -> [SymbolGraph] {
        let folder = try TemporaryFolder()
        let modules = try build().appending(path: "Modules").path
        let sources = Self.repository.appending(path: "Sources")
        let flags = ["Instrumentation/Off", "Recorder/Interface", "Recorder/TraceFormat"].flatMap {
            ["-I", "\(sources.path)/\($0)/include"]
        }
        let read = self == .plain ? ["CInstrumentationOff"] : []
        for module in ["GameInstrumentation", "InstrumentedGames"] + read {
            let result = try Command.run(
                URL(filePath: "/usr/bin/env"),
                ["swift", "symbolgraph-extract", "-module-name", module, "-I", modules] + flags + [
                    "-target", Self.target, "-output-dir", folder.url.path, "-minimum-access-level", "public",
                    "-skip-synthesized-members",
                ])
            guard result.status == 0 else { throw SwiftProgram.CompilationFailed(description: result.error) }
        }
        return try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            .filter { $0.hasSuffix(".symbols.json") }.map { file in
                try JSONDecoder().decode(
                    SymbolGraph.self, from: Data(contentsOf: folder.url.appending(path: file)))
            }
    }

    #if arch(x86_64)
    private static let target = "x86_64-unknown-linux-gnu"
    #else
    private static let target = "aarch64-unknown-linux-gnu"
    #endif

    private struct SymbolGraph: Decodable {
        struct Symbol: Decodable {
            struct Piece: Decodable { var spelling: String }
            struct Signature: Decodable {
                struct Parameter: Decodable { var declarationFragments: [Piece] }
                var parameters: [Parameter]?
                var returns: [Piece]?
            }
            struct Identifier: Decodable { var precise: String }
            var identifier: Identifier
            var pathComponents: [String]
            var functionSignature: Signature?

            var typeName: String {
                pathComponents.joined(separator: ".").replacing("ObjectTreeNode", with: "ObjectTree.Node")
            }

            var name: String {
                let types =
                    functionSignature?.parameters?.map { $0.declarationFragments.map(\.spelling).joined() } ?? []
                let result = functionSignature?.returns?.map(\.spelling).joined() ?? ""
                return "\(pathComponents.joined(separator: ".")) \(types) \(result)"
                    // As the types are called that stand for them without the trait.
                    .replacing(/^(Array|CancellationError)(?=\.)/) {
                        $0.output.1 == "Array" ? "ObjectTree" : "Instrumentation.StartError"
                    }
                    .replacing("ObjectTreeNode", with: "ObjectTree.Node")
            }
        }
        struct Relationship: Decodable {
            var kind, source, target: String
            var targetFallback: String?
        }
        var symbols: [Symbol]
        var relationships: [Relationship]
    }
}

extension String {
    /// The same in every run, unlike `hashValue`.
    fileprivate var hashValueForever: Int {
        utf8.reduce(5381) { ($0 &* 33) ^ Int($1) }
    }
}

/// One run of the linked game and its report.
private struct LinkedRun {
    var result: CommandResult
    var report: Report
    /// Functions of the recorder that the report shows.
    var shownOfTheRecorder: [String]

    /// Runs `command` in a folder of its own; it leaves the trace there under `trace`.
    init(_ command: [String], environment: [String: String?], trace: String = "LinkedGame.gptrace") throws {
        let folder = try TemporaryFolder()
        result = try Command.run(
            URL(filePath: command[0]), Array(command.dropFirst()), environment: environment, directory: folder.url)
        let json = folder.url.appending(path: "report.json")
        let reported = try Command.run(
            Products.gameprof,
            ["report", folder.url.appending(path: trace).path, "--json", json.path, "--quiet"],
            directory: folder.url)
        guard let data = try? Data(contentsOf: json) else {
            throw SwiftProgram.CompilationFailed(description: "no report: \(result.error) \(reported.error)")
        }
        report = try JSONReport.read(String(decoding: data, as: UTF8.self))
        shownOfTheRecorder = String(decoding: data, as: UTF8.self)
            .matches(of: /"function" ?: ?"(_?gp_\w+)"/).map { String($0.output.1) }
    }

    /// What is wrong, without counts that depend on scheduling.
    var findings: Set<String> {
        Set(report.findings.filter { $0.known == nil }.map { "\($0.kind.rawValue) \($0.signature) × \($0.count)" })
    }

    var counts: [String: UInt64] {
        Dictionary(uniqueKeysWithValues: (report.probes ?? []).map { ($0.name, $0.durations.count) })
    }
}

@Suite struct LinkedTests {
    private static let expectedCounts: [String: UInt64] = [
        "turn": 100, "deal": 100, "think": 100, "Puzzle.tilt(to:)": 8,
    ]

    /// The wrapper's generic type leaves its description; the compiler adds a marker of 4 bytes for all properties.
    @Test(
        "a release without the trait has no symbol of Instrumentation but the description of the wrapper's type",
        arguments: ["LinkedGame", "WrappedTurns"])
    func symbolsOfARelease(_ program: String) throws {
        let symbols = try Command.run(
            URL(filePath: "/usr/bin/env"), ["nm", try LinkedGame.plain.build().appending(path: program).path])
        #expect(symbols.status == 0 && symbols.output.contains("main"))
        let own = symbols.output.split(separator: "\n").filter {
            $0.contains("Instrumentation") || $0.contains(" gp_") || $0.contains("Probe")
        }
        #expect(
            own.filter {
                !$0.contains("12InstrumentedV") && !$0.hasSuffix("vpMV") && !$0.hasSuffix("vpZMV")
                    && !$0.hasSuffix("GameInstrumentationMXM")
            } == [])
        let recording = try Command.run(
            URL(filePath: "/usr/bin/env"), ["nm", try LinkedGame.recording.executable().path])
        #expect(recording.output.contains(" gp_probe_here"))
        #expect(try Command.run(LinkedGame.plain.executable()).output == "played\n")
    }

    @Test("a call through a wrapper, in a release without the trait, has the instructions of the call of the model")
    func wrappedCalls() throws {
        let wrapped = try LinkedGame.plain.hotInstructions(of: "WrappedTurns")
        #expect(try wrapped.count > 10 && wrapped == LinkedGame.plain.hotInstructions(of: "BareTurns"))
        #expect(try LinkedGame.recording.hotInstructions(of: "WrappedTurns").count > 2 * wrapped.count)
    }

    @Test("with and without the trait there are the same public names with the same parameters")
    func publicNames() throws {
        let (recording, plain) = try (LinkedGame.recording.publicNames(), LinkedGame.plain.publicNames())
        // Without the trait both are the compiler's and the library's own; types of C have initializers and a byte.
        let told = ["Instrumentation.Instruments.rawValue [] ", "ObjectTree.description [] "]
        #expect(recording.subtracting(plain).sorted() == told)
        let members = plain.subtracting(recording).filter { $0.prefix { $0 != " " }.contains(".") }
        #expect(members.filter { !$0.contains(".init(") && !$0.contains(".nothing ") } == [])
    }

    @Test func `with and without the trait the public types conform to the same`() throws {
        let (recording, plain) = try (LinkedGame.recording.conformances(), LinkedGame.plain.conformances())
        // An array and a CancellationError stand for the tree and the error; another conformance would stay in a release.
        let ofOthers = recording.subtracting(plain).filter {
            !$0.hasPrefix("ObjectTree: ") && !$0.hasPrefix("Instrumentation.StartError: ")
        }
        #expect(ofOthers == ["Instrumentation.Finding: Swift.CustomStringConvertible"])
        #expect(plain.subtracting(recording).allSatisfy { $0.hasSuffix(": Swift.Sendable") })
        #expect(plain.contains("Instrumentation.Instruments: Swift.OptionSet"))
    }

    @Test("the linked recorder records, alone and under gameprof", arguments: [LinkedGame.recording, .recordingStatic])
    func bothWaysInFindTheSame(_ game: LinkedGame) throws {
        let program = try game.executable().path
        let linked = try LinkedRun([program], environment: ["GAMEPROF": "allocations,leaks"])
        let underTool = try LinkedRun(
            [
                Products.gameprof.path, "record", "--instruments", "allocations,leaks", "--output", "p.gptrace", "--",
                program,
            ], environment: ["GAMEPROF": "leaks", "GAMEPROF_OUTPUT": "second.gptrace"], trace: "p.gptrace")
        #expect(linked.result.status == 0 && linked.result.output == "played\n" && linked.result.error.isEmpty)
        #expect(underTool.result.status == 0 && underTool.result.output == "played\n")
        #expect(linked.report.findings.filter { $0.severity == .error }.map(\.kind) == [.retainCycle, .outlived])
        #expect(linked.report.findings.first?.count == 3)
        #expect(linked.report.findings.first { $0.kind == .outlived }?.heldBy?.last == "Board")
        #expect(linked.findings == underTool.findings)
        for run in [linked, underTool] {
            #expect(run.report.environment["loading"] == "linked")
            #expect(run.counts == Self.expectedCounts)
            #expect(run.shownOfTheRecorder.isEmpty)
            #expect(run.report.frames?.first?.durations.count == 99)
            #expect(run.report.counters?.map(\.name) == ["score"])
            #expect(run.report.log?.map(\.message) == ["LinkedGame over"])
            #expect(run.report.probeEvents?.map(\.name) == ["won"])
        }
    }

    @Test("what a statement of main.swift loses is found where the recorder is linked too, as the same finding")
    func statement() throws {
        let programs = try [LinkedGame.plain, .recording].map { try $0.build().appending(path: "LostBoard").path }
        let (tool, output) = (
            [Products.gameprof.path, "leaks", "--output", "t.gptrace", "--"], ["GAMEPROF": nil as String?]
        )
        let runs = [
            try LinkedRun(tool + [programs[0]], environment: output, trace: "t.gptrace"),
            try LinkedRun(tool + [programs[1]], environment: output, trace: "t.gptrace"),
            try LinkedRun([programs[1]], environment: ["GAMEPROF": "leaks"], trace: "LostBoard.gptrace"),
        ]
        for run in runs {
            #expect(run.report.findings.map(\.kind) == [.retainCycle] && run.report.findings[0].severity == .error)
            #expect(run.findings == runs[0].findings, "\(run.report.findings)")
        }
    }

    @Test func withoutTheVariableNothingIsRecorded() throws {
        let folder = try TemporaryFolder()
        let result = try Command.run(LinkedGame.recording.executable(), directory: folder.url)
        #expect(result.output == "played\n" && result.error.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func marksTellWhatWasBornAfterThemAndStillLives() throws {
        let run = try LinkedRun(
            [try LinkedGame.recording.executable().path, "mark"], environment: ["GAMEPROF": "allocations,leaks"])
        let level = try #require(run.report.generations?.first { $0.name == "level 2" })
        #expect(level.byType.first { $0.type == "LinkedGame.Board" }?.liveCount == 1)
        #expect(!run.report.findings.contains { $0.kind == .outlived })
    }

    @Test func aMemoryWarningEmptiesWhatListensToIt() throws {
        let run = try LinkedRun(
            [try LinkedGame.recording.executable().path, "warn"], environment: ["GAMEPROF": "allocations"])
        #expect(run.result.output.hasPrefix("given back\n"), "\(run.result.output)")
        let warning = try #require(run.report.memoryWarnings?.first)
        #expect(warning.liveBytesBefore > warning.liveBytesAfter + 1_000 * 32)
    }

    /// Recorded or not: an object is read by itself.
    @Test(arguments: [LinkedGame.recording, .recordingStatic], [nil, "allocations"])
    func anObjectIsPrintedAsATree(_ game: LinkedGame, _ instruments: String?) throws {
        let folder = try TemporaryFolder()
        let result = try Command.run(
            game.executable(), ["tree"], environment: ["GAMEPROF": instruments], directory: folder.url)
        #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("Scene  strong ") == true)
        #expect(
            lines.dropFirst().prefix(4) == [
                "├─ board  strong → Board  strong 2, weak 1", "│  ├─ rival  strong → Board  ↺ cycle",
                "│  └─ cards  strong → _ContiguousArrayStorage<Swift.Int>  strong 1",
                "├─ other  weak → Board  (as above)",
            ])
        #expect(lines.dropFirst(5).first?.hasPrefix("├─ task  strong → Task") == true)
        // What leads back to the scene does not hold it.
        #expect(
            lines.dropFirst(6).prefix(2) == [
                "└─ view  strong → View  strong 1", "   └─ scene  weak → Scene  (as above)",
            ])
        #expect(
            lines.dropFirst(8) == [
                "Scene.board → Board", "Scene.board → Board.rival → Board", "Scene.other → Board", "played",
            ])
    }

    @Test func aNameTooManyIsTold() throws {
        let run = try LinkedRun(
            [try LinkedGame.recording.executable().path, "names"], environment: ["GAMEPROF": "allocations"])
        #expect(run.result.status == 0 && run.result.output == "played\n")
        #expect(
            run.report.capture.problems
                == ["Probes have more than 8,000 names; probes with further names are not recorded."])
    }

    @Test func aRepeatedScenarioTellsWhatGrowsAndWhatHoldsIt() throws {
        let run = try LinkedRun(
            [try LinkedGame.recording.executable().path, "grow"], environment: ["GAMEPROF": "allocations,leaks"])
        let growth = run.report.findings.filter { $0.kind == .growth }
        #expect(growth.map(\.message) == ["3 more Score were live after each repetition of game."])
        #expect(growth.first?.isAllocated(by: "Scores.keep()") == true)
        #expect(growth.first?.heldBy == ["Scores.shared", "Scores.all[…]", "Score"])
    }

    @Test func `a check limits what is retained more at the end than after the first repetition`() throws {
        let folder = try TemporaryFolder()
        let game = try LinkedGame.recording.executable().path
        let budget = """
            version: 1
            scenarios:
              grow: {run: \(game) grow, retained-growth: {Score: 1 KB}}
              once: {run: \(game) tree, retained-growth: 1 MB}
            """
        try budget.write(to: folder.url.appending(path: "b.yml"), atomically: true, encoding: .utf8)
        let result = try Command.run(
            Products.gameprof, ["check", "--budget", "b.yml", "--json", "c.json"], directory: folder.url)
        func occurs(_ text: String) -> Bool { result.output.contains(text) || result.error.contains(text) }
        // 24 scores of 24 bytes in a list, and 40 by name.
        #expect(occurs("✗ types/Score/retained-growth        1.5 KB  limit 1.0 KB"), "\(result.output)")
        #expect(occurs("the run has only one heap"))
    }

    @Test func cachesThatFillAndWhatIsMadeLateAreNoGrowth() throws {
        let run = try LinkedRun(
            [try LinkedGame.recording.executable().path, "repeat"], environment: ["GAMEPROF": "allocations,leaks"])
        #expect(run.report.findings.filter { $0.kind == .growth }.map(\.message) == [])
    }

    @Test func aSignalFromOutsideIsAMark() throws {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let process = Process()
        process.executableURL = Products.gameprof
        process.arguments = [
            "leaks", "--quiet", "--snapshot-at", "USR1", "--json", json.path, "--",
            try LinkedGame.recording.executable().path, "wait",
        ]
        process.currentDirectoryURL = folder.url
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The game says so when it has made the first boards, and makes more for two seconds.
        #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
        kill(process.processIdentifier, SIGUSR1)
        process.waitUntilExit()
        let report = try Report(json: json)
        let born = report.generations?.first { $0.name == "request" }?.byType.first { $0.type == "LinkedGame.Board" }
        #expect((1..<300).contains(born?.liveCount ?? 0), "\(String(describing: report.generations?.map(\.name)))")
    }

    @Test(arguments: ["abort", "kill"])
    func aGameThatIsEndedKeepsItsTrace(_ how: String) throws {
        let run = try LinkedRun(
            [try LinkedGame.recording.executable().path, how], environment: ["GAMEPROF": "allocations,time"])
        #expect(run.result.status == (how == "kill" ? -SIGKILL : -SIGABRT))
        #expect(run.counts == Self.expectedCounts)
        #expect(run.report.capture.instruments == [.allocations, .time])
    }

    @Test func aPartOfTheRunIsRecordedFromWithin() throws {
        let run = try LinkedRun(
            [LinkedGame.recording.executable().path, "start"], environment: [:], trace: "part.gptrace")
        #expect(run.result.status == 0 && run.result.error.isEmpty)
        #expect(
            run.result.output == """
                true
                told: LinkedGame.Board LinkedGame/main.swift true true
                true true true
                true
                false A recording was already made by this process.
                played

                """)
        #expect(run.report.capture.problems.isEmpty)
        #expect(run.report.capture.instruments == [.allocations, .time])
        #expect(run.report.findings.contains { $0.kind == .outlived && $0.heldBy?.last == "Board" })
        #expect((run.report.hotspots?.functions ?? []).contains { $0.function.hasPrefix("shuffle") })
    }

    /// Its memory may be another object's by then.
    @Test func anObjectIsToldByItsClassThoughItDiesMeanwhile() throws {
        let run = try LinkedRun(
            [LinkedGame.recording.executable().path, "told"], environment: [:], trace: "part.gptrace")
        #expect(run.result.output == "told: LinkedGame.Board\ntold: LinkedGame.Board\nplayed\n")
    }

    @Test func usesOfDeadObjectsAreSeenOnceRecordingHasBegun() throws {
        let run = try LinkedRun(
            [LinkedGame.recording.executable().path, "zombie"], environment: [:], trace: "part.gptrace")
        #expect(run.report.findings.map(\.kind) == [.zombie])
        #expect(run.report.findings.first?.type == "LinkedGame.Board")
    }

    @Test func anUnknownInstrumentIsSaidInASentence() throws {
        let folder = try TemporaryFolder()
        let result = try Command.run(
            LinkedGame.recording.executable(), environment: ["GAMEPROF": "leaks,tim"], directory: folder.url)
        #expect(result.status == 0 && result.output == "played\n")
        #expect(
            result.error == "gameprof: GAMEPROF names an unknown instrument; there are allocations, leaks, zombies, "
                + "time, heap, files, and no others.\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func whatKeepsTheDeadCountsNobody() throws {
        let folder = try TemporaryFolder()
        let result = try Command.run(
            LinkedGame.recording.executable(), environment: ["GAMEPROF": "zombies,leaks"], directory: folder.url)
        #expect(result.status == 0 && result.output == "played\n")
        #expect(result.error.hasPrefix("gameprof: Zombies cannot be combined with allocations, leaks or heap"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func aTraceThatCannotBeWrittenIsSaidInASentence() throws {
        let result = try Command.run(
            LinkedGame.recording.executable(), environment: ["GAMEPROF": "leaks", "GAMEPROF_OUTPUT": "/nowhere/x"])
        #expect(result.status == 0 && result.output == "played\n")
        #expect(result.error == "gameprof: The trace file cannot be written: its folder does not exist.\n")
    }
}
