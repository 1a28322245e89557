import Foundation
import Testing

@testable import GameprofAnalysis

/// What a report says of a program that a fault ended: how it crashed, and what it had lost by then.
@Suite struct CrashTests {
    struct Way: CustomStringConvertible {
        var argument: String
        var signal: Int32
        var said: String?
        var isMain = true
        var lost = 5
        var address: String?

        var description: String { argument }
    }

    private static let ways = [
        Way(argument: "index", signal: SIGILL, said: "Index out of range"),
        Way(argument: "nil", signal: SIGILL, said: "Unexpectedly found nil"),
        Way(argument: "write", signal: SIGSEGV, address: "0x0000000000000010"),
        Way(argument: "stale", signal: SIGSEGV, lost: 6, address: "0x0000000000000010"),
        Way(argument: "escape", signal: SIGABRT, said: "deallocated with non-zero retain count"),
        Way(argument: "descriptors", signal: SIGILL, said: "Index out of range"),
        Way(argument: "thread", signal: SIGILL, said: "Index out of range", isMain: false),
    ]

    private static func program(_ name: String, _ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["\(name).swift", "LostCards.swift"], module: name, build: build)
    }
    /// With and without the handler of the runtime's that prints a backtrace.
    private static let backtraces = ["no", "yes"].map { ["SWIFT_BACKTRACE": "enable=\($0)"] }

    @Test(arguments: ways, SwiftProgram.Build.usual)
    func `a crash is told with its stack and message, and what was lost by then is found`(
        _ way: Way, in build: SwiftProgram.Build
    ) throws {
        let program = try Self.program("Crashing", build)
        for environment in Self.backtraces {
            let run = try RecordedReport.leaks(of: program, [way.argument], environment: environment)
            let crash = try #require(run.report.crash, "\(run.error)")
            #expect(run.status == 1 && run.report.target.exit?.signal == Int(way.signal))
            #expect(crash.signal == Int(way.signal) && (crash.thread == "main") == way.isMain)
            let functions = crash.stack?.frames.map(\.function) ?? []
            #expect(functions.contains { $0.contains("crash(_:holding:in:)") }, "\(functions)")
            if let said = way.said { #expect(crash.message?.contains(said) == true, "\(crash.message ?? "nothing")") }
            #expect(way.signal != SIGSEGV || crash.address == way.address && crash.stackOverflow == nil)
            let findings = run.report.findings.filter { $0.kind != .zombie }
            #expect(findings.map(\.kind) == [.retainCycle] && findings.first?.count == way.lost, "\(run.error)")
            #expect(findings.first?.objects == ["Crashing.Card": 2 * way.lost])
        }
    }

    @Test(
        arguments: [
            ("escape", "Janitor.closing"), ("into a global", "Janitor.last"), ("into a dictionary", "Janitor.byNumber"),
        ], SwiftProgram.Build.usual)
    func `an object that escapes its deinit is a zombie, with what keeps it and where it died`(
        _ way: (argument: String, holder: String), in build: SwiftProgram.Build
    ) throws {
        let program = try Self.program("Crashing", build)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "r.json")
        for instrument in ["zombies", "leaks"] {
            for environment in Self.backtraces {
                let result = try Command.run(
                    Products.gameprof, [instrument, "--json", json.path, "--", program.path, way.argument],
                    environment: environment)
                let report = try Report(json: json)
                let zombies = report.findings.filter { $0.kind == .zombie }
                let zombie = try #require(zombies.first, "\(result.error)")
                #expect(result.status == 1 && report.target.exit?.signal == Int(SIGABRT) && zombies.count == 1)
                #expect(zombie.type == "Crashing.Session" && zombie.severity == .error)
                #expect(zombie.title == "Zombie: Session escaped from its deinit into \(way.holder)")
                #expect(zombie.heldBy?.contains { $0.hasPrefix(way.holder) } == true, "\(zombie.heldBy ?? [])")
                let stacks = [zombie.deallocatedBy, zombie.allocatedBy].map { $0?.frames.map(\.function) ?? [] }
                // An optimised deinit jumps into the runtime, and its frame is gone.
                let hasDeinit = stacks[0].contains { $0.hasPrefix("Session.") && $0.hasSuffix("deinit") }
                #expect(hasDeinit || build == .optimised, "\(stacks)")
                #expect(stacks.allSatisfy { $0.contains { $0.contains("crash(_:holding:in:)") } }, "\(stacks)")
            }
        }
    }

    @Test(
        arguments: ["top", "unsorted", "cache", "double", "invalid", "twice", "leaked", "leaked, then a fault"],
        SwiftProgram.Build.usual)
    func `malloc that meets a damaged heap and a continuation's misuse end a program as ever`(
        _ way: String, in build: SwiftProgram.Build
    ) throws {
        let program = try Self.program("Damaged", build)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "r.json")
        for environment in Self.backtraces {
            let alone = try Command.run(program, [way], environment: environment)
            let result = try Command.run(
                Products.gameprof, ["leaks", "--json", json.path, "--", program.path, way], environment: environment)
            #expect(result.output == alone.output)
            let report = try Report(json: json)
            #expect(report.target.exit == (alone.status < 0 ? .init(signal: Int(-alone.status)) : .init(code: 0)))
            #expect((report.crash?.message?.contains("more than once") ?? false) == (way == "twice"))
            #expect(report.capture.notes.contains { $0.contains("continuation leaked") } == way.hasPrefix("leaked"))
            #expect((report.crash != nil) == (alone.status < 0), "\(result.error)")
            #expect(report.findings.filter { $0.kind == .retainCycle }.map(\.count) == [5], "\(result.error)")
        }
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `a stack that overflows is told as that, and what was lost by then is found`(
        in build: SwiftProgram.Build
    ) throws {
        let program = try Self.program("Crashing", build)
        for (environment, way) in Self.backtraces.flatMap({ [($0, "overflow"), ($0, "full thread")] }) {
            let run = try RecordedReport.leaks(of: program, [way], environment: environment)
            let crash = try #require(run.report.crash, "\(run.error)")
            // Swift's backtracer has a stack of its own on the main thread alone.
            if way == "full thread" { #expect(!run.error.contains("Program crashed")) }
            #expect(run.report.target.exit?.signal == Int(SIGSEGV) && crash.stackOverflow == true)
            #expect((500..<1_000_000).contains(crash.calls ?? 0), "\(crash.calls ?? 0)")
            #expect(crash.stack?.frames.contains { $0.function.contains("crash(_:holding:in:)") } == true)
            // Where the recursion began.
            let first = way == "overflow" ? "static Program.main()" : "closure #1 in crash(_:holding:in:)"
            let functions = Set(crash.stack?.telling.map(\.function) ?? [])
            #expect(functions.contains(first), "\(functions)")
            let findings = run.report.findings
            #expect(findings.map(\.kind) == [.retainCycle] && findings.first?.count == 5, "\(run.error)")
        }
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `what Swift's backtracer reads of dead objects is no use of theirs`(in build: SwiftProgram.Build) throws {
        let program = try Self.program("Crashing", build)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "r.json")
        for way in ["index", "nil", "thread"] {
            let result = try Command.run(
                Products.gameprof, ["zombies", "--json", json.path, "--", program.path, way],
                environment: Self.backtraces[1])
            let report = try Report(json: json)
            #expect(report.crash != nil && report.findings.isEmpty, "\(result.error)")
        }
    }

    @Test func `a program whose time is recorded tells its crash too`() throws {
        let program = try Self.program("Crashing", .onone)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "r.json")
        _ = try Command.run(Products.gameprof, ["time", "--json", json.path, "--", program.path, "index"])
        #expect(try Report(json: json).crash?.message?.contains("Index out of range") == true)
    }
}
