import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport

/// The recorded processes under those that started them.
@Suite struct ProcessTreeTests {
    private struct Recorded {
        var process: Int
        var parent: Int?
        var name = "true"
        var start: UInt64?
        var exit: Report.Exit? = Report.Exit(code: 0)
        var wall = 0.002
        var arguments: [String] = []
        var errors = 0
        var isCut = false
        var facts: [String: String] = [:]
    }

    private func rows(_ recorded: [Recorded]) -> [ProcessRow] {
        let members = recorded.enumerated().map { number, recorded in
            var report = Report(
                target: Report.Target(
                    executable: "/bin/\(recorded.name)", arguments: recorded.arguments, exit: recorded.exit,
                    wallSeconds: recorded.wall),
                capture: Report.Capture(instruments: [.leaks]))
            report.heap = Report.HeapTotals()
            report.heap?.leakedBytes = UInt64(recorded.errors * 100)
            report.findings = (0..<recorded.errors).map {
                Finding(kind: .leak, severity: .error, signature: "\($0)", title: "", type: "")
            }
            report.capture.truncated = recorded.isCut
            var member = JoinedReport.Member(
                process: recorded.process, report: report, parent: recorded.parent,
                start: recorded.start ?? UInt64(number + 1))
            member.facts = recorded.facts
            return member
        }
        return JoinedReport(members).report?.processes ?? []
    }

    /// A line for each row of the tree, its depth as points.
    private func lines(_ recorded: [Recorded]) -> [String] {
        let rows = rows(recorded)
        return ProcessTree(rows).rows.map { row in
            let processes = row.members.map { "\(rows[$0].process)" }.joined(separator: " ")
            return String(repeating: ".", count: row.depth) + processes
        }
    }

    @Test("children stand below the process that started them, in the order of their starts")
    func order() {
        let found = lines([
            Recorded(process: 10, name: "game"), Recorded(process: 13, parent: 10, name: "a", start: 9),
            Recorded(process: 12, parent: 13, name: "b", start: 10),
            Recorded(process: 11, parent: 10, name: "c", start: 4), Recorded(process: 14, parent: 99, name: "d"),
        ])
        #expect(found == ["10", ".11", ".13", "..12", "14"])
    }

    @Test("three children that are alike are one row, the one that ran longest first")
    func alike() {
        let found = lines(
            [Recorded(process: 1, name: "game")]
                + (2...4).map { Recorded(process: $0, parent: 1, wall: Double($0 == 3 ? 9 : 1)) }
                + (5...6).map { Recorded(process: $0, parent: 1, name: "env") })
        #expect(found == ["1", ".3 2 4", ".5", ".6"])
    }

    @Test("a child with a finding, a signal, another exit code or another parent stands by itself")
    func different() {
        let alike = (20...22).map { Recorded(process: $0, parent: 1) }
        let found = lines(
            [Recorded(process: 1, name: "game")] + alike + [
                Recorded(process: 30, parent: 1, errors: 1), Recorded(process: 31, parent: 1, exit: .init(signal: 11)),
                Recorded(process: 32, parent: 1, exit: .init(code: 1)), Recorded(process: 33, parent: 1, exit: nil),
                Recorded(process: 34, parent: 20),
            ])
        #expect(found == ["1", ".20", "..34", ".21", ".22", ".30", ".31", ".32", ".33"])
    }

    @Test("shells that started the same program are alike, and so are these programs")
    func shells() {
        let found = lines(
            [Recorded(process: 1, name: "game")]
                + (0..<3).flatMap {
                    [
                        Recorded(process: 10 + $0, parent: 1, name: "sh"), Recorded(process: 20 + $0, parent: 10 + $0),
                    ]
                })
        #expect(found == ["1", ".10 11 12", "..20 21 22"])
    }

    @Test("a process number that is used again stands for the process that ran at that time")
    func reused() {
        let found = lines([
            Recorded(process: 1, name: "game"), Recorded(process: 2, parent: 1, name: "a", start: 10),
            Recorded(process: 3, parent: 2, name: "b", start: 11),
            Recorded(process: 2, parent: 1, name: "c", start: 20),
            Recorded(process: 4, parent: 2, name: "d", start: 21),
        ])
        #expect(found == ["1", ".2", "..3", ".2", "..4"])
    }

    @Test("processes that claim to have started each other are shown once each")
    func circle() {
        let found = lines([
            Recorded(process: 1, parent: 2, name: "a"), Recorded(process: 2, parent: 1, name: "b"),
            Recorded(process: 3, parent: 3, name: "c"),
        ])
        #expect(found.map { $0.replacing(".", with: "") }.sorted() == ["1", "2", "3"])
    }

    private func table(_ recorded: [Recorded], pages: Bool = false) -> ProcessTable {
        var rows = rows(recorded)
        if pages { for index in rows.indices { rows[index].page = "\(rows[index].executable).html" } }
        return ProcessTable(ProcessTree(rows), of: rows)
    }

    @Test("the text has a line for each row")
    func text() {
        let recorded =
            [Recorded(process: 1, name: "game", wall: 0.5, arguments: ["--all"])]
            + (2..<402).map { Recorded(process: $0, parent: 1, arguments: ["x"]) } + [
                Recorded(process: 900, parent: 1, name: "crash", exit: .init(signal: 11), errors: 2)
            ]
        let lines = TextProcesses.lines(table(recorded), style: TextStyle())
        #expect(lines.count == 4)
        #expect(lines[1].contains(/^game --all +1 +exit 0 +0.50 s +– +nothing$/), "\(lines[1])")
        #expect(lines[2].contains(/^  400 × true x +exit 0 +2.0 ms each +– +nothing$/), "\(lines[2])")
        #expect(lines[3].contains(/^  crash +900 +signal 11 +2.0 ms +200 B +2 errors$/), "\(lines[3])")
    }

    @Test("of a process that a signal ended nothing is claimed, and one whose end is not known is incomplete")
    func cut() {
        let table = table([
            Recorded(process: 1, name: "game"),
            Recorded(process: 2, parent: 1, name: "a", exit: .init(signal: 9), isCut: true),
            Recorded(process: 3, parent: 1, name: "b", exit: nil, isCut: true),
        ])
        #expect(table.rows.map { $0.cells.first } == ["exit 0", "signal 9", "not known"])
        #expect(table.rows.map { $0.cells.last } == ["nothing", "–", "incomplete"])
        #expect(table.rows.map(\.severity) == [nil, .warning, .warning] && table.sharing == nil)
    }

    @Test("what children share with their parent stands in the list, of those that are alike the most")
    func sharing() {
        let table = table(
            [Recorded(process: 1, name: "game")]
                + (2...4).map {
                    Recorded(process: $0, parent: 1, facts: ["fork.shared": "\($0)000000", "fork.own": "20000"])
                })
        #expect(table.heads.contains("shared") && table.heads.contains("own"))
        let lines = TextProcesses.lines(table, style: TextStyle())
        #expect(lines[1].contains(/^game +1 +exit 0 .*– +– +nothing$/), "\(lines[1])")
        #expect(lines[2].contains(/^  3 × true +exit 0 .*≤ 3.8 MB +≤ 20 KB +nothing$/), "\(lines[2])")
        #expect(table.sharing != nil)
    }

    @Test("names of programs and arguments have no power over text and page", arguments: ReportFixture.hostile)
    func hostile(text: String) throws {
        func page(_ text: String) throws -> String {
            let recorded = (1...2).map { Recorded(process: $0, parent: $0 - 1, name: text, arguments: [text]) }
            let table = table(recorded, pages: true)
            let lines = TextProcesses.lines(table, style: TextStyle()).joined()
            #expect(!lines.unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) })
            return try IndexPage.render(title: "t", command: "c", entries: [], processes: table)
        }
        func marks(_ page: String) -> [Int] {
            ["<", ">", "\"", "'"].map { (mark: Unicode.Scalar) in page.unicodeScalars.count { $0 == mark } }
        }
        #expect(try marks(page(text)) == marks(page("harmless")))
    }
}
