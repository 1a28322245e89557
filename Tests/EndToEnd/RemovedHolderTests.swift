import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofReport

/// What was removed from a collection that lives is held by it no longer; what a weak reference names may still be used.
@Suite struct RemovedHolderTests {
    private struct Dump: Decodable {
        var count: Int
        var neverResuming: Int
    }

    private static func compile(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(script: "Removed.swift", module: "Removed", build: build)
    }

    /// Recorded, and from outside: the JSON of a command.
    private static func looks(_ command: String, _ shape: String, _ build: SwiftProgram.Build) throws -> [Data] {
        let (program, folder) = (try compile(build), try TemporaryFolder())
        let json = folder.url.appending(path: "r.json")
        let waiting = try WaitingProgram(program, [shape])
        return try [["--", program.path, shape], ["--pid", waiting.pid]].map { target in
            let result = try Command.run(Products.gameprof, [command, "--quiet", "--json", json.path] + target)
            #expect(result.status < 2, "\(result.error)")
            if target[0] == "--pid" {
                #expect(try waiting.finish() == (shape == "weak-listener" ? "got 5\n" : ""))
            }
            return try Data(contentsOf: json)
        }
    }

    @Test(
        "tasks go on if a living weak reference leads to them, and not if they were removed or wait for each other",
        arguments: [
            ("weak-listener", 1, 0), ("parked", 12, 9), ("each-other", 2, 2), ("group", 7, 3),
            ("discarding-group", 7, 3), ("evicted", 13, 5), ("unloaded", 12, 7), ("served", 4, 0),
            ("rooms", 24, 24),
        ], SwiftProgram.Build.usual)
    func tasks(_ expected: (shape: String, count: Int, never: Int), _ build: SwiftProgram.Build) throws {
        for data in try Self.looks("tasks", expected.shape, build) {
            let dump = try JSONDecoder().decode(Dump.self, from: data)
            #expect(dump.count == expected.count && dump.neverResuming == expected.never, "\(dump)")
        }
    }

    @Test(
        "tasks that only their relatives, their own memory and an executor that nobody serves hold are lost, and warn of nothing else",
        arguments: [("evicted", 4), ("unloaded", 7), ("served", 0)], SwiftProgram.Build.usual)
    func lost(_ expected: (shape: String, count: Int), _ build: SwiftProgram.Build) throws {
        for data in try Self.looks("leaks", expected.shape, build) {
            let report = try JSONReport.read(String(decoding: data, as: UTF8.self))
            let found = report.findings.filter { $0.severity != .note }
            #expect(found.allSatisfy { $0.severity == .error }, "\(found)")
            #expect(found.reduce(0) { $0 + ($1.objects["task"] ?? 0) } == expected.count, "\(found)")
        }
    }

    @Test(
        "a task that waits in vain is told with the function that waits, and with what ends the wait",
        arguments: [
            ("parked", "in closure #1 in park(_:keeping:)", "resume the continuation that the task at "),
            ("streams", "in closure #1 in read()", "finish the stream that the task at "),
        ],
        SwiftProgram.Build.usual)
    func told(_ expected: (shape: String, place: String, fix: String), _ build: SwiftProgram.Build) throws {
        for data in try Self.looks("leaks", expected.shape, build) {
            let report = try JSONReport.read(String(decoding: data, as: UTF8.self))
            let found = report.findings.filter { $0.severity == .error }
            #expect(found.count == 1, "\(found)")
            #expect(found.allSatisfy { $0.message.contains("waits forever \(expected.place)") }, "\(found)")
            #expect(found.allSatisfy { $0.fix?.hasPrefix(expected.fix) == true }, "\(found)")
        }
    }

    @Test("strings that top-level code interpolates are no error while it awaits", arguments: SwiftProgram.Build.usual)
    func interpolated(_ build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(script: "TopLevelAwait.swift", module: "TopLevelAwait", build: build)
        let (waiting, folder) = (try WaitingProgram(program), try TemporaryFolder())
        let json = folder.url.appending(path: "r.json")
        let result = try Command.run(Products.gameprof, ["leaks", "--json", json.path, "--pid", waiting.pid])
        #expect(result.status == 0, "\(result.error)")
        _ = try waiting.finish()
    }

    @Test("objects that were removed from a dictionary are lost, each of them", arguments: SwiftProgram.Build.usual)
    func retained(_ build: SwiftProgram.Build) throws {
        for data in try Self.looks("leaks", "retained", build) {
            let report = try JSONReport.read(String(decoding: data, as: UTF8.self))
            let errors = report.findings.filter { $0.severity == .error }
            #expect(errors.map(\.count) == [20], "\(errors)")
        }
    }
}
