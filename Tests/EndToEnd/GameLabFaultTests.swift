import Foundation
import Testing

@testable import GameLab
@testable import GameprofAnalysis

/// Each leaking fault of GameLab is found by its field names and the function that allocated it, in each build.
@Suite struct GameLabFaultTests {
    struct Expectation: CustomStringConvertible {
        var fault: String
        var kinds: Set<Finding.Kind>
        var type: String?
        var bytes: Int?
        /// "Type.field → Type", in any order.
        var edges: Set<String> = []
        var allocatedBy: String
        /// The file in which the fix names the closure's line.
        var closureIn: String?
        var status: Int32 = 1

        var description: String { fault }
    }

    static let expectations = [
        Expectation(
            fault: "malloc-leak", kinds: [.rawLeak], bytes: 1_234, allocatedBy: "MallocLeak.allocateBuffer()"),
        Expectation(
            fault: "attribute-leak", kinds: [.leak, .overRetain], type: "GameLab.Portrait",
            allocatedBy: "AttributeLeak.makePortrait()"),
        Expectation(
            fault: "retain-cycle", kinds: [.retainCycle], type: "GameLab.Container",
            edges: ["GameLab.Container.content → GameLab.Container"], allocatedBy: "RetainCycle.makeContainers()"),
        Expectation(
            fault: "dialog-cycle", kinds: [.retainCycle],
            edges: [
                "GameLab.DialogOwner.dialog → GameLab.Dialog", "GameLab.Dialog.buttonHandler → GameLab.DialogOwner",
            ],
            allocatedBy: "DialogCycle.makeOwner()"),
        Expectation(
            fault: "undo-cycle", kinds: [.retainCycle],
            edges: [
                "GameLab.HoldingPuzzle.ownUndoManager → GameLab.HoldingUndoManager",
                "GameLab.HoldingUndoManager.undoStack → GameLab.HoldingPuzzle",
            ], allocatedBy: "UndoCycle.makePuzzle()"),
        Expectation(
            fault: "tree-cycle", kinds: [.retainCycle], type: "GameLab.TreeNode",
            edges: ["GameLab.TreeNode.children → GameLab.TreeNode", "GameLab.TreeNode.parent → GameLab.TreeNode"],
            allocatedBy: "TreeCycle.makeTree()"),
        Expectation(
            fault: "observer-cycle", kinds: [.retainCycle], type: "GameLab.ScoreKeeper",
            edges: [
                "GameLab.ScoreKeeper.center → FoundationEssentials.NotificationCenter",
                "FoundationEssentials.NotificationCenter.registrar → GameLab.ScoreKeeper",
            ],
            allocatedBy: "ObserverCycle.makeKeeper()"),
        Expectation(
            fault: "timer-cycle", kinds: [.retainCycle], type: "GameLab.Heartbeat",
            edges: ["GameLab.Heartbeat.timer → Foundation.Timer", "Foundation.Timer._fire → GameLab.Heartbeat"],
            allocatedBy: "TimerCycle.makeHeartbeat()",
            closureIn: "TimerCycle.swift"),
        Expectation(
            fault: "delegate-cycle", kinds: [.retainCycle],
            edges: [
                "GameLab.LevelScreen.picker → GameLab.LevelPicker",
                "GameLab.LevelPicker.delegate → GameLab.LevelScreen",
            ],
            allocatedBy: "DelegateCycle.makeScreen()"),
        Expectation(
            fault: "sensor-cycle", kinds: [.retainCycle],
            edges: [
                "GameLab.TiltController.sensor → GameModel.TiltSensor",
                "GameModel.TiltSensor.handler → GameLab.TiltController",
            ], allocatedBy: "SensorCycle.makeController()", closureIn: "SensorCycle.swift"),
    ]

    @Test(arguments: expectations, Products.GameLabBuild.made)
    func `a leaking fault is found and named`(_ expected: Expectation, in build: Products.GameLabBuild) throws {
        let recording = try RecordedReport.leaks(of: build.executable, ["fault", expected.fault])
        let findings = recording.report.findings.filter { $0.severity != .note }
        try #require(findings.count == 1, "\(findings.map(\.message))")
        let finding = findings[0]
        #expect(expected.kinds.contains(finding.kind), "\(finding.kind)")
        #expect(finding.count == 1)
        if let type = expected.type { #expect(finding.type == type) }
        if let bytes = expected.bytes { #expect(finding.bytes == bytes) }
        let edges = Set(finding.references.map { "\($0.from).\(label($0.field)) → \($0.to)" })
        #expect(edges.isSuperset(of: expected.edges), "\(edges.sorted())")
        let origin = finding.allocatedBy?.frames.map(\.function) ?? []
        #expect(finding.isAllocated(by: expected.allocatedBy), "\(origin)")
        if let file = expected.closureIn { #expect(finding.fix?.contains("the closure at \(file):") == true) }
        #expect(recording.status == expected.status)
    }

    @Test(arguments: ["leaks", "zombies", "allocations", "heap", "time", "files"])
    func `the cures are silent under each instrument`(_ instrument: String) throws {
        let builds = instrument == "leaks" ? Products.GameLabBuild.made : [.fastest]
        for build in builds {
            let report = try Self.report(instrument, of: build, FaultRegistry.all.map { $0.name } + ["--cured"])
            #expect(report.findings.filter { $0.severity != .note }.map(\.message) == [], "\(build)")
        }
    }

    @Test func `descriptors that a way out of a function forgets are found`() throws {
        let findings = try Self.report("files", of: .fastest, ["descriptor-leak"]).findings
        #expect(findings.map(\.kind) == [.descriptorLeak] && findings.map(\.count) == [40])
        #expect(findings.first?.isAllocated(by: "ScoreFile.isRecordForgetting(_:)") == true)
    }

    @Test func `temporary objects of a loop stand in the peak, and no more with a pool for each pass`() throws {
        let (fault, cure) = try Self.allocations(of: "temporary-peak")
        #expect(fault.totals.peakBytes > 200 * 16_384 && cure.totals.peakBytes < fault.totals.peakBytes / 10)
    }

    @Test func `cells that are made anew stand in the count of their type`() throws {
        let (fault, cure) = try Self.allocations(of: "reuse-miss")
        let counts = [fault, cure].map { $0.byType.first { $0.type == "GameLab.CardCell" }?.counts.allocations }
        #expect(counts == [1_000, 8])
    }

    private static func allocations(
        of fault: String
    ) throws -> (fault: Report.Allocations, cure: Report.Allocations) {
        (
            try #require(try report("allocations", of: .fastest, [fault]).allocations),
            try #require(try report("allocations", of: .fastest, [fault, "--cured"]).allocations)
        )
    }

    private static func report(
        _ instrument: String, of build: Products.GameLabBuild, _ arguments: [String]
    ) throws -> Report {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof,
            [instrument, "--json", json.path, "--html", folder.url.appending(path: "page.html").path, "--"]
                + [build.executable.path, "fault"] + arguments)
        try #require(result.status == 0, "\(result.error)")
        return try Report(json: json)
    }

    @Test(arguments: Products.GameLabBuild.made)
    func `healthy games are silent`(in build: Products.GameLabBuild) throws {
        let recording = try RecordedReport.leaks(of: build.executable, ["play", "both", "--games", "3", "--seed", "7"])
        #expect(recording.report.findings.filter { $0.severity != .note }.map(\.message) == [])
        #expect(recording.status == 0)
    }

    @Test func `presses commit a fault as often and stand in one row`() throws {
        let recording = try RecordedReport.leaks(
            of: Products.GameLabBuild.fastest.executable, ["fault", "dialog-cycle", "--presses", "25"])
        #expect(recording.report.errors.map(\.count) == [25])
    }

    /// A field without the place inside it: "undoStack[3]" and "undoStack[…]" are "undoStack".
    private func label(_ field: String) -> Substring { field.prefix { $0 != "[" } }
}
