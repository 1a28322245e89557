import Foundation
import GameprofBasics
import GameprofReport
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

/// Input that cannot be used: one clear sentence, the exit code of the contract, nothing half-written.
@Suite struct BadInputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func gameprof(_ arguments: String...) throws -> CommandResult {
        try Command.run(Products.gameprof, arguments, directory: folder.url)
    }

    private func file(_ name: String, _ contents: [UInt8], mode: Int = 0o755) throws -> String {
        let url = folder.url.appending(path: name)
        try Data(contents).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
        return url.path
    }

    /// One line that begins with the tool's name and holds `words`.
    private func expect(_ result: CommandResult, status: Int32, _ words: String) {
        #expect(result.status == status)
        #expect(result.output.isEmpty)
        let lines = result.error.split(separator: "\n")
        #expect(lines.count == 1, "\(result.error)")
        #expect(result.error.hasPrefix("gameprof: ") && result.error.contains(words), "\(result.error)")
    }

    private var leftovers: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// What could not be printed was not reported.
    @Test func aFullStandardOutputIsAFailure() throws {
        let trace = folder.url.appending(path: "t.gptrace").path
        #expect(try gameprof("record", "--quiet", "-o", trace, "/bin/true").status == 0)
        let tool = Products.gameprof.path
        for command in ["report --text", "report --json -", "dump", "check --json -"] {
            let line = "exec '\(tool)' \(command) '\(trace)' >/dev/full"
            let result = try Command.run(URL(filePath: "/bin/sh"), ["-c", line], directory: folder.url)
            expect(result, status: 4, "Standard output cannot be written: no space left on device.")
        }
    }

    @Test func aNameThatIsNotUTF8IsRefusedInsteadOfChanged() throws {
        let line = "exec '\(Products.gameprof.path)' record -o \"$(printf 'a\\377.gptrace')\" /bin/true"
        let result = try Command.run(URL(filePath: "/bin/sh"), ["-c", line], directory: folder.url)
        expect(result, status: 2, "its name is not UTF-8")
        #expect(try leftovers.isEmpty)
    }

    @Test func aProgramThatDoesNotExistIsNotStarted() throws {
        expect(try gameprof("leaks", "/nonexistent/game"), status: 3, "/nonexistent/game does not exist")
        expect(try gameprof("leaks", "no-such-game"), status: 3, "does not exist on the search path")
        #expect(try leftovers.isEmpty)
    }

    @Test func whatIsNoProgramIsNotStarted() throws {
        expect(try gameprof("leaks", folder.url.path), status: 3, "is a folder")
        let data = try file("data", Array("neither ELF nor script".utf8))
        expect(try gameprof("leaks", data), status: 3, "is not a program")
        let plain = try file("plain", Array("#!/bin/sh\n".utf8), mode: 0o644)
        expect(try gameprof("leaks", plain), status: 3, "is not executable")
        let core = try file("core.77", Array("neither ELF nor script".utf8), mode: 0o600)
        expect(try gameprof("leaks", core), status: 2, "is not a core file.")
        let circle = try file("circle", Array("#!\(folder.url.path)/circle\n".utf8))
        expect(try gameprof("leaks", circle), status: 3, "chain of interpreter scripts is too long")
        try #require(mkfifo(folder.url.appending(path: "fifo").path, 0o755) == 0)
        let fed = try file("fed", Array("#!\(folder.url.path)/fifo\n".utf8))
        expect(try gameprof("leaks", fed), status: 3, "fifo cannot be read: it is not a regular file.")
        let lonely = try file("lonely", Array("#!/nonexistent/interpreter\n".utf8))
        expect(try gameprof("leaks", lonely), status: 3, "interpreter /nonexistent/interpreter cannot be run")
    }

    @Test func aCutProgramOrOneOfAnotherMachineIsNotStarted() throws {
        var program = Array(try Data(contentsOf: URL(filePath: "/bin/true")))
        expect(try gameprof("leaks", try file("cut", Array(program[..<40]))), status: 3, "is not a program")
        program[18] = 8
        expect(try gameprof("leaks", try file("mips", program)), status: 3, "another processor")
        program[4] = 1
        expect(try gameprof("leaks", try file("small", program)), status: 3, "not a 64-bit program")
    }

    @Test func aSetuidProgramIsSentToTheLinkedRecorder() throws {
        let program = try file("root", Array(try Data(contentsOf: URL(filePath: "/bin/true"))), mode: 0o4755)
        expect(try gameprof("leaks", program), status: 3, "Instrumentation product")
    }

    @Test func aFullyStaticProgramIsSentToTheLinkedRecorder() throws {
        let source = try file("static.c", Array("int main(void) { return 0; }".utf8))
        let program = folder.url.appending(path: "static").path
        let compiled = try Command.run(URL(filePath: "/usr/bin/env"), ["clang", "-static", source, "-o", program])
        try #require(compiled.status == 0, "\(compiled.error)")
        expect(try gameprof("leaks", program), status: 3, "fully static")
    }

    @Test func anUnwritablePlaceIsRefusedBeforeTheProgramRuns() throws {
        let witness = folder.url.appending(path: "ran").path
        for option in ["--html", "--json", "--output"] {
            let result = try gameprof("leaks", option, "/nonexistent/folder/file", "/usr/bin/touch", witness)
            expect(result, status: 2, "the folder /nonexistent/folder does not exist")
            expect(try gameprof("leaks", option, folder.url.path, "/usr/bin/touch", witness), status: 2, "is a folder")
        }
        #expect(try leftovers.isEmpty)
    }

    @Test func aMissingSuppressionFileIsRefusedBeforeTheProgramRuns() throws {
        let witness = folder.url.appending(path: "ran").path
        let result = try gameprof("leaks", "--json", "-", "--suppressions", "absent.yml", "/usr/bin/touch", witness)
        expect(result, status: 2, "absent.yml")
        #expect(try leftovers.isEmpty)
    }

    @Test func whatIsNoTraceIsRefused() throws {
        for command in ["dump", "report"] {
            expect(try gameprof(command, "absent.gptrace"), status: 2, "no such file")
            expect(try gameprof(command, try file("text", Array("hello".utf8))), status: 2, "is not a gameprof trace")
            expect(try gameprof(command, folder.url.path), status: 2, "it is a folder")
        }
    }

    @Test func aTraceOfANewerVersionIsRefusedNamingBoth() throws {
        var builder = TraceBuilder()
        builder.version = 77
        let result = try gameprof("report", try file("new.gptrace", builder.bytes()))
        expect(result, status: 2, "version 77")
        #expect(result.error.contains("version \(TraceHeader.currentVersion)"))
    }

    @Test func aCutTraceIsReadAsFarAsItGoes() throws {
        var builder = TraceBuilder()
        for size in 1...100 { builder.allocate(UInt64(size)) }
        let cut = try file("cut.gptrace", Array(builder.bytes()[..<(65_536 + 32 + 16 * 40 + 3)]))
        let dump = try gameprof("dump", cut)
        #expect(dump.status == 4)
        #expect(dump.output.split(separator: "\n").count == 41)
        #expect(dump.error == "gameprof: The trace is cut off; it was read up to its last whole record.\n")
        #expect(try gameprof("report", "--json", "-", cut).status == 4)
    }

    @Test func aTraceDamagedAtRandomBytesNeverCrashesTheTool() throws {
        var builder = TraceBuilder()
        builder.append(.program(ProgramRecord(executable: "/bin/game")))
        let type = builder.type("Game.Card")
        let stack = builder.stack(0x100, 0x200)
        for size in 1...50 { builder.allocate(UInt64(size), at: stack) }
        builder.beginSnapshot()
        let card = builder.object(type, component: 1, stack: stack)
        builder.reference(from: card, to: card, "next")
        builder.endSnapshot(unreachable: 1, bytes: 32)
        let sound = builder.bytes()
        var random = SeededGenerator(state: 18)
        var statuses: Set<Int32> = []
        for _ in 0..<30 {
            var bytes = sound
            let places = (0..<4).map { _ in Int.random(in: 65_568..<67_000, using: &random) }
            for place in places { bytes[place] = UInt8.random(in: 0...255, using: &random) }
            let result = try gameprof("report", "--json", "-", try file("damaged.gptrace", bytes))
            let report = try JSONReport.read(result.output)
            // The contract: findings are 1, what is not whole is 4.
            let lacksHeap = report.heap == nil && report.capture.instruments.contains(.leaks)
            let isWhole = !lacksHeap && !report.capture.truncated && report.capture.dropped == 0
            #expect(
                result.status == (!report.errors.isEmpty ? 1 : isWhole ? 0 : 4),
                "bytes changed at \(places): \(result.error)")
            statuses.insert(result.status)
        }
        #expect(statuses.count > 1, "nothing was damaged")
    }

    @Test func anAbsurdNumberOfATypeAsksForNoMemory() throws {
        var builder = TraceBuilder()
        builder.beginSnapshot()
        let lost = builder.object(TypeID(0xf000_0001), component: 1, stack: .none)
        builder.reference(from: lost, to: lost, "next")
        builder.endSnapshot(unreachable: 1, bytes: 32)
        let trace = try file("absurd.gptrace", builder.bytes())
        // In bytes: a table of as many types would take 32 GB.
        let line = "ulimit -v 4000000; exec '\(Products.gameprof.path)' report --json - '\(trace)'"
        let result = try Command.run(URL(filePath: "/bin/sh"), ["-c", line], directory: folder.url)
        #expect(result.status == 1, "\(result.error)")
        let report = try JSONReport.read(result.output)
        #expect(report.errors.map(\.kind) == [.rawLeak])
    }

    @Test func aFullDiskLeavesNothingUnderTheFinalName() throws {
        let trace = try file("a.gptrace", TraceBuilder().bytes())
        let result = try gameprof("report", "--quiet", "--json", "/dev/full", trace)
        expect(result, status: 4, "no space left on device")
    }

    @Test("a mistyped trace is never searched on the search path")
    func mistypedTrace() throws {
        let report = try file("u.json", Array("{}".utf8))
        for words in [["missing.gptrace", "u.json"], ["u.json", "missing.gptrace"], ["a.txt", "b.txt"]] {
            let other = try #require(words.first { !$0.hasSuffix(".gptrace") })
            let result = try gameprof("heap", "diff", words[0], words[1])
            expect(result, status: 2, "heap diff compares traces, and \(other) is none.")
        }
        for name in ["u.json", "t.gptrace", "page.html", "budget.yml"] {
            expect(try gameprof("leaks", name), status: 2, "\(name) is not a program; write ./\(name)")
        }
        expect(try gameprof("check", "missing.json"), status: 2, "missing.json is not a program")
        #expect(try leftovers == [URL(filePath: report).lastPathComponent])
    }

    @Test("a program with the name of a command needs -- in front of it")
    func nameOfACommand() throws {
        expect(try gameprof("leaks", "test", "x"), status: 2, "test is a gameprof command; write -- before it")
        #expect(try gameprof("leaks", "--quiet", "--json", "r.json", "--", "test", "x").status == 0)
    }

    @Test("without a place for the page the text is the report, and the page is among the temporary files")
    func noPlaceForThePage() throws {
        for quiet in [["--quiet"], []] {
            // Not even root makes a folder there.
            let result = try Command.run(
                Products.gameprof, ["leaks"] + quiet + ["--", "/bin/true"], environment: ["TMPDIR": folder.url.path],
                directory: URL(filePath: "/proc"))
            #expect(result.status == 0)
            #expect(result.error.contains("the folder Reports cannot be made"), "\(result.error)")
            #expect(result.error.contains("No leaks among") == quiet.isEmpty)
            let page = try #require(result.error.firstMatch(of: /Report: (\/\S+-leaks.html)\n/)?.output.1)
            #expect(page.hasPrefix(folder.url.path) && FileManager.default.fileExists(atPath: String(page)))
        }
    }

    @Test("what cannot be joined is named with the reason")
    func badPartsOfAMerge() throws {
        #expect(try gameprof("leaks", "--quiet", "--json", "r.json", "/bin/true").status == 0)
        _ = try file("empty.json", [])
        _ = try file("other.json", Array("[1]".utf8))
        for files in [["empty.json", "r.json"], ["empty.json"]] {
            expect(try gameprof("merge", files[0], files.last!), status: 2, "empty.json is empty.")
        }
        expect(
            try gameprof("merge", "r.json", "other.json"), status: 2,
            "other.json is not a trace, a report or a result of gameprof check.")
    }

    @Test(
        "a number that nothing counts is refused",
        arguments: ["9223372036854775807", "18446744073709551615", "-9223372036854775808", "1e300"])
    func numberBeyondAllCounts(number: String) throws {
        #expect(try gameprof("allocations", "--quiet", "--json", "r.json", "/bin/ls").status == 0)
        let text = try String(contentsOf: folder.url.appending(path: "r.json"), encoding: .utf8)
        for field in ["omittedTypes", "allocations", "wallSeconds"] {
            let changed = text.replacing(
                try Regex("\"\(field)\":[0-9.e-]+"), with: "\"\(field)\":\(number)")
            for name in ["a.json", "b.json"] { _ = try file(name, Array(changed.utf8)) }
            expect(
                try gameprof("merge", "--quiet", "--output", "m.json", "a.json", "b.json"), status: 2,
                "a.json: The number \(number) is not valid in a report.")
        }
    }

    @Test("a sum that is too large for a report is refused")
    func sumBeyondAllCounts() throws {
        #expect(try gameprof("allocations", "--quiet", "--json", "r.json", "/bin/ls").status == 0)
        let text = try String(contentsOf: folder.url.appending(path: "r.json"), encoding: .utf8)
        let changed = text.replacing(try Regex("\"bytes\":[0-9]+"), with: "\"bytes\":1000000000000000000")
        let names = (1...30).map { "\($0).json" }
        for name in names { _ = try file(name, Array(changed.utf8)) }
        let result = try Command.run(Products.gameprof, ["merge", "--quiet"] + names, directory: folder.url)
        expect(result, status: 2, "a sum of their numbers is out of range")
    }

    @Test func wrongUsageIsTwo() throws {
        for arguments in [["frobnicate"], ["leaks"], ["leaks", "--frobnicate", "/bin/true"], ["dump"]] {
            let result = try Command.run(Products.gameprof, arguments, directory: folder.url)
            #expect(result.status == 2, "\(arguments)")
            #expect(result.output.isEmpty)
        }
        #expect(try gameprof("--help").status == 0)
    }
}

/// SplitMix64: the same numbers in every run.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
