import Foundation
import Testing

/// Memory that lives by references in the kernel, above a counter, in shared, protected or reserved memory.
@Suite struct FarReferencesTests {
    private func record(_ argument: String) throws -> RecordedReport {
        try RecordedReport.leaks(of: CProgram.compile("FarReferences.c", name: "far-references"), [argument])
    }

    @Test(arguments: [
        "connections", "timers", "lock-free", "waiting", "shared", "written-file", "protected", "reserved", "own-stack",
        "packed", "vast", "shared-protected", "marked",
    ])
    func `what is referred to from far away is no leak`(_ argument: String) throws {
        let recording = try record(argument)
        #expect(recording.report.findings.map(\.message) == [])
        #expect(recording.status == 0)
    }

    @Test(arguments: ["unforked", "wiped"])
    func `memory that the program keeps from copies may refer to anything`(_ argument: String) throws {
        let recording = try record(argument)
        #expect(recording.report.findings.map(\.message) == [])
        #expect(recording.report.capture.problems.contains { $0.contains("MADV_DONTFORK") })
        #expect(recording.status == 4)
    }

    @Test func `what nothing refers to is a leak in the same program`() throws {
        let recording = try record("lost")
        #expect(recording.report.errors.map(\.kind) == [.rawLeak])
        #expect(recording.status == 1)
    }
}
