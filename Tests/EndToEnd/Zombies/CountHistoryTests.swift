import Foundation
import Testing

@testable import GameprofAnalysis

extension CountHistory {
    fileprivate var suspects: [Change] { changes.filter(\.suspect) }
}

extension CountHistory.Change {
    /// Whether a function of the stack has this name.
    fileprivate func isMade(by function: String) -> Bool {
        by?.frames.contains { $0.function.contains(function) } ?? false
    }
}

/// Retains and releases of one class: the change without a partner is pinned on its function.
@Suite struct CountHistoryTests {
    struct Run {
        var report: Report
        var output: String
        var history: CountHistory? { report.findings.first?.history }
    }

    static let builds = ZombieMatrixTests.Build.usual

    private func record(
        _ instrument: String, _ program: URL, _ arguments: [String] = [], history: String = "Board"
    ) throws -> Run {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof,
            [instrument, "--retains", history, "--json", json.path, "--quiet", "--", program.path] + arguments,
            environment: ["SWIFT_BACKTRACE": "enable=no"], directory: folder.url)
        try #require(FileManager.default.fileExists(atPath: json.path), "\(result.error)")
        return Run(report: try Report(json: json), output: result.output)
    }

    private func program(_ build: ZombieMatrixTests.Build) throws -> URL {
        try build.executable(of: "CountHistories")
    }

    @Test("a release that had no retain is named, and no other function is pinned", arguments: builds)
    func unownedRelease(in build: ZombieMatrixTests.Build) throws {
        let run = try record("zombies", program(build), ["over-release"])
        let history = try #require(run.history)
        #expect(history.suspects.allSatisfy { $0.isMade(by: "dropCarelessly") })
        #expect(run.report.findings.first?.fix?.contains("dropCarelessly(_:)") == true)
        #expect(history.changes.first?.kind == .allocated)
        #expect(history.changes.last?.strong == 0)
    }

    @Test("of two functions that take one reference neither is pinned", arguments: builds)
    func takenTwice(in build: ZombieMatrixTests.Build) throws {
        let run = try record("zombies", program(build), ["over-take"])
        #expect(try #require(run.history).suspects.isEmpty)
        let fix = try #require(run.report.findings.first?.fix)
        #expect(fix.contains("takeBack(_:)") && fix.contains("takeAgain(_:)"), "\(fix)")
    }

    @Test("a release by hand of what a collection of the same type holds is named", arguments: builds)
    func releaseByHandInTheHoldersType(_ build: ZombieMatrixTests.Build) throws {
        let run = try record("zombies", program(build), ["dismissal"])
        let suspects = try #require(run.history).suspects
        #expect(suspects.allSatisfy { $0.isMade(by: "Deck.dismiss") })
        // Optimised, the retain for the call has no line of its own.
        #expect(build != .onone || suspects.map(\.kind) == [.release])
        #expect(run.report.findings.first?.fix?.contains("Deck.dismiss(_:)") == true)
    }

    @Test("a collection that gives back what it took is not reported", arguments: builds)
    func removalFromTheCollection(_ build: ZombieMatrixTests.Build) throws {
        let history = try #require(try record("zombies", program(build), ["removal"]).history)
        #expect(Set(history.changes.map(\.kind)).isSuperset(of: [.allocated, .retain, .release]))
        #expect(history.suspects.isEmpty)
    }

    @Test(arguments: builds)
    func `releases that had their retains are not reported`(in build: ZombieMatrixTests.Build) throws {
        let history = try #require(try record("zombies", program(build), ["matched"]).history)
        #expect(Set(history.changes.map(\.kind)).isSuperset(of: [.allocated, .retain, .release]))
        #expect(history.suspects.isEmpty)
    }

    @Test(arguments: builds)
    func `a retain that is never released is pinned in a leak report`(in build: ZombieMatrixTests.Build) throws {
        let history = try #require(try record("leaks", program(build), ["over-retain"]).history)
        #expect(history.suspects.map(\.kind) == [.retain])
        #expect(history.suspects.first?.isMade(by: "keepCarelessly") ?? false)
    }

    @Test func `a change made millions of times pushes out none that come later`() throws {
        let run = try record("leaks", program(.optimised), ["fill"])
        let history = try #require(run.history)
        #expect(history.changes.contains { $0.kind == .retain && $0.times ?? 0 >= 2_999_999 })
        #expect(history.suspects.map(\.kind) == [.retain])
        #expect(history.suspects.first?.isMade(by: "keepCarelessly") ?? false)
        #expect(run.report.capture.notes.allSatisfy { !$0.contains("history") })
    }

    @Test(arguments: builds, ["zombies", "leaks"])
    func `a sound program with threads runs as ever`(in build: ZombieMatrixTests.Build, instrument: String) throws {
        let run = try record(instrument, program(build), ["busy"], history: "Board,Deck")
        #expect(run.output == "done 0\n")
        #expect(run.report.findings.filter { $0.type.hasSuffix("Board") || $0.type.hasSuffix("Deck") }.isEmpty)
        #expect(run.report.capture.notes.allSatisfy { !$0.contains("history") })
    }

    @Test func `a runtime that cannot be followed is said`() throws {
        let stripped = try SwiftProgram.compile(
            files: ["CountHistories.swift"], module: "CountHistories", build: .strippedStatic)
        let run = try record("zombies", stripped, ["over-release"])
        #expect(!run.report.findings.isEmpty)
        #expect(run.report.capture.notes.contains { $0.hasPrefix("No history of reference counts") })
    }

    @Test(arguments: ["__EmptyArrayStorage", "Board"])
    func `registers that the runtime leaves alone stay as they are`(followed: String) throws {
        let folder = try TemporaryFolder()
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Programs/RegisterCheck.c")
        let found = try Command.run(URL(filePath: "/usr/bin/env"), ["sh", "-c", "readlink -f $(command -v swiftc)"])
        let toolchain = URL(filePath: found.output.trimmingCharacters(in: .newlines))
            .deletingLastPathComponent().deletingLastPathComponent()
        let libraries = toolchain.appending(path: "lib/swift/linux").path
        let program = folder.url.appending(path: "RegisterCheck")
        let compiled = try Command.run(
            toolchain.appending(path: "bin/clang"),
            [
                "-O1", "-fPIC", source.path, "-o", program.path, "-L\(libraries)", "-lswiftCore",
                "-Wl,-rpath,\(libraries)",
            ])
        try #require(compiled.status == 0, "\(compiled.error)")
        let plain = try Command.run(program)
        #expect(plain.output == "count 2\n")
        #expect(try record("zombies", program, history: followed).output == plain.output)
    }
}
