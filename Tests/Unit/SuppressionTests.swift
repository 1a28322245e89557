import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import gameprof

@Suite struct SuppressionTests {
    private func error(_ yaml: String) -> String {
        do {
            _ = try Suppression.read(yaml: yaml, file: "s.yml")
            return "none"
        } catch { return "\(error)" }
    }

    @Test func readsEveryKey() throws {
        let yaml = """
            version: 1
            suppressions:
              - name: undo
                kind: [retain-cycle, leak]
                type: "Game.*"
                field: "Puzzle.undo*"
                function: "*tilt*"
                reason: known in the book
            """
        let entry = try #require(Suppression.read(yaml: yaml, file: "s.yml").only)
        #expect(entry.name == "undo")
        #expect(entry.kinds == [.retainCycle, .leak])
        #expect(entry.evidence == "known in the book")
    }

    @Test func errorsSayWhere() {
        #expect(error("- name: a\n  tpye: x\n").hasPrefix("s.yml:2:3: the key tpye is not known"))
        #expect(
            error("- kind: leek\n  type: x\n").hasPrefix(
                "s.yml:1:9: the kind of finding leek is not known; did you mean leak?"))
        #expect(error("- name: a\n").contains("at least one of"))
        #expect(error("- type: x\n- type: y\n  type: z\n").hasPrefix("s.yml:2:3: the key type occurs twice"))
        #expect(error("version: 2\nsuppressions: []\n").hasPrefix("s.yml:1:10: version 2 is not known"))
        #expect(error("suppressions: [").hasPrefix("s.yml:"))
        #expect(error("hello").contains("a list of suppressions"))
        #expect(error("") == "none")
        #expect(throws: YAMLFileError.self) { try Suppression.read(path: "/nowhere/s.yml") }
    }

    @Test func patternsMatchTheWholeText() {
        #expect(GlobPattern("Game.*").matches("Game.Board"))
        #expect(!GlobPattern("Game").matches("Game.Board"))
        #expect(GlobPattern("*a*b?").matches("xxaxxbc"))
        #expect(!GlobPattern("*a*b").matches("xxaxxbc"))
        #expect(GlobPattern("").matches(""))
        #expect(!GlobPattern(String(repeating: "*a", count: 40)).matches(String(repeating: "a", count: 39) + "b"))
    }

    @Test func whatMatchesIsANoteAndWhatMatchesNothingIsPointedOut() throws {
        let heap = HeapFixture()
        heap.addUndoCycle()
        var options = ReportOptions()
        options.suppressions = try Suppression.read(
            yaml: """
                - {name: undo, field: Puzzle.undoManager}
                - {name: never, type: Game.Nothing}
                """, file: "s.yml")
        let report = heap.report(options)
        #expect(report.findings.map(\.severity) == [.note])
        #expect(report.findings.map(\.known) == ["undo"])
        #expect(report.unusedSuppressions == ["never"])
        #expect(report.heap?.leakedBlocks == 0)
    }

    private func undo(_ suppression: String) throws -> Report {
        let heap = HeapFixture()
        heap.addUndoCycle(from: heap.stack("Puzzle.init()", "static Game.start(level:)"))
        var options = ReportOptions()
        options.suppressions = try Suppression.read(yaml: "- \(suppression)", file: "s.yml")
        return heap.report(options)
    }

    @Test(arguments: [
        "{type: Game.Puzzle}", "{type: \"*.UndoManager\"}", "{type: \"Swift._ContiguousArrayStorage<*\"}",
        "{field: UndoManager.undoStack*}", "{field: Game.Puzzle.undoManager}", "{function: \"static Game.start(*\"}",
        "{function: \"closure #? in Puzzle.tilt*\"}", "{module: Game}", "{kind: retain-cycle, type: \"Game.*\"}",
    ])
    func aTypeAFieldAFunctionOrAClosureOfTheFindingSuppressesIt(_ suppression: String) throws {
        let report = try undo(suppression)
        #expect(report.findings.map(\.severity) == [.note])
        #expect(report.unusedSuppressions.isEmpty)
    }

    @Test(arguments: [
        "{type: Puzzle}", "{type: Game.Board}", "{field: Puzzle.undoStack}", "{function: start}", "{module: Gam}",
        "{kind: leak, type: Game.Puzzle}", "{type: Game.Puzzle, function: \"*Board*\"}",
    ])
    func whatDoesNotMatchSuppressesNothingAndIsPointedOut(_ suppression: String) throws {
        let report = try undo(suppression)
        #expect(report.findings.map(\.severity) == [.error])
        #expect(report.unusedSuppressions == ["suppression 1"])
        #expect(TextReport.render(report).contains("These suppressions matched nothing: suppression 1."))
    }

    @Test func theKnownLeakListIsSoundAndSparesTheUsersObjects() {
        let list = KnownLeaks.list
        #expect(!list.isEmpty)
        #expect(list.allSatisfy { $0.evidence != nil })
        let ofLibraries = ["Foundation.", "FoundationXML.", "XCTest."]
        #expect(
            list.allSatisfy { entry in
                entry.function != nil || ofLibraries.contains { entry.type?.text.hasPrefix($0) == true }
            })
        var finding = Finding(kind: .leak, signature: "0", title: "", type: "Foundation.NSObject")
        func made(by functions: (name: String, module: String)...) -> Finding {
            finding.allocatedBy = CallStack(
                frames: functions.map { CallStack.Frame(function: $0.name, module: $0.module) })
            return finding
        }
        var findings = [
            made(by: ("closure #1 in _EasyHandle.set(url:)", "FoundationNetworking")),
            // A function of the program's that is called like the library's.
            made(by: ("Game_EasyHandle.start()", "Game"), ("URLSession.init()", "FoundationNetworking")),
        ]
        finding.type = "Game.Card"
        findings.append(made(by: ("_EasyHandle.set(url:)", "FoundationNetworking")))
        for index in findings.indices { KnownLeaks.mark(&findings[index]) }
        #expect(findings.map(\.severity) == [.note, .error, .error])
    }
}
