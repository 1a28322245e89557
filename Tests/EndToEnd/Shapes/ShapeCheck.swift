import Foundation
import Testing

@testable import GameprofAnalysis

/// Runs a case bare and recorded, and compares both with what the case expects.
enum ShapeCheck {
    /// - Parameters:
    ///   - mayMiss: whether it is enough that nothing wrong is said.
    ///   - again: a repetition: the bare program is not run.
    static func run(
        _ shape: ShapeCase, in build: SwiftProgram.Build, mayMiss: Bool = false, again: Bool = false
    ) throws {
        let files = ["Common.swift", "\(shape.program.rawValue).swift"]
        let program = try SwiftProgram.compile(files: files, module: shape.program.rawValue, build: build)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let recorded = try Command.run(
            Products.gameprof,
            ["leaks", "--quiet", "--json", json.path, "--", program.path, shape.argument])
        try #require(
            FileManager.default.fileExists(atPath: json.path),
            "no report, exit \(recorded.status): \(recorded.error)")
        let report = try Report(json: json)
        let said = report.errors.map {
            "\($0.kind.rawValue) \($0.count)× \($0.message) \(references($0, of: shape).sorted())"
        }

        if case .silence = shape.expectation {
            #expect(said == [])
            #expect(recorded.status == 0, "\(recorded.error)")
            if again { return }
            let bare = try Command.run(program, [shape.argument])
            #expect(recorded.output == bare.output)
            return
        }
        for fix in report.findings.compactMap(\.fix) {
            #expect(try FixCheck.unknown(in: fix, of: SwiftProgram.sources(files)) == [], "\(fix)")
        }
        if mayMiss, report.errors.isEmpty { return }
        #expect(recorded.status == 1, "\(recorded.error)")
        guard !report.errors.isEmpty else {
            Issue.record("nothing is found")
            return
        }
        if case .errorNaming(let type) = shape.expectation {
            let name = "\(shape.program.rawValue).\(type)"
            #expect(report.errors.contains { $0.objects[name] != nil }, "\(said)")
            return
        }
        try #require(report.errors.count == 1, "\(said)")
        let finding = report.errors[0]
        #expect(finding.count == shape.count, "\(said)")
        switch shape.expectation {
        case .cycle(let edges):
            #expect(finding.kind == .retainCycle, "\(said)")
            #expect(references(finding, of: shape) == edges)
        case .lostObject(let type):
            #expect([.leak, .overRetain].contains(finding.kind), "\(said)")
            #expect(withoutModule(finding.type, of: shape) == type, "\(said)")
        case .lostMemory(let bytes):
            #expect(finding.kind == .rawLeak, "\(said)")
            #expect(finding.bytes == bytes, "\(said)")
        case .errorNaming, .silence: break
        }
    }

    /// "Owner.slots[…].part → Part", in no order: where a cycle is begun to be read does not matter.
    private static func references(_ finding: Finding, of shape: ShapeCase) -> Set<String> {
        Set(
            finding.references.map { reference in
                let path = reference.path
                let dot = path.hasPrefix("[") ? "" : "."
                return withoutModule("\(reference.from)\(dot)\(path) → \(reference.to)", of: shape)
            })
    }

    private static func withoutModule(_ text: String, of shape: ShapeCase) -> String {
        text.replacing("\(shape.program.rawValue).", with: "")
    }
}
