import Foundation
import Testing

@testable import GameprofAnalysis

/// The types of what lives when a program ends without a heap snapshot.
@Suite struct CrashTypesTests {
    private let folder: TemporaryFolder
    private let program: URL

    init() throws {
        folder = try TemporaryFolder()
        program = try SwiftProgram.compile(script: "Ended.swift", module: "Ended", build: .onone)
    }

    /// Records the program, which runs without Swift's own crash reporter unless `reports`.
    private func record(
        _ arguments: [String], options: [String] = [], reports: Bool = false
    ) throws -> (report: Report, result: CommandResult) {
        let result = try Command.run(
            Products.gameprof, ["allocations", "--json", "r.json"] + options + ["--", program.path] + arguments,
            environment: ["SWIFT_BACKTRACE": reports ? "enable=yes,color=no" : "enable=no"], directory: folder.url)
        return (try Report(json: folder.url.appending(path: "r.json")), result)
    }

    private func living(_ type: String, in report: Report) -> UInt64? {
        report.allocations?.byType.first { $0.type == type }.map { UInt64($0.counts.liveCount) }
    }

    @Test(
        "what lives when a signal ends the program has its type",
        arguments: [
            (["abort"], SIGABRT), (["fatal"], SIGILL), (["segv"], SIGSEGV), (["free"], SIGABRT), (["thread"], SIGABRT),
            (["reraise"], SIGABRT), (["raise", "7"], SIGBUS), (["raise", "8"], SIGFPE),
        ])
    func signal(arguments: [String], signal: Int32) throws {
        let (report, result) = try record(arguments)
        #expect(result.status == 4, "\(result.error)")
        #expect(report.target.exit?.signal == Int(signal))
        #expect(living("Ended.Card", in: report) == 1000)
        #expect(living("Ended.Deck<Swift.Int>", in: report) == 10)
    }

    @Test("what lives when abort() meets a crash reporter has its type", arguments: ["abort", "fatal"])
    func crashReporter(way: String) throws {
        let (report, result) = try record([way], reports: true)
        #expect(result.status == 4, "\(result.error)")
        #expect(living("Ended.Card", in: report) == 1000)
    }

    @Test("a damaged heap costs the types of the damaged objects and no more")
    func damagedHeap() throws {
        let (report, result) = try record(["damage"])
        #expect(result.status == 4, "\(result.error)")
        #expect(report.target.exit?.signal == Int(SIGABRT))
        #expect(living("Ended.Card", in: report) == 990)
    }

    @Test("sampled blocks that live when a signal ends the program have their types")
    func sampled() throws {
        let report = try record(["abort"], options: ["--sample", "256"]).report
        #expect(living("Ended.Card", in: report) ?? 0 > 100)
    }

    @Test("a child made by fork that aborts ends by its signal and changes nothing")
    func child() throws {
        let (report, result) = try record(["fork"])
        #expect(result.output == "child 6\n" && result.status == 0, "\(result.error)")
        #expect(living("Ended.Card", in: report) == 1000)
    }

    @Test("the program sees the default actions of the signals that end it")
    func actions() throws {
        let (_, result) = try record(["actions"])
        #expect(result.output == String(repeating: "true 0\n", count: 5))
    }

    @Test(
        "the program sees its own handlers of signals, and the alternate stack that it set",
        arguments: ["actions", "alternate stack"])
    func handlers(way: String) throws {
        for backtrace in ["no", "yes"] {
            let environment = ["SWIFT_BACKTRACE": "enable=\(backtrace)"]
            let alone = try Command.run(program, [way], environment: environment)
            let recorded = try Command.run(
                Products.gameprof, ["leaks", "--quiet", "--", program.path, way], environment: environment,
                directory: folder.url)
            #expect(alone.status == 0 && recorded.output == alone.output)
        }
    }

    @Test("a stack that overflows ends the program by its signal")
    func overflow() throws {
        let (report, result) = try record(["overflow"])
        #expect(result.status == 4 && report.target.exit?.signal == Int(SIGSEGV), "\(result.error)")
    }

    @Test("what lives at the end under another malloc has its type")
    func otherMalloc() throws {
        let library = try CProgram.compile(
            "OtherMalloc.c", name: "libother.so", flags: ["-shared", "-fPIC", "-DLIBRARY"])
        let trace = folder.url.appending(path: "t.gptrace").path
        let result = try Command.run(
            Products.gameprof,
            [
                "record", "--quiet", "--instruments", "allocations", "-o", trace, "--", "/usr/bin/env",
                "LD_PRELOAD=\(library.path)", program.path,
            ])
        #expect(result.status == 0, "\(result.error)")
        let dump = try Command.run(Products.gameprof, ["dump", trace]).output
        #expect(dump.contains(#/live-type type=\d+ stack=\d+ count=1000 /#))
    }
}
