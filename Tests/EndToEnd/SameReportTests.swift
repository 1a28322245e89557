import Foundation
import Testing

@testable import GameLab
@testable import GameprofAnalysis

/// One program makes one report: what is found, in which order, under which ids and with which counts and fixes does not depend on
/// where its memory lies, and not on what its threads do first. Times do, and so may what libraries keep, as where a
/// timer of libdispatch stands at the end: bytes and rows of growth are not compared.
struct SameReports {
    /// The reports of so many runs, without what is a time.
    static func texts(of program: URL, _ arguments: [String], runs: Int) throws -> Set<String> {
        var texts: Set<String> = []
        for _ in 0..<runs {
            let report = try RecordedReport.leaks(of: program, arguments).report
            let findings = report.findings.map { finding in
                [
                    finding.signature, finding.message, finding.fix ?? "", "\(finding.count)",
                    "\(finding.objects.sorted { $0.key < $1.key })", "\(finding.references)",
                    "\(finding.heldBy ?? [])", "\(finding.fixes ?? [])",
                    "\(finding.allocatedBy?.frames.map(\.function) ?? [])",
                ].joined(separator: "\n")
            }
            texts.insert(findings.joined(separator: "\n\n"))
        }
        return texts
    }

    static func forgotten(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(files: ["Forgotten.swift", "Common.swift"], module: "Forgotten", build: build)
    }
}

@Suite struct SameReportTests {
    @Test(
        "two runs of a fault have one report", arguments: ["undo-cycle", "observer-cycle", "tree-cycle", "card-cache"])
    func faults(_ name: String) throws {
        let texts = try SameReports.texts(of: Products.GameLabBuild.fastest.executable, ["fault", name], runs: 2)
        #expect(texts.count == 1, "\(texts.joined(separator: "\n----\n"))")
    }

    @Test(
        "two runs of a forgetful program have one report", arguments: ["two-captures", "event-bus"])
    func forgotten(_ name: String) throws {
        let texts = try SameReports.texts(of: SameReports.forgotten(.optimised), [name], runs: 2)
        #expect(texts.count == 1, "\(texts.joined(separator: "\n----\n"))")
    }
}

/// The same for all faults, ten runs each: `make soak`.
@Suite(.enabled(if: LongTests.soak)) struct SameReportSoakTests {
    @Test("ten runs of a fault have one report", arguments: FaultRegistry.all.map { $0.name })
    func faults(_ name: String) throws {
        let texts = try SameReports.texts(of: Products.GameLabBuild.fastest.executable, ["fault", name], runs: 10)
        #expect(texts.count == 1, "\(texts.joined(separator: "\n----\n"))")
    }
}
