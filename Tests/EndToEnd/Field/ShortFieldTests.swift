import Foundation
import Testing

/// One program on other people's libraries, built as they were released; `make field-test` has the others.
@Suite(.serialized) struct ShortFieldTests {
    @Test(arguments: ["leaks", "zombies"])
    func aSoundProgramRunsAsEverAndNothingIsSaidOfIt(instrument: String) throws {
        let report = try FieldReport(instrument, FieldPackage.roster.build())
        #expect(report.told.isEmpty, "\(report.told.map(\.title))")
        #expect(report.capture.problems.isEmpty && report.capture.dropped == 0)
    }

    @Test func aCycleThroughTheLibrarysObjectsIsNamed() throws {
        let program = try FieldPackage.roster.build()
        #expect(try Command.run(program, ["leaking"]).status == 3)
        let report = try FieldReport("leaks", program, ["leaking"])
        #expect(report.told.map(\.kind) == [.retainCycle])
        let cycle = try #require(report.told.first)
        #expect(cycle.count == 3)
        let references = cycle.references
        #expect(references.map(\.from).contains("Roster.Reader"))
        #expect(references.map(\.to).contains("Yams.Constructor"))
        #expect(references.contains { $0.from == "Yams.Constructor" && $0.field == "scalarMap" }, "\(references)")
    }
}
