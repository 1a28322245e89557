import Foundation
import Testing

@testable import GameprofAnalysis

/// What lives and is forgotten is a warning of `leaks` and of `heap`; what is wanted is none.
@Suite struct LivingSuspectTests {
    private static let forgotten = [
        ("stored-token", "Forgotten.SettingsScreen"), ("repeating-timer", "Forgotten.ClockScreen"),
        ("dispatch-source", "Forgotten.Poller"), ("event-bus", "Forgotten.ChatScreen"),
        ("two-captures", "Forgotten.Toolbar"), ("dropped-token", "Forgotten.Banner"),
        ("list-of-tokens", "Forgotten.Inspector"), ("looping-task", "Forgotten.Feed"),
        ("loose-timer", "Forgotten.Animation"), ("presenters", "Forgotten.Presenter"),
        ("cancelled-timeout", "Forgotten.Connection"), ("inherited-registration", "Forgotten.Derived"),
    ]

    @Test(arguments: forgotten, SwiftProgram.Build.usual)
    func `what lives through its own registrations alone is abandoned`(
        _ shape: (name: String, type: String), in build: SwiftProgram.Build
    ) throws {
        let program = try SwiftProgram.compile(
            files: ["Forgotten.swift", "Common.swift"], module: "Forgotten", build: build)
        let recording = try RecordedReport.leaks(of: program, [shape.name])
        let found = recording.report.findings.filter { $0.severity == .warning }
        #expect(found.map(\.type) == [shape.type], "\(found.map(\.message))")
        // A task that its object keeps is a cycle, and says more.
        #expect(found.first?.kind == (shape.name == "looping-task" ? .reachableCycle : .abandoned))
        #expect(found.first?.count == 60)
        #expect(recording.status == 0)
    }

    @Test(
        "of two causes that hold an object both are told, with the line of the closure",
        arguments: SwiftProgram.Build.usual)
    func twoHolders(in build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(script: "TwoHolders.swift", module: "TwoHolders", build: build)
        var ids: Set<String> = []
        for _ in 0..<3 {
            let report = try RecordedReport.leaks(of: program).report
            let found = try #require(report.findings.first { $0.kind == .abandoned }, "\(report.findings)")
            let fixes = found.fixes ?? []
            #expect(found.count == 8 && fixes.count == 2, "\(found)")
            #expect(fixes.first?.hasPrefix("cancel the dispatch source") == true, "\(fixes)")
            #expect(fixes.last?.contains("capture self weakly") == true, "\(fixes)")
            #expect(fixes.last?.contains("main.swift:15") == true, "\(fixes)")
            ids.insert(found.signature)
        }
        #expect(ids.count == 1)
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `a cache behind a singleton that only grows is an accumulation`(in build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(
            files: ["Forgotten.swift", "Common.swift"], module: "Forgotten", build: build)
        let recording = try RecordedReport.leaks(of: program, ["singleton-cache"])
        let found = recording.report.findings.filter { $0.severity == .warning }
        #expect(found.map(\.type) == ["Forgotten.Picture"], "\(found.map(\.message))")
        #expect(found.first?.kind == .accumulation && found.first?.count == 60)
        #expect(found.first?.heldBy?.first?.contains("shared") == true)
        #expect(recording.status == 0)
    }

    @Test(
        arguments: [
            "built-tree", "loaded-table", "filled-once", "bounded-cache", "removed-observer", "weak-observer",
            "open-screens", "one-service", "started-modules", "kept-modules", "pending-work", "kept-items",
            "finished-tasks", "linked-history", "closures-of-rules",
        ], SwiftProgram.Build.usual)
    func `what a program keeps on purpose is no warning`(_ name: String, in build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(
            files: ["Remembered.swift", "Common.swift"], module: "Remembered", build: build)
        let recording = try RecordedReport.leaks(of: program, [name])
        #expect(recording.report.findings.filter { $0.severity != .note }.map(\.message) == [])
        #expect(recording.status == 0)
    }

    @Test func `bytes are those that would be freed`() throws {
        let program = try SwiftProgram.compile(
            files: ["Forgotten.swift", "Common.swift"], module: "Forgotten", build: .onone)
        let found = try RecordedReport.leaks(of: program, ["stored-token"]).report.findings.first
        // Each with its picture and the picture's bytes.
        #expect((240_000..<300_000).contains(found?.bytes ?? 0))
        #expect(found?.objects["Forgotten.Picture"] == 60)
        #expect(found?.fix?.contains("remove the observer") == true)
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `the fix of a cancelled timeout names who made it`(in build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(
            files: ["Forgotten.swift", "Common.swift"], module: "Forgotten", build: build)
        let found = try RecordedReport.leaks(of: program, ["cancelled-timeout"]).report.findings.first
        #expect(found?.fix?.contains("weakly in the work item that cancelledTimeout() makes") == true)
        #expect(found?.message.contains("cancelled") == true)
    }

    @Test func `heap and leaks report the same suspects`() throws {
        let program = try SwiftProgram.compile(
            files: ["Forgotten.swift", "Common.swift"], module: "Forgotten", build: .onone)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "heap.json")
        _ = try Command.run(Products.gameprof, ["heap", "--json", json.path, "--", program.path, "stored-token"])
        let heap = try Report(json: json)
        let leaks = try RecordedReport.leaks(of: program, ["stored-token"]).report
        #expect(heap.findings.map(\.signature) == leaks.findings.map(\.signature))
        #expect(heap.liveHeap != nil && leaks.liveHeap == nil)
    }
}
