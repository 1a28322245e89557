import Foundation
import GameprofReportModel
import Testing

/// What a report advises can be done in the sources, and compiles there.
@Suite struct CureTests {
    private static func finding(_ argument: String, _ build: SwiftProgram.Build) throws -> Finding {
        let program = try SwiftProgram.compile(
            files: ["Common.swift", "Cures.swift"], module: "Cures", build: build)
        let run = try RecordedReport.leaks(of: program, [argument])
        try #require(run.report.errors.count == 1, "\(run.report.errors.map(\.message))")
        return run.report.errors[0]
    }

    /// A case, what its fix says and what it must not say.
    private static let cures: [(argument: String, says: String, never: String)] = [
        ("captured-variable", "to nil when it is done", "weak"),
        ("captured-variable-beside-an-object", "to nil when it is done", "weak"),
        ("two-variables", "to nil when it is done", "weak"),
        ("observed", "[weak self]", "observationRegistrar"),
        ("generic", "Pipe.inner", "weak var"),
        ("enum-payload", "Chain.link", "weak var"),
        ("dependencies", "Foundation's own", "__dependencies"),
        ("timer", "capture Ticker weakly", "retain"),
    ]

    @Test(
        "a fix names what the user wrote, and no weak that does not compile", arguments: cures, SwiftProgram.Build.usual
    )
    func fixes(_ cure: (argument: String, says: String, never: String), in build: SwiftProgram.Build) throws {
        let finding = try Self.finding(cure.argument, build)
        let fix = try #require(finding.fix)
        #expect(fix.contains(cure.says) && !fix.contains(cure.never), "\(fix)")
        #expect(
            try FixCheck.unknown(in: fix, of: SwiftProgram.sources(["Common.swift", "Cures.swift"])) == [], "\(fix)")
    }

    @Test(
        "a captured variable that holds a closure makes one step for each closure", arguments: SwiftProgram.Build.usual)
    func stepsBetweenClosures(_ build: SwiftProgram.Build) throws {
        for (argument, steps) in [
            ("captured-variable", 1), ("captured-variable-beside-an-object", 1), ("two-variables", 2),
        ] {
            let references = try Self.finding(argument, build).references
            #expect(references.count == steps, "\(argument): \(references)")
            #expect(references.allSatisfy { $0.from.hasPrefix("closure #") }, "\(argument): \(references)")
        }
    }
}
