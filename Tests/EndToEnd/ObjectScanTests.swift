import Foundation
import Testing

@testable import GameprofAnalysis

/// Processes and core files of programs with another malloc than glibc's, which nobody recorded.
@Suite struct ObjectScanTests {
    private static func report(_ arguments: [String], status: Int32 = 1) throws -> Report {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(Products.gameprof, arguments + ["--quiet", "--json", json.path])
        #expect(result.status == status, "\(result.error)")
        return try Report(json: json)
    }

    /// Objects of a module's types, living and lost.
    private static func counts(_ report: Report, of module: String) -> [String: Int] {
        var result: [String: Int] = [:]
        for row in report.liveHeap?.types ?? [] { result[row.type, default: 0] += row.count }
        for finding in report.findings {
            for (type, count) in finding.objects { result[type, default: 0] += count }
        }
        return result.filter { $0.key.hasPrefix(module + ".") }
    }

    @Test(
        "a process and its core file have the same objects and lost cycles as with glibc's malloc",
        arguments: OtherAllocatorTests.libraries, SwiftProgram.Build.usual)
    func sameObjects(library: String, build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(files: ["Waiting.swift"], module: "Waiting", build: build)
        let plain = try WaitingProgram(program)
        let expected = try Self.report(["heap", "--pid", plain.pid])
        let waiting = try WaitingProgram(program, preload: library)
        let running = try Self.report(["heap", "--pid", waiting.pid])
        let outlook = try Command.run(Products.gameprof, ["doctor", waiting.pid])
        #expect(outlook.status == 0 && outlook.output.contains("objects are found by their types"), "\(outlook)")
        let folder = try TemporaryFolder()
        let core = try waiting.core(in: folder)
        _ = try waiting.finish()
        for report in [running, try Self.report(["heap", core])] {
            #expect(Self.counts(report, of: "Waiting") == Self.counts(expected, of: "Waiting"))
            // What a word of the allocator's names may be missing.
            let (cycle, plain) = (try #require(report.findings.first), expected.findings[0])
            #expect(report.findings.count == 1 && cycle.kind == .retainCycle)
            #expect(cycle.signature == plain.signature && (plain.count - 1...plain.count).contains(cycle.count))
            #expect(report.capture.notes.contains { $0.contains("cannot be told apart from outside") })
        }
    }

    /// Objects that something holds which is no object: C memory, elements of a ManagedBuffer, encoded addresses, tasks, thread-locals.
    private static let held = [
        (
            ShapeCase.Program.alive,
            ["unsafe-pointers", "interior", "mapped", "tail-allocated", "thread-specific", "closures"]
        ),
        (.encoded, ["bytes", "network-order", "fields", "chain"]),
        (.concurrency, ["short-tasks", "sleeping", "async-let"]),
        (.foundationTypes, ["everything"]), (.weak, ["side-table", "living-unowned-parent", "only-child"]),
    ]

    @Test("nothing is lost that memory without a type holds", arguments: OtherAllocatorTests.libraries)
    func silent(library: String) throws {
        let stopping = try CProgram.compile("WaitAtExit.c", name: "waitatexit.so", flags: ["-shared", "-fPIC"])
        for (name, cases) in Self.held {
            let program = try SwiftProgram.compile(
                files: ["Common.swift", "\(name.rawValue).swift"], module: name.rawValue, build: .optimised)
            for argument in cases {
                let waiting = try WaitingProgram(program, [argument], preload: "\(library) \(stopping.path)")
                let report = try Self.report(["leaks", "--pid", waiting.pid], status: 0)
                #expect(report.errors.map(\.message) == [], "\(name) \(argument)")
            }
        }
    }
}
