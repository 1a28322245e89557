import Foundation
import Testing

@testable import GameprofAnalysis

/// Handlers that run on alternate stacks of their own, with little room.
@Suite struct SignalStackTests {
    private let folder: TemporaryFolder
    private let program: URL

    /// Bound at load, as the dynamic linker needs room as well.
    init() throws {
        folder = try TemporaryFolder()
        program = try CProgram.compile("SignalStacks.c", flags: ["-Wl,-z,now"])
    }

    private func record(_ instrument: String, _ way: String, options: [String] = []) throws -> CommandResult {
        try Command.run(
            Products.gameprof, [instrument, "--quiet", "--json", "r.json"] + options + ["--", program.path, way],
            directory: folder.url)
    }

    /// `nested`: a handler that faults itself until its stack is full; `once`: one that calls what handlers may call;
    /// `busy`: one that is interrupted where there is no room for another signal.
    @Test(
        arguments: ["zombies", "time", "leaks", "allocations", "files"], [("nested", 0), ("once", 42), ("busy", 43)])
    func `a handler has as much room on its alternate stack as without the recorder`(
        instrument: String, way: (name: String, status: Int32)
    ) throws {
        let alone = try Command.run(program, [way.name])
        #expect(alone.status == way.status && !alone.output.isEmpty)
        let recorded = try record(instrument, way.name, options: ["--propagate-exit"])
        #expect(recorded.output == alone.output)
        #expect(recorded.status == alone.status, "\(recorded.error)")
    }

    /// Where the recorder's memory lay below a stack, the kernel found room there for the handler's frame.
    @Test(arguments: ["zombies", "time", "leaks", "allocations", "files"], [["0"], ["3"], ["3", "alternate"]])
    func `a full stack without an alternate one ends the program as without the recorder`(
        instrument: String, arguments: [String]
    ) throws {
        let full = try CProgram.compile("FullStack.c", flags: ["-pthread"])
        #expect(try Command.run(full, arguments).status == -SIGSEGV)
        let recorded = try Command.run(
            Products.gameprof, [instrument, "--quiet", "--propagate-exit", "--", full.path] + arguments,
            directory: folder.url)
        #expect(recorded.status == 128 + SIGSEGV, "\(recorded.error)")
    }

    @Test("a full stack of a thread that allocated nothing is told") func fullStack() throws {
        let full = try CProgram.compile("FullStack.c", flags: ["-pthread"])
        for _ in 0..<3 {
            let run = try RecordedReport.leaks(of: full, ["0", "alternate", "none"])
            #expect(run.report.crash?.stackOverflow == true && run.report.heap != nil, "\(run.error)")
        }
    }

    @Test func `what a program holds is no leak where it ends in a handler with little room`() throws {
        #expect(try record("leaks", "holding").status == 1)
        let report = try Report(json: folder.url.appending(path: "r.json"))
        #expect(report.findings.map(\.bytes) == [555])
    }
}
