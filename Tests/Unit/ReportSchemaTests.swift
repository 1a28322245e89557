import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct ReportSchemaTests {
    private func schema() throws -> ReportSchema {
        let file = Repository.file("Documentation/report.schema.json")
        let root = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        return ReportSchema(root: root)
    }

    private func problems(of report: Report) throws -> [String] {
        let json = try JSONReport.render(report)
        return try schema().problems(of: JSONSerialization.jsonObject(with: Data(json.utf8)))
    }

    @Test func reportsFollowTheSchema() throws {
        #expect(try problems(of: ReportFixture.full).isEmpty)
        #expect(try problems(of: ReportFixture.clean).isEmpty)
        var explained = ReportFixture.full
        explained.footprint = ReportFixture.footprint.worded(explained.typeNames)
        #expect(try problems(of: explained).isEmpty && JSONReport.read(JSONReport.render(explained)) == explained)
        let time = TimeFixture.game
        time.sample("work", work: WorkRecord(kind: .task, name: "solver"))
        time.count(frames: [[TimeFixture.user("deal", line: 3)]], type: time.type("Game.Card"), calls: 5)
        time.count(frames: [[TimeFixture.user("deal")], [TimeFixture.plumbing("copy")]], calls: 5, sampled: 5)
        #expect(try problems(of: time.report()).isEmpty)
        var probing = ReportFixture.clean
        ReportFixture.addProbes(named: "tilt", to: &probing)
        ReportFixture.addFiles(named: "/etc/hosts", to: &probing)
        probing.timeline = .init()
        #expect(try problems(of: probing).isEmpty)
        #expect(try JSONReport.read(JSONReport.render(probing)) == probing)
    }

    @Test func `all of a report but its timeline stands in the JSON`() {
        let parts = Mirror(reflecting: ReportFixture.clean).children.compactMap(\.label)
        #expect(Set(parts).subtracting(["timeline"]) == Set(Report.CodingKeys.allCases.map(\.stringValue)))
    }

    @Test("instruments of another version are left out when a report is read")
    func unknownInstruments() throws {
        var report = ReportFixture.clean
        report.capture.instruments = [.leaks, .time]
        let json = try JSONReport.render(report)
        let names = try #require(json.firstMatch(of: /"instruments":\["leaks","time"\]/))
        let newer = json.replacingCharacters(in: names.range, with: "\"instruments\":[\"leaks\",\"energy\"]")
        #expect(try JSONReport.read(newer).capture.instruments == [.leaks])
    }

    /// What scripts read: names and nesting as other programs spell them, not as this package decodes them.
    @Test("the JSON of a report has the keys of its contract") func keys() throws {
        let root = try #require(
            JSONSerialization.jsonObject(with: Data(JSONReport.render(ReportFixture.full).utf8)) as? [String: Any])
        #expect(root["schema"] as? String == "gameprof-report" && root["version"] as? Int == 2)
        let capture = try #require(root["capture"] as? [String: Any])
        #expect(
            Set(capture.keys) == ["instruments", "events", "dropped", "truncated", "problems", "notes"])
        #expect((capture["instruments"] as? [String])?.isEmpty == false)
        let finding = try #require((root["findings"] as? [[String: Any]])?.first)
        #expect(
            Set(finding.keys).isSuperset(of: [
                "kind", "severity", "signature", "title", "message", "count", "bytes", "type", "objects", "references",
                "allocatedBy",
            ]))
        #expect(finding["kind"] as? String == "retain-cycle" && finding["severity"] as? String == "error")
        let reference = try #require((finding["references"] as? [[String: Any]])?.first)
        #expect(Set(reference.keys).isSuperset(of: ["from", "field", "to", "path", "ownership", "via"]))
        let stack = try #require(finding["allocatedBy"] as? [String: Any])
        let place = try #require(stack["stack"] as? Int)
        let frames = try #require((root["stacks"] as? [[Int]])?[place])
        let first = try #require(frames.first)
        let frame = try #require((root["stackFrames"] as? [[String: Any]])?[first])
        #expect(Set(frame.keys).isSuperset(of: ["function", "module", "inlined", "origin"]))
    }

    @Test func `version 1 has each stack in full, follows the schema and is read`() throws {
        var report = ReportFixture.full
        report.version = 1
        #expect(try problems(of: report).isEmpty)
        #expect(try JSONReport.read(JSONReport.render(report)) == report)
        #expect(try !JSONReport.render(report).contains("stackFrames"))
    }

    @Test func `a stack of many findings is written once`() throws {
        var report = ReportFixture.full
        let few = try JSONReport.render(report).utf8.count
        let frames = (0..<50).map {
            CallStack.Frame(function: "function\($0)", module: String(repeating: "m", count: 40))
        }
        report.findings = (0..<100).map { _ in
            var finding = ReportFixture.full.findings[0]
            finding.allocatedBy = CallStack(frames: frames)
            return finding
        }
        report.version = 1
        let inFull = try JSONReport.render(report).utf8.count
        report.version = 2
        #expect(try JSONReport.render(report).utf8.count * 3 < inFull + 3 * few)
        #expect(try JSONReport.read(JSONReport.render(report)) == report)
    }

    @Test(arguments: [("\"stack\":0", "\"stack\":999"), ("\"stacks\":[[0", "\"stacks\":[[-1")])
    func `a stack that the report lacks is refused`(_ change: (of: String, to: String)) throws {
        let json = try JSONReport.render(ReportFixture.full)
        #expect(json.contains(change.of))
        #expect(throws: DecodingError.self) { try JSONReport.read(json.replacing(change.of, with: change.to)) }
    }

    @Test func theSchemaRefusesWhatIsWrong() throws {
        var report = ReportFixture.full
        report.version = 3
        report.findings[0].references[0].ownership = "borrowed"
        report.findings[0].count = 0
        #expect(try problems(of: report).count == 3)
        #expect(try !schema().problems(of: ["schema": "gameprof-report"]).isEmpty)
    }

    @Test func aReportIsReadAsItWasWrittenAndAnotherVersionRefused() throws {
        var report = ReportFixture.full
        #expect(try JSONReport.read(JSONReport.render(report)) == report)
        report.version = 9
        let json = try JSONReport.render(report)
        #expect(throws: ReportError.otherVersion(9)) { try JSONReport.read(json) }
    }
}

/// The part of JSON Schema that report.schema.json uses; also finds fields that the schema does not declare.
struct ReportSchema {
    let root: [String: Any]

    func problems(of value: Any) -> [String] { check(value, root, at: "$") }

    private func check(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        var problems: [String] = []
        if let reference = schema["$ref"] as? String {
            let name = reference.replacingOccurrences(of: "#/$defs/", with: "")
            let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any]
            problems += target.map { check(value, $0, at: path) } ?? ["\(path): no definition \(name)"]
        }
        if let type = schema["type"] as? String, !has(value, type: type) { problems.append("\(path): not \(type)") }
        if let constant = schema["const"], !equal(value, constant) { problems.append("\(path): not \(constant)") }
        if let choices = schema["enum"] as? [Any], !choices.contains(where: { equal(value, $0) }) {
            problems.append("\(path): not one of \(choices)")
        }
        if let minimum = schema["minimum"] as? NSNumber, let number = value as? NSNumber,
            number.doubleValue < minimum.doubleValue
        {
            problems.append("\(path): below \(minimum)")
        }
        if let object = value as? [String: Any] { problems += members(object, schema, at: path) }
        if let array = value as? [Any], let items = schema["items"] as? [String: Any] {
            for (index, item) in array.enumerated() { problems += check(item, items, at: "\(path)[\(index)]") }
        }
        return problems
    }

    private func members(_ object: [String: Any], _ schema: [String: Any], at path: String) -> [String] {
        var problems: [String] = []
        for key in schema["required"] as? [String] ?? [] where object[key] == nil {
            problems.append("\(path): \(key) is missing")
        }
        let properties = schema["properties"] as? [String: Any]
        let others = schema["additionalProperties"] as? [String: Any]
        for (key, value) in object {
            if let member = properties?[key] as? [String: Any] {
                problems += check(value, member, at: "\(path).\(key)")
            } else if let others {
                problems += check(value, others, at: "\(path).\(key)")
            } else if properties != nil {
                problems.append("\(path): \(key) is not declared")
            }
        }
        return problems
    }

    private func has(_ value: Any, type: String) -> Bool {
        switch type {
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "string": return value is String
        case "boolean": return (value as? NSNumber).map(isBoolean) ?? false
        case "number": return (value as? NSNumber).map { !isBoolean($0) } ?? false
        case "integer":
            return (value as? NSNumber).map { !isBoolean($0) && $0.doubleValue.rounded() == $0.doubleValue } ?? false
        default: return false
        }
    }

    private func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

    private func equal(_ left: Any, _ right: Any) -> Bool {
        (left as? NSObject).map { $0.isEqual(right) } ?? ("\(left)" == "\(right)")
    }
}
