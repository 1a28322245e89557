import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

/// Traces that hold the names of their addresses themselves, and the files that names come from.
@Suite struct SymbolicateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let game = """
        final class Board { var cards: [Card] = []; var onEnd: (() -> Void)?; var score = 0 }
        final class Card { let board: Board; init(board: Board) { self.board = board } }
        /*more*/
        @inline(never) func deal(_ count: Int) -> Int {
            let board = Board()
            for _ in 0..<count { board.cards.append(Card(board: board)) }
            board.onEnd = { [board] in board.score += 1 }
            return board.cards.count
        }
        @inline(never) func count(_ rounds: Int) -> Int {
            var sum = 1
            for round in 0..<rounds { sum = sum &* 31 &+ (round ^ sum) }
            return sum
        }
        @main struct Game {
            static func main() { print(deal(3) &+ deal(5) &+ count(30_000_000)) }
        }
        """

    /// The same functions at other addresses and lines, one of them slower: a comparison leaves out what takes equally long.
    private static let changed = game.replacingOccurrences(
        of: "/*more*/", with: "\n\n@inline(never) public func other() { print(Board(), \"more\") }\n"
    ).replacingOccurrences(of: "30_000_000", with: "90_000_000")

    private var program: URL { folder.url.appending(path: "Game") }

    private func put(_ source: String) throws {
        try? FileManager.default.removeItem(at: program)
        try FileManager.default.copyItem(
            at: try SwiftProgram.compile(source, module: "Game", build: .optimised), to: program)
    }

    @discardableResult
    private func run(_ tool: String, _ arguments: String..., status: Int32 = 0) throws -> CommandResult {
        let result = try Command.run(URL(filePath: "/usr/bin/env"), [tool] + arguments, directory: folder.url)
        #expect(result.status == status, "\(tool) \(arguments): \(result.error)")
        return result
    }

    private func gameprof(_ arguments: String..., environment: [String: String?] = [:]) throws -> CommandResult {
        try Command.run(Products.gameprof, arguments, environment: environment, directory: folder.url)
    }

    private func record(_ trace: String = "t.gptrace") throws {
        let result = try gameprof(
            "record", "--quiet", "--instruments", "allocations,leaks,time", "-o", trace, program.path)
        #expect(result.status == 0, "\(result.error)")
    }

    private func report(_ trace: String = "t.gptrace", _ options: String...) throws -> Report {
        let result = try Command.run(
            Products.gameprof, ["report", trace, "--json", "r.json"] + options, directory: folder.url)
        #expect(result.status == 1, "\(result.error)")
        return try Report(json: folder.url.appending(path: "r.json"))
    }

    /// Everything that a trace is turned into.
    private func outputs(_ trace: String) throws -> [String] {
        [
            try gameprof("report", trace, "--text").output, try gameprof("report", trace, "--json", "-").output,
            try gameprof("export", trace, "--format", "speedscope", "-o", "-").output,
            try gameprof("diff", trace, trace, "--json", "-").output,
        ]
    }

    private func firstID() throws -> String {
        let notes = try run("readelf", "-n", program.path).output
        return String(try #require(notes.firstMatch(of: /Build ID: ([0-9a-f]+)/)).output.1)
    }

    /// Splits the debug information off the program, strips it, and returns the file with the information.
    private func strip(into path: String) throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try run("objcopy", "--only-keep-debug", program.path, path)
        try run("strip", "--strip-all", program.path)
    }

    /// The trace as a tool wrote it that stored no names.
    private func withoutNames(_ trace: String) throws {
        let path = folder.url.appending(path: trace).path
        let reader = try TraceReader(path: path)
        var builder = TraceBuilder()
        builder.startUnixNanoseconds = reader.header.startUnixNanoseconds
        var sequence: UInt64 = 0
        try reader.readRecords { record, position in
            if position.sequence != sequence {
                builder.chunk(thread: position.thread.rawValue, time: position.time)
                sequence = position.sequence
            }
            if case .symbol = record { return }
            builder.append(record)
        }
        try builder.write(to: path)
    }

    @Test("a report stays the same when the program is rebuilt, and when it is gone")
    func rebuilt() throws {
        try put(Self.game)
        try record()
        let first = try outputs("t.gptrace")
        #expect(first.prefix(3).allSatisfy { $0.contains("count(_:)") })
        try put(Self.changed)
        #expect(try outputs("t.gptrace") == first)
        try FileManager.default.removeItem(at: program)
        #expect(try outputs("t.gptrace") == first)
        let again = try gameprof("symbolicate", "t.gptrace")
        #expect(again.status == 0, "\(again.error)")
        #expect(try outputs("t.gptrace") == first)
    }

    @Test("a stripped copy of the recorded file names what it exports")
    func exportedNames() throws {
        let source = Self.game.replacing("func deal", with: "public func deal")
        let built = try SwiftProgram.compile(
            source, module: "Game", build: .optimised, extraFlags: ["-Xlinker", "--export-dynamic"])
        try FileManager.default.copyItem(at: built, to: program)
        try run("strip", "--strip-all", program.path)
        try record()
        try withoutNames("t.gptrace")
        let old = folder.url.appending(path: "old")
        try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: program, to: old.appending(path: "Game"))
        #expect(try report("t.gptrace", "--symbols", "old").errors.contains { $0.isAllocated(by: "deal(_:)") })
    }

    @Test("a comparison matches functions by name across a rebuild")
    func comparison() throws {
        try put(Self.game)
        try record("a.gptrace")
        try put(Self.changed)
        try record("b.gptrace")
        let result = try gameprof("diff", "a.gptrace", "b.gptrace", "--json", "-")
        let report = try JSONDecoder().decode(ComparisonReport.self, from: Data(result.output.utf8))
        let counting = try #require(report.time?.functions.first { $0.name.contains("count(_:)") })
        #expect(counting.own.before > 0 && counting.own.after > 0)
        #expect(report.notes.isEmpty)
        #expect(result.error.isEmpty, "\(result.error)")
    }

    @Test("a trace without names whose program was rebuilt is reported and compared with a warning")
    func warning() throws {
        try put(Self.game)
        try record()
        try withoutNames("t.gptrace")
        #expect(try report().errors.contains { $0.isAllocated(by: "deal(_:)") })
        try put(Self.changed)
        let sentence = "was rebuilt after the recording, so its functions have no names"
        let shown = try report()
        #expect(shown.capture.notes.contains { $0.contains(sentence) && $0.contains("Game") })
        #expect(!shown.errors.contains { $0.isAllocated(by: "deal(_:)") })
        #expect(try gameprof("diff", "t.gptrace", "t.gptrace").error.contains(sentence))
        #expect(try gameprof("export", "t.gptrace", "--format", "collapsed", "-o", "-").error.contains(sentence))
        // The recorded build is kept elsewhere, in a copy of the system that was recorded.
        let old = folder.url.appending(path: "old\(program.path)")
        try FileManager.default.createDirectory(
            at: old.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: try SwiftProgram.compile(Self.game, module: "Game", build: .optimised), to: old)
        let stored = try gameprof("symbolicate", "t.gptrace", "--symbols", "old")
        #expect(stored.status == 0, "\(stored.error)")
        let named = try report()
        #expect(named.errors.contains { $0.isAllocated(by: "deal(_:)") })
        #expect(!named.capture.notes.contains { $0.contains("names") })
    }

    @Test("an image without a build id counts as rebuilt when its file is newer than the recording")
    func withoutBuildID() throws {
        try put(Self.game)
        try run("objcopy", "--remove-section", ".note.gnu.build-id", program.path)
        try run("touch", "-d", "2020-01-01", program.path)
        try record()
        try withoutNames("t.gptrace")
        #expect(try report().errors.contains { $0.isAllocated(by: "deal(_:)") })
        try run("touch", "-d", "2100-01-01", program.path)
        #expect(try report().capture.notes.contains { $0.contains("was rebuilt after the recording") })
    }

    @Test("a stripped program is named by a folder of build ids, with the same findings as before")
    func buildIDFolder() throws {
        try put(Self.game)
        try record("whole.gptrace")
        let whole = try report("whole.gptrace")
        let id = try firstID()
        try strip(into: "symbols/.build-id/\(id.prefix(2))/\(id.dropFirst(2)).debug")
        try record()
        #expect(try !report().errors.contains { $0.isAllocated(by: "deal(_:)") })
        let named = try report("t.gptrace", "--symbols", "symbols")
        #expect(named.errors.map(\.signature) == whole.errors.map(\.signature))
        #expect(named.errors.map(\.allocatedBy) == whole.errors.map(\.allocatedBy))
        let stored = try gameprof("symbolicate", "t.gptrace", "--symbols", "symbols")
        #expect(stored.status == 0, "\(stored.error)")
        try FileManager.default.removeItem(at: folder.url.appending(path: "symbols"))
        #expect(try report().errors.map(\.allocatedBy) == whole.errors.map(\.allocatedBy))
    }

    @Test("a finding keeps its signature when the program is rebuilt and stripped")
    func signature() throws {
        try put(Self.game)
        try record("a.gptrace")
        try put(Self.changed)
        try strip(into: "Game.debug")
        let recorded = try gameprof(
            "record", "--quiet", "--symbols", folder.url.path, "-o", "b.gptrace", program.path)
        #expect(recorded.status == 0, "\(recorded.error)")
        #expect(try report("b.gptrace").errors.map(\.signature) == report("a.gptrace").errors.map(\.signature))
    }

    @Test("the file that a program's debug link names is read, with and without a build id", arguments: [true, false])
    func debugLink(hasID: Bool) throws {
        try put(Self.game)
        if !hasID { try run("objcopy", "--remove-section", ".note.gnu.build-id", program.path) }
        try strip(into: ".debug/Game.debug")
        try run("objcopy", "--add-gnu-debuglink=.debug/Game.debug", program.path)
        try record()
        let frames = try #require(report().errors.first?.allocatedBy?.frames)
        #expect(frames.contains { $0.function == "deal(_:)" && $0.line != nil })
    }

    @Test(
        "a device or FIFO that a debug link names is not given to the symbolizer",
        arguments: ["Game.debug", "/dev/zero"])
    func specialDebugLink(target: String) throws {
        try put(Self.game)
        try strip(into: "Game.debug")
        try run("objcopy", "--add-gnu-debuglink=Game.debug", program.path)
        #expect(!SpecialDebugFile.isNamed(by: program.path))
        let debug = folder.url.appending(path: "Game.debug").path
        unlink(debug)
        #expect(target.hasPrefix("/") ? symlink(target, debug) == 0 : mkfifo(debug, 0o600) == 0)
        #expect(SpecialDebugFile.isNamed(by: program.path))
        try record()
        #expect(try report().errors.first != nil)
    }

    @Test("symbols of another build are reported and not used")
    func mismatch() throws {
        try put(Self.changed)
        try strip(into: "symbols/Game.debug")
        try put(Self.game)
        try strip(into: "other/Game.debug")
        try record()
        let shown = try report("t.gptrace", "--symbols", "symbols")
        #expect(!shown.errors.contains { $0.isAllocated(by: "deal(_:)") })
        let sentence = "symbols/Game.debug is of another build than the recorded"
        #expect(shown.capture.notes.contains { $0.contains(sentence) })
        #expect(try gameprof("symbolicate", "t.gptrace", "--symbols", "symbols").error.contains(sentence))
        #expect(try !report().errors.contains { $0.isAllocated(by: "deal(_:)") })
        let missing = try gameprof("report", "t.gptrace", "--symbols", "nowhere")
        #expect(missing.status == 2)
        #expect(missing.error.contains("--symbols takes a folder"))
    }

    @Test("a debuginfod server is asked by its client, and only if the user wants it")
    func server() throws {
        try put(Self.game)
        let id = try firstID()
        try strip(into: "cache/Game.debug")
        try record()
        let client = folder.url.appending(path: "debuginfod-find")
        let script = """
            #!/bin/sh
            echo "$*" >>asked
            [ "$*" = "debuginfo \(id)" ] && echo "$PWD/cache/Game.debug"
            """
        try Data(script.utf8).write(to: client)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: client.path)
        let path = folder.url.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let variables = ["PATH": path, "DEBUGINFOD_URLS": "https://example.invalid"]
        _ = try gameprof("report", "t.gptrace", "--text", environment: variables)
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "asked").path))
        let named = try gameprof("report", "t.gptrace", "--text", "--symbols", "debuginfod", environment: variables)
        #expect(named.output.contains("deal(_:)"), "\(named.error)")
        try Data("#!/bin/sh\nexit 1".utf8).write(to: client)
        _ = try gameprof("report", "t.gptrace", "--json", "r.json", "--symbols", "debuginfod", environment: variables)
        let notes = try Report(json: folder.url.appending(path: "r.json")).capture.notes
        let note = try #require(notes.first { $0.hasPrefix("--symbols debuginfod found nothing for ") }, "\(notes)")
        #expect(note.contains(program.path))
        let unset = try gameprof(
            "report", "t.gptrace", "--symbols", "debuginfod", environment: ["DEBUGINFOD_URLS": nil])
        #expect(unset.status == 2)
        #expect(unset.error.contains("DEBUGINFOD_URLS"))
    }

    @Test("the trace of a tool that was killed can be named before its program goes away")
    func killedTool() throws {
        let source = Self.game.replacingOccurrences(
            of: "static func main() {", with: "static func main() { kill(getppid(), SIGKILL);")
        try put("import Glibc\n" + source)
        _ = try gameprof("record", "--quiet", "-o", "t.gptrace", program.path)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        let trace = try #require(left.first { $0.hasSuffix(".recording") })
        var result = try gameprof("symbolicate", trace)
        while result.error.contains("is still being recorded") { result = try gameprof("symbolicate", trace) }
        #expect(result.status == 0, "\(result.error)")
        try FileManager.default.removeItem(at: program)
        let shown = try gameprof("dump", trace)
        #expect(shown.output.contains("4Game4dealyS2iF"))
        let text = try gameprof("report", trace, "--text")
        #expect(text.status == 4 && text.output.contains("gameprof ended before the program"), "\(text.output)")
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: trace + ".spool").path))
    }

    @Test("a trace that cannot be written whole stays as it was")
    func fullDisk() throws {
        try put(Self.game)
        try record()
        let path = folder.url.appending(path: "t.gptrace")
        let before = try Data(contentsOf: path)
        let line = "ulimit -f 8; exec '\(Products.gameprof.path)' symbolicate t.gptrace"
        let result = try Command.run(URL(filePath: "/bin/bash"), ["-c", line], directory: folder.url)
        #expect(result.status == 4)
        #expect(result.error.contains("cannot be written"), "\(result.error)")
        #expect(try Data(contentsOf: path) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["Game", "t.gptrace"])
    }

    @Test("lines that another symbolizer than the toolchain's read, or none, are noted by doctor and report")
    func otherSymbolizer() throws {
        try put(Self.game)
        let own = try #require(
            (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/swiftc" }
                .first { FileManager.default.isExecutableFile(atPath: $0) })
        let symbolizer = URL(filePath: own).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "llvm-symbolizer")
        let tools = folder.url.appending(path: "tools")
        try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
        let variables = ["PATH": tools.path]
        for (sentence, word) in [("no llvm-symbolizer could be used", "not found"), ("no Swift toolchain", "no Swift")]
        {
            let doctor = try gameprof("doctor", environment: variables)
            #expect(doctor.output.contains(word), "\(doctor.output)")
            let leaks = try gameprof(
                "leaks", "--json", "l.json", "-o", "t.gptrace", program.path, environment: variables)
            let notes = try Report(json: folder.url.appending(path: "l.json")).capture.notes
            #expect(notes.contains { $0.contains(sentence) }, "\(leaks.error)")
            #expect(try report().capture.notes == notes)
            try? FileManager.default.createSymbolicLink(
                at: tools.appending(path: "llvm-symbolizer"), withDestinationURL: symbolizer)
        }
        let better = try gameprof("symbolicate", "t.gptrace")
        #expect(better.status == 0, "\(better.error)")
        #expect(try !report().capture.notes.contains { $0.contains("llvm-symbolizer") })
    }
}
