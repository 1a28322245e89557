import Foundation
import Testing

@testable import GameprofAnalysis

/// Each entry of the known-leak list is shown by a program, on the toolchain at hand; XCTest's cases only where no stale memory holds
/// them.
@Suite(.enabled(if: LongTests.field)) struct KnownLeakFieldTests {
    /// An entry's name, and the case of `KnownLeaks.swift` that shows it.
    private static let shown = [
        "Foundation attributed strings": "attributed-strings",
        "Foundation timers": "timers",
        "Foundation timers in run loops": "timers-in-run-loops",
        "Foundation XML documents": "xml-documents",
        "Foundation URL sessions": "url-sessions",
        "Foundation caches dropped with entries": "caches",
        "Foundation errors of unreadable archives": "unreadable-property-lists",
        "Swift runtime warnings": "dropped-continuations",
    ]

    private static let ofXCTest: Set = ["XCTest suites and their runs", "XCTest cases, their runs and meters"]

    private static func findings(
        of files: [String], module: String, in build: SwiftProgram.Build, _ arguments: [String] = []
    ) throws -> RecordedReport {
        try RecordedReport.leaks(of: SwiftProgram.compile(files: files, module: module, build: build), arguments)
    }

    @Test func `every entry of the list has a program`() {
        let names = KnownLeaks.list.map(\.name)
        #expect(Set(names) == Set(Self.shown.keys).union(Self.ofXCTest))
    }

    /// Where the set of modes is reached from the timer that is lost, it is no row of its own: its 24 bytes are the timer's.
    private static func isWithModes(_ finding: Finding, _ entry: String) -> Bool {
        entry == "Foundation timers in run loops" && finding.known == "Foundation timers" && finding.bytes == 272 + 24
    }

    @Test(arguments: shown.sorted { $0.key < $1.key }, SwiftProgram.Build.usual)
    func `what Foundation loses is listed apart, as a note`(
        _ shown: (key: String, value: String), in build: SwiftProgram.Build
    ) throws {
        let run = try Self.findings(
            of: ["Common.swift", "KnownLeaks.swift"], module: "KnownLeaks", in: build, [shown.value])
        #expect(
            run.report.findings.contains { $0.known == shown.key || Self.isWithModes($0, shown.key) },
            "\(run.report.findings.map(\.message))")
        #expect(run.report.findings.allSatisfy { $0.severity == .note }, "\(run.report.errors.map(\.message))")
        #expect(run.status == 0)
    }

    /// Stale words in C memory (ICU's, a thread's) may hold the cases: then they are alive, and the suites alone are lost. Their
    /// entry is shown by HeapLibraryTests.
    @Test(arguments: SwiftProgram.Build.usual)
    func `what XCTest loses is listed apart, as a note`(_ build: SwiftProgram.Build) throws {
        let run = try Self.findings(of: ["XCTestLeaks.swift"], module: "XCTestLeaks", in: build)
        let known = Set(run.report.findings.compactMap(\.known))
        #expect(known.contains("XCTest suites and their runs") && known.isSubset(of: Self.ofXCTest), "\(known)")
        #expect(run.report.errors.map(\.message) == [])
        #expect(run.status == 0, "\(run.error)")
    }

    @Test(
        arguments: ["emptied-cache", "xml-parser", "notification-center", "requests", "dispatch", "runtime"],
        SwiftProgram.Build.usual)
    func `what is near to a known leak loses nothing`(_ argument: String, in build: SwiftProgram.Build) throws {
        let run = try Self.findings(
            of: ["Common.swift", "KnownLeaks.swift"], module: "KnownLeaks", in: build, [argument])
        #expect(run.report.findings.map(\.message) == [])
    }
}
