import CTraceFormat
import Foundation
import GameprofTestSupport
import RecorderLibrary
import Testing

@Suite struct RecorderTests {
    private func trace(_ arguments: String..., status: Int32 = 0, signal: Bool = false) throws -> RecorderTrace {
        let run = try RecorderRun(arguments)
        #expect(run.ending.status == status)
        #expect(run.ending.signal == signal)
        return try run.read()
    }

    @Test func countsOfFourThreadsAreExact() throws {
        let trace = try trace("threads")
        #expect(trace.allocations[1001] == 4000)
        #expect(trace.frees[1001] == nil)
        #expect(trace.allocations[1002] == 2000)
        #expect(trace.frees[1002] == 2000)
        #expect(trace.threads.values.filter { $0 == 1500 }.count == 4)
        #expect(trace.isFinished && !trace.hasSpool && trace.dropped == 0)
    }

    @Test func twoThousandThreadsShareAFewChunks() throws {
        let run = try RecorderRun(["churn"])
        let trace = try run.read()
        #expect(trace.allocations[1003] == 2000)
        #expect(trace.frees[1004] == 2000)
        #expect(trace.threads.count == 2001)
        let bytes = try FileManager.default.attributesOfItem(atPath: run.trace.path)[.size] as? Int ?? .max
        #expect(bytes < 8 << 20)
    }

    @Test func aFunctionMayKeepAnyNumberWhereOthersHaveTheirFramePointer() throws {
        #expect(try trace("numbers").allocations[1019] == 12)
    }

    @Test func allocationsOfThreadDestructorsAreRecorded() throws {
        #expect(try trace("teardown").allocations[1005] == 400)
    }

    @Test func aKilledProgramKeepsWhatWasRecorded() throws {
        let trace = try trace("kill", status: SIGKILL, signal: true)
        #expect(trace.allocations[1006] == 5000)
        #expect(!trace.isFinished && trace.hasSpool)
    }

    @Test func anAbortedProgramKeepsWhatWasRecorded() throws {
        #expect(try trace("abort", status: SIGABRT, signal: true).allocations[1006] == 5000)
    }

    @Test(arguments: ["return", "exit-thread", "exit-threads", "_exit", "quick_exit"])
    func everyExitFinishesTheTrace(how: String) throws {
        let trace = try trace(how, status: 7)
        #expect(trace.allocations[1006] == 100)
        #expect(trace.isFinished && !trace.hasSpool)
        #expect(trace.exitStatus == (how == "quick_exit" ? nil : 7))
    }

    @Test func childrenOfForkAndVforkAreNotRecorded() throws {
        let trace = try trace("fork", status: 3)
        #expect(trace.allocations[1007] == 20)
        #expect(trace.isFinished && trace.exitStatus == 3)
    }

    @Test func aProgramThatClosesAllDescriptorsIsRecorded() throws {
        let run = try RecorderRun(["close"])
        #expect(run.ending == (try RecorderRun(["close"], recorded: false)).ending)
        let trace = try run.read()
        #expect(trace.allocations[1008] == 20000)
        #expect(trace.frees[1009] == 20000)
        #expect(trace.isFinished)
    }

    @Test func aFullDiskStopsTheTraceAndNotTheProgram() throws {
        let run = try RecorderRun(["limited"])
        #expect(run.ending == (try RecorderRun(["limited"], recorded: false)).ending)
        let trace = try run.read()
        #expect(!trace.isFinished && trace.hasSpool)
        let stored = (trace.allocations[1010] ?? 0) + (trace.allocations[1011] ?? 0)
        let freed = (trace.frees[1010] ?? 0) + (trace.frees[1011] ?? 0)
        #expect(stored > 10000)
        #expect(stored + freed + Int(trace.dropped) >= 200000)
    }

    @Test(
        "a file size limit brings the program no signal of the recorder's",
        arguments: [
            ["limited-at-end", "4096"], ["limited-at-end", "180000"], ["limited-with-signal"],
            ["limited-without-signal"],
        ])
    func sizeLimit(how: [String]) throws {
        let run = try RecorderRun(how)
        #expect(run.ending == (try RecorderRun(how, recorded: false)).ending)
        let trace = try run.read()
        #expect(!trace.isFinished && trace.hasSpool)
    }

    @Test("the system calls that the recorder makes are documented")
    func systemCalls() throws {
        let root = Repository.root
        let page = try String(contentsOf: root.appending(path: "Documentation/SystemCalls.md"), encoding: .utf8)
        var missing: Set<String> = []
        let sources = root.appending(path: "Sources/Recorder")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var found = 0
        for case let file as URL in files where ["c", "h"].contains(file.pathExtension) {
            // Numbers of calls that the program makes are no calls of the recorder.
            let text = try String(contentsOf: file, encoding: .utf8).replacing(/(?:case|#ifdef) SYS_\w+/, with: "")
            for call in text.matches(of: /(?:gp_system\(|\bSYS_)([a-z][a-z0-9_]*)/).map({ String($0.1) })
            where call != "number" {
                found += 1
                if !page.contains("`\(call)`") { missing.insert(call) }
            }
        }
        #expect(found > 100)
        #expect(missing.isEmpty)
    }

    @Test("a program that forbids itself to ask for limits is recorded")
    func filtered() throws {
        let trace = try trace("filtered", status: 7)
        #expect(trace.allocations[1006] == 50000)
        #expect(trace.isFinished)
    }

    @Test("a trace at its maximum size takes no more events, and the program runs on")
    func maximumSize() throws {
        let run = try RecorderRun(["many"], variables: ["GAMEPROF_MAX_TRACE_SIZE": "1M"])
        #expect(run.ending == (try RecorderRun(["many"], recorded: false)).ending)
        let trace = try run.read()
        let stored = trace.allocations[1006] ?? 0
        #expect(stored > 20000 && stored + Int(trace.dropped) >= 200000)
        #expect(trace.stopped == GP_STOPPED_BY_SIZE)
        // What the end brings is written all the same.
        #expect(trace.exitStatus == 7)
        let bytes = try FileManager.default.attributesOfItem(atPath: run.trace.path)[.size] as? Int ?? .max
        #expect(bytes < 2 << 20)
        #expect(try RecorderRun(["many"], variables: ["GAMEPROF_MAX_TRACE_SIZE": "0"]).read().dropped == 0)
    }

    @Test func whatStandsInTheTracesPlaceAndIsNoFileOfItsOwnStays() throws {
        let files = FileManager.default
        let linked = try RecorderRun(["aligned"]) {
            try files.createSymbolicLink(at: $0, withDestinationURL: URL(filePath: "/dev/null"))
        }
        #expect(try files.destinationOfSymbolicLink(atPath: linked.trace.path) == "/dev/null")
        let piped = try RecorderRun(["aligned"]) { #expect(mkfifo($0.path, 0o600) == 0) }
        #expect(files.fileExists(atPath: piped.trace.path))
        for run in [linked, piped] {
            #expect(run.ending == (try RecorderRun(["aligned"], recorded: false)).ending)
            try files.removeItem(at: run.trace)
            try files.removeItem(at: URL(filePath: run.trace.path + ".error"))
        }
    }

    @Test func aReallocationIsAFreeAndAnAllocation() throws {
        let trace = try trace("realloc")
        for size in [1012, 1013, 200000, 1015, 1016] {
            #expect(trace.allocations[size] == 1, "\(size)")
            #expect(trace.frees[size] == 1, "\(size)")
        }
    }

    @Test("blocks that come and go in one place are all counted, however they are made and freed")
    func repeatedBlocksAreAllCounted() throws {
        let run = try RecorderRun(["repeats"])
        let counts = run.ending.output.split(whereSeparator: \.isWhitespace).map { Int($0) }
        let trace = try run.read()
        #expect(counts.count == 2 && trace.allocations[1031] == counts[0] && trace.frees[1031] == counts[0])
        #expect(trace.allocations[1032] == counts.last && trace.frees[1032] == counts.last)
    }

    @Test func everyMemberOfTheFamilyIsRecorded() throws {
        let trace = try trace("aligned")
        #expect(trace.allocations[1017] == 5)
        #expect(trace.allocations[4096] == 1)
    }

    @Test func theSignalMaskReadsAsItWasSet() throws {
        #expect(try trace("mask").isFinished)
    }

    @Test func theProgramSeesTheSurroundingsOfABareRun() throws {
        let arguments = ["surroundings", "two words", ""]
        let bare = try RecorderRun(arguments, recorded: false, variables: ["A": "1"])
        let recorded = try RecorderRun(arguments, variables: ["A": "1"])
        #expect(
            recorded.ending.output.split(separator: "\n").sorted()
                == bare.ending.output.split(separator: "\n").sorted())
        #expect(recorded.ending.errors == bare.ending.errors)
        #expect(recorded.ending.status == bare.ending.status)
        #expect(try recorded.read().strings.dropFirst(2) == ["surroundings", "two words"])
    }

    @Test func theUsersOwnPreloadStays() throws {
        let variables = ["LD_PRELOAD": "libm.so.6:libdl.so.2"]
        let recorded = try RecorderRun(["surroundings"], variables: variables)
        #expect(recorded.ending.output.contains("LD_PRELOAD=libm.so.6:libdl.so.2\n"))
    }

    @Test func theLibraryNeedsLibcAlone() throws {
        let library = try #require(RecorderLibrary.url)
        let bytes = try Data(contentsOf: library)
        for absent in ["libswiftCore", "libstdc++", "libunwind.so", "libpthread", "libgcc_s"] {
            #expect(bytes.range(of: Data("\(absent)\0".utf8)) == nil, "\(absent)")
        }
        #expect(bytes.range(of: Data("libc.so.6\0".utf8)) != nil)
    }
}
