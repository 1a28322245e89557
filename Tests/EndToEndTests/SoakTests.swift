import Foundation
import Testing

/// Long runs of what goes wrong once in a thousand times: `make soak`.
@Suite(.serialized, .enabled(if: LongTests.soak))
struct SoakTests {
    /// Cases whose outcome depends on where the threads stand when the heap is frozen.
    static let concurrent = (ShapeCase.innocent + ShapeCase.scheduled + ShapeCase.concurrency)
        .filter { $0.program == .concurrency || $0.program == .scheduled }

    @Test(arguments: concurrent, SwiftProgram.Build.usual)
    func `a hundred repetitions say the same`(_ shape: ShapeCase, in build: SwiftProgram.Build) throws {
        for _ in 1...100 { try ShapeCheck.run(shape, in: build) }
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `three hundred snapshots of a busy program claim nothing and change nothing`(
        _ build: SwiftProgram.Build
    ) throws {
        let program = try SwiftProgram.compile(files: ["Snapshots.swift"], module: "Snapshots", build: build)
        var snapshots = 0
        while snapshots < 300 {
            let folder = try TemporaryFolder()
            let json = folder.url.appending(path: "report.json")
            let result = try Command.run(
                Products.gameprof,
                ["leaks", "--quiet", "--snapshot-every", "0.01", "--json", json.path, "--", program.path, "busy", "10"])
            let report = try JSONDecoder().decode(SoakReport.self, from: try Data(contentsOf: json))
            #expect(report.findings.filter { $0.severity == "error" }.map(\.message) == [])
            #expect(report.capture.problems == [])
            #expect(result.output == "done\n")
            #expect(result.status == 0, "\(result.error)")
            try #require((report.snapshots?.count ?? 0) > 1)
            snapshots += report.snapshots?.count ?? 0
        }
    }
}

private struct SoakReport: Decodable {
    struct Finding: Decodable {
        var severity: String
        var message: String
    }
    struct Capture: Decodable {
        var problems: [String]
    }
    struct Snapshot: Decodable {
        var number: Int
    }
    var findings: [Finding]
    var capture: Capture
    var snapshots: [Snapshot]?
}
