import Foundation
import GameprofReportModel
import Testing

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
            edges: ["GameLab.ScoreKeeper.center → GameLab.ScoreKeeper"],
            allocatedBy: "ObserverCycle.makeKeeper()"),
    ]

    @Test(arguments: expectations, Products.GameLabBuild.allCases)
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
        #expect(recording.status == expected.status)
    }

    @Test(arguments: Products.GameLabBuild.allCases)
    func `healthy games are silent`(in build: Products.GameLabBuild) throws {
        let recording = try RecordedReport.leaks(of: build.executable, ["play", "both", "--games", "3", "--seed", "7"])
        #expect(recording.report.findings.filter { $0.severity != .note }.map(\.message) == [])
        #expect(recording.status == 0)
    }

    @Test func `presses commit a fault as often and stand in one row`() throws {
        let recording = try RecordedReport.leaks(
            of: Products.GameLabBuild.release.executable, ["fault", "dialog-cycle", "--presses", "25"])
        #expect(recording.report.errors.map(\.count) == [25])
    }

    /// A field without the place inside it: "undoStack[3]" and "undoStack[…]" are "undoStack".
    private func label(_ field: String) -> Substring { field.prefix { $0 != "[" } }
}
