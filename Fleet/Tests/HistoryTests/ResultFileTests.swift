import Foundation
import HistoryModel
import Testing

struct ResultFileTests {
    private func read(_ json: String, scenario: String? = nil) throws -> ResultFile {
        try ResultFile(Data(json.utf8), name: "r.json", scenario: scenario)
    }

    private static let golden = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Tests/Unit/Golden/full.json").standardized

    @Test("a report gives its findings without notes, and its figures")
    func report() throws {
        let file = try ResultFile(path: Self.golden.path)
        let scenario = try #require(file.scenarios.first)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: Self.golden)) as? [String: Any])
        let findings = try #require(json["findings"] as? [[String: Any]])
        let expected = Set(
            findings.filter { $0["severity"] as? String != "note" }.compactMap { $0["signature"] as? String })
        #expect(Set(scenario.findings.map(\.signature)) == expected && !expected.isEmpty)
        let run = scenario.run(of: Run.test(1).origin)
        let figures = Dictionary(run.figures.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first })
        #expect(figures["allocations"] == [48_210] && figures["peak"] == [1_482_112])
        #expect(run.scenario == "gamelab" && run.isComplete)
    }

    @Test("the name of a report's scenario can be given")
    func named() throws {
        #expect(try ResultFile(path: Self.golden.path, scenario: "level 1").scenarios.map(\.name) == ["level 1"])
    }

    @Test(
        "what is no result is refused in a sentence",
        arguments: [
            ("", "no report"), ("{}", "no report"), ("[1]", "no report"), ("{\"schema\": 3}", "no report"),
            ("{\"schema\": \"gameprof-report\", \"version\": 3}", "version 3"),
            ("{\"schema\": \"gameprof-report\", \"version\": 1}", "lacks target"),
            ("{\"schema\": \"gameprof-check\", \"version\": 1, \"scenarios\": [{}]}", "scenarios.0 lacks name"),
            ("{\"schema\": \"gameprof-check\", \"version\": 1, \"scenarios\": 7}", "another kind"),
            ("{\"schema\": \"other\", \"version\": 1}", "no report"),
        ])
    func malformed(json: String, reason: String) {
        let error = #expect(throws: ResultFileError.self) { try read(json) }
        #expect(error?.description.hasPrefix("r.json ") == true)
        #expect(error?.description.contains(reason) == true)
    }

    @Test("findings whose counts have no sum are refused")
    func greatestCounts() throws {
        let finding =
            #"{"kind": "leak", "severity": "error", "signature": "s", "title": "t", "count": 9223372036854775807, "bytes": 1}"#
        let json = """
            {"schema": "gameprof-report", "version": 1, "target": {"executable": "g", "wallSeconds": 1},
             "capture": {"instruments": ["leaks"], "dropped": 0, "truncated": false}, "findings": [\(finding), \(finding)]}
            """
        let error = #expect(throws: ResultFileError.self) { try read(json) }
        #expect(error?.description == "r.json holds a number that is no figure of a run.")
    }

    @Test("estimates of a sampled heap are no figures")
    func sampled() throws {
        let text = try String(contentsOf: Self.golden, encoding: .utf8)
        let place = try #require(text.range(of: "\"totals\" : {") ?? text.range(of: "\"totals\": {"))
        let sampled = text.replacingCharacters(
            in: place, with: text[place] + "\"sampled\": {\"samples\": 3, \"figures\": {}}, ")
        func names(_ text: String) throws -> Set<String> { Set(try read(text).scenarios[0].figures.map(\.name)) }
        #expect(try names(text).contains("allocations"))
        #expect(try names(sampled).isDisjoint(with: ["allocations", "peak", "live-bytes"]))
    }

    @Test("negative numbers are refused")
    func negative() {
        #expect(throws: ResultFileError.self) {
            try read(
                """
                {"schema": "gameprof-check", "version": 1, "scenarios": [{"name": "a", "outcome": "passed",
                "target": {"executable": "x", "wallSeconds": 1}, "instruments": [], "findings": [],
                "figures": [{"measure": "cpu", "unit": "nanoseconds", "values": [-1]}]}]}
                """)
        }
    }

    @Test("every beginning of a result is refused or read, none crashes")
    func truncated() throws {
        let whole = try Data(contentsOf: Self.golden)
        for length in stride(from: 0, to: whole.count, by: 97) {
            #expect(throws: ResultFileError.self) { try ResultFile(whole.prefix(length), name: "r") }
        }
    }

    @Test("a missing file is an error")
    func missing() {
        #expect(throws: ResultFileError.self) { try ResultFile(path: "/nonexistent/r.json") }
    }
}
