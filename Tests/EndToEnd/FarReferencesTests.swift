import Foundation
import Testing

/// Memory that lives by references in the kernel, above a counter, in shared, protected or reserved memory.
@Suite struct FarReferencesTests {
    private func record(_ argument: String) throws -> RecordedReport {
        try RecordedReport.leaks(of: CProgram.compile("FarReferences.c", name: "far-references"), [argument])
    }

    @Test(arguments: [
        "connections", "timers", "lock-free", "waiting", "shared", "written-file", "protected", "reserved", "own-stack",
        "packed",
    ])
    func `what is referred to from far away is no leak`(_ argument: String) throws {
        let recording = try record(argument)
        #expect(recording.report.findings.map(\.message) == [])
        #expect(recording.status == 0)
    }

    @Test func `what nothing refers to is a leak in the same program`() throws {
        let recording = try record("lost")
        #expect(recording.report.errors.map(\.kind) == [.rawLeak])
        #expect(recording.status == 1)
    }
}
