import Foundation
import GameprofBasics
import Testing

@testable import GameprofAnalysis
@testable import GameprofCheck
@testable import GameprofReport
@testable import gameprof

/// Static findings and reports that the tests below join.
enum StaticFindingFixture {
    static func closure() -> StaticFinding {
        var suspect = StaticFinding(
            rule: "stored-closure", confidence: .high, file: "Sources/Dialog.swift", line: 25, column: 9,
            message: "The closure captures self.", fix: "capture self weakly")
        suspect.type = "DialogOwner"
        suspect.field = "dialog"
        suspect.holder = "Dialog.buttonHandler"
        suspect.function = "DialogOwner.showDialog()"
        suspect.fingerprint = "0123456789abcdef"
        return suspect
    }

    static func parent() -> StaticFinding {
        var suspect = closure()
        suspect.rule = "back-reference"
        (suspect.type, suspect.field, suspect.holder, suspect.function) = ("Tree", "parent", "Node.parent", "")
        return suspect
    }

    static func analysis(_ suspects: [StaticFinding]) -> Analysis {
        Analysis(StaticFindingList(suspects: suspects, files: 1))
    }

    /// A recording in which `made` owners were made, `living` of which still live.
    static func report(made: UInt64 = 2, living: UInt64 = 0, function: String = "main()") -> Report {
        var report = Report(target: .init(executable: "/bin/game"), capture: .init())
        report.heap = .init()
        var counts = AllocationCounts()
        counts.allocations = made
        counts.frees = made - living
        counts.liveCount = living
        var allocations = Report.Allocations(totals: counts)
        allocations.byType = [.init(type: "Game.DialogOwner", counts: counts)]
        allocations.byStack = [
            .init(
                type: "Game.DialogOwner", counts: counts,
                allocatedBy: CallStack(frames: [.init(function: function, file: "/x/Dialog.swift", line: 3)]))
        ]
        report.allocations = allocations
        return report
    }

    static func cycle(_ reference: Reference) -> Finding {
        var finding = Finding(
            kind: .retainCycle, signature: "feedfeedfeedfeed", title: "Retain cycle", type: reference.from)
        finding.count = 3
        finding.bytes = 480
        finding.references = [reference]
        return finding
    }
}

struct StaticFindingJoinTests {
    private func verdict(_ suspect: StaticFinding, _ report: Report) -> Analysis.Verdict {
        Analysis.Verdict(StaticFindingJoin(report: report).evidence(on: suspect))
    }

    @Test func closureIsConfirmedByItsFunction() {
        var report = StaticFindingFixture.report()
        report.findings = [
            StaticFindingFixture.cycle(
                Reference(
                    from: "Game.Dialog", field: "buttonHandler", to: "Game.DialogOwner",
                    closure: "closure #1 in DialogOwner.showDialog()"))
        ]
        let verdict = verdict(StaticFindingFixture.closure(), report)
        #expect(verdict.status == .confirmed && verdict.count == 3 && verdict.bytes == 480)
        #expect(verdict.findings == ["feedfeedfeedfeed"])
    }

    /// Counts of a trace may be any number.
    @Test func sumsBeyondAllNumbersAreNoReasonToFall() {
        var report = StaticFindingFixture.report()
        let reference = Reference(from: "Game.Node", field: "parent", to: "Game.Tree")
        var finding = StaticFindingFixture.cycle(reference)
        (finding.count, finding.bytes) = (.max, .max)
        report.findings = [finding, finding]
        let verdict = verdict(StaticFindingFixture.parent(), report)
        #expect(verdict.count == .max && verdict.bytes == .max)
    }

    @Test func closureOfAnotherFunctionConfirmsNothing() {
        var report = StaticFindingFixture.report()
        report.findings = [
            StaticFindingFixture.cycle(
                Reference(
                    from: "Game.Dialog", field: "buttonHandler", to: "Game.DialogOwner",
                    closure: "closure #1 in DialogOwner.hideDialog()"))
        ]
        #expect(verdict(StaticFindingFixture.closure(), report).status != .confirmed)
    }

    @Test func propertyIsConfirmedByTypeAndField() {
        var report = StaticFindingFixture.report()
        report.findings = [StaticFindingFixture.cycle(Reference(from: "Game.Node", field: "parent", to: "Game.Tree"))]
        #expect(verdict(StaticFindingFixture.parent(), report).status == .confirmed)
        report.findings = [StaticFindingFixture.cycle(Reference(from: "Game.Node", field: "next", to: "Game.Node"))]
        #expect(verdict(StaticFindingFixture.parent(), report).status == .unseen)
    }

    @Test func zombieConfirmsTheReleaseByHandOfItsType() {
        var suspect = StaticFindingFixture.closure()
        (suspect.rule, suspect.type, suspect.function) = ("unmanaged", "Member", "Party.dismiss(_:)")
        var report = StaticFindingFixture.report()
        report.findings = [Finding(kind: .zombie, signature: "1", title: "Zombie", type: "Game.Member")]
        #expect(verdict(suspect, report).status == .confirmed)
        report.findings = [Finding(kind: .zombie, signature: "1", title: "Zombie", type: "Game.Card")]
        #expect(verdict(suspect, report).status == .unseen)
    }

    @Test func clearedOnlyWhenTheCodeRanAndAllDied() {
        let ran = "DialogOwner.showDialog()"
        #expect(verdict(StaticFindingFixture.closure(), StaticFindingFixture.report(function: ran)).status == .cleared)
        #expect(
            verdict(StaticFindingFixture.closure(), StaticFindingFixture.report(function: "other()")).status == .unseen)
        #expect(
            verdict(StaticFindingFixture.closure(), StaticFindingFixture.report(living: 1, function: ran)).status
                == .unseen)
        #expect(
            verdict(StaticFindingFixture.closure(), StaticFindingFixture.report(made: 0, function: ran)).status
                == .unseen)
    }

    @Test func withoutSnapshotNothingIsCleared() {
        var report = StaticFindingFixture.report(function: "DialogOwner.showDialog()")
        report.heap = nil
        #expect(verdict(StaticFindingFixture.closure(), report).status == .unseen)
    }

    @Test func confirmedStaticFindingStandsBesideItsFindingWithTheEdit() throws {
        let text = Array("let a = { self.b() }\n".utf8)
        var suspect = StaticFindingFixture.parent()
        suspect.edit = .init(
            pieces: [.init(offset: 9, length: 0, text: " [weak self] in")], contentHash: SourceEdit.hash(of: text))
        var report = StaticFindingFixture.report()
        report.findings = [StaticFindingFixture.cycle(Reference(from: "Game.Node", field: "parent", to: "Game.Tree"))]
        let judged = StaticFindingFixture.analysis([suspect])
            .judged(by: StaticFindingJoin(report: report).evidence, of: report)
        StaticFindingsBesideFindings.add(judged, to: &report) { _ in text }
        let cause = try #require(report.findings[0].suspects?.first)
        #expect(cause.diff?.contains("+let a = { [weak self] in self.b() }") == true)
        let page = try HTMLReport.render(report)
        #expect(page.contains("+let a = { [weak self] in self.b() }"))
        #expect(page.components(separatedBy: "<span class=\"removed\">").count == 2, "not the name of the file")
    }
}

struct SourceEditTests {
    @Test func piecesAreReplacedInOrder() throws {
        let edits = [
            StaticFinding.Edit(pieces: [.init(offset: 4, length: 1, text: "X")]),
            StaticFinding.Edit(pieces: [.init(offset: 0, length: 0, text: "> ")]),
        ]
        let changed = try #require(SourceEdit.apply(edits, to: Array("abcdefg".utf8)))
        #expect(String(decoding: changed, as: UTF8.self) == "> abcdXfg")
    }

    @Test(arguments: [(9, 0), (0, 99), (-1, 0), (0, -1)])
    func piecesOutsideOfTheTextAreRefused(_ offset: Int, _ length: Int) {
        let edit = StaticFinding.Edit(pieces: [.init(offset: offset, length: length, text: "")])
        #expect(SourceEdit.apply([edit], to: Array("abc".utf8)) == nil)
    }

    @Test func diffShowsChangedLinesWithContext() {
        let old = (1...9).map { "line \($0)\n" }.joined()
        let diff = SourceEdit.diff(old, old.replacing("line 5", with: "line five"), path: "a", context: 1)
        #expect(diff == "--- a\n+++ a\n@@ -4,3 +4,3 @@\n line 4\n-line 5\n+line five\n line 6\n")
    }

    /// Of characters, a carriage return and the line feed behind it are one.
    @Test func linesThatEndWithACarriageReturnAreLinesToo() {
        let old = (1...9).map { "line \($0)\r\n" }.joined()
        let diff = SourceEdit.diff(old, old.replacing("line 5", with: "line five"), path: "a", context: 1)
        #expect(diff == "--- a\n+++ a\n@@ -4,3 +4,3 @@\n line 4\n-line 5\n+line five\n line 6\n")
    }

    @Test func aFormFeedEndsNoLineOfTheSource() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "gameprof-\(UUID().uuidString).c")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("int a;\r\n\u{c}int b; // \u{2028}\nint c;\n".utf8).write(to: file)
        #expect(SourceLines().line(3, of: file.path) == "int c;")
        #expect(SourceLines().line(1, of: file.path) == "int a;")
        let now = Date().timeIntervalSince1970
        #expect(SourceLines(builtAt: now + 60).line(1, of: file.path) == "int a;")
        #expect(SourceLines(builtAt: now - 60).line(1, of: file.path) == "(edited since the build)")
    }

    @Test func equalTextsHaveNoDiff() { #expect(SourceEdit.diff("a\n", "a\n", path: "a").isEmpty) }
}

struct StaticFindingOutputTests {
    @Test func suppressionByRuleSilencesStaticFindingsAlone() throws {
        let yaml = "- name: known\n  rule: stored-*\n  file: '*/Dialog.swift'\n- name: other\n  rule: timer\n"
        let suppressions = try Suppression.read(yaml: yaml, file: "s.yml")
        var analysis = StaticFindingFixture.analysis([StaticFindingFixture.closure(), StaticFindingFixture.parent()])
        analysis.silence(suppressions)
        #expect(analysis.entries.map(\.silencedBy) == ["known", nil])
        #expect(analysis.unusedSuppressions == ["other"])
        let finding = StaticFindingFixture.cycle(Reference(from: "A", field: "b", to: "C"))
        #expect(!suppressions[0].matches(finding))
    }

    @Test func textShowsLineReasonAndFix() {
        let text = StaticFindingText.render(StaticFindingFixture.analysis([StaticFindingFixture.closure()]))
        for part in ["Sources/Dialog.swift:25:9", "stored-closure, high", "captures self", "weakly"] {
            #expect(text.contains(part))
        }
    }

    @Test func textSaysWhatTheIndexKnew() {
        var analysis = StaticFindingFixture.analysis([StaticFindingFixture.closure()])
        #expect(!StaticFindingText.render(analysis).contains("index"))
        analysis.index = IndexUse(store: "store", files: 3, declaring: ["A.swift"], stale: ["B.swift", "C.swift"])
        let text = StaticFindingText.render(analysis).replacing("\n  ", with: " ")
        #expect(text.contains("index knows 3 files; 1 file of other modules"))
        #expect(text.contains("older than B.swift and 1 other file"))
    }

    @Test func lowConfidenceIsHiddenUnlessConfirmed() {
        var suspect = StaticFindingFixture.closure()
        suspect.confidence = .low
        var analysis = StaticFindingFixture.analysis([suspect])
        #expect(analysis.shown(from: .medium).isEmpty)
        analysis.entries[0].verdict = .init(status: .confirmed, explanation: "")
        #expect(analysis.shown(from: .medium).count == 1)
        #expect(analysis.entries[0].severity == .error)
    }

    @Test func controlCharactersOfTheSourceAreMadeVisible() {
        var suspect = StaticFindingFixture.closure()
        suspect.source = "let a = \u{1B}[31m"
        suspect.file = "a\nb.swift"
        let analysis = StaticFindingFixture.analysis([suspect])
        #expect(!StaticFindingText.render(analysis).contains("\u{1B}"))
        let line = GitHubAnnotations.render(analysis.entries.map { Diagnosis($0) })
        #expect(line.split(separator: "\n").count == 1)
    }

    @Test func listOfAnotherVersionIsRefused() {
        #expect(throws: StaticFindingListError.self) { try StaticFindingListReader.read(Data("{}".utf8)) }
        let newer =
            #"{"schema":"gameprof-suspects","version":2,"suspects":[],"files":0,"lines":0,"cachedFiles":0,"problems":[]}"#
        #expect(throws: StaticFindingListError.self) { try StaticFindingListReader.read(Data(newer.utf8)) }
    }
}
