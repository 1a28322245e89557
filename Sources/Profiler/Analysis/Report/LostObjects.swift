import GameprofTrace

extension ReportBuilder {
    /// The report of what is lost among some of a snapshot's objects. `isWanted`: by the object's address; what a finding
    /// keeps alive belongs to it whatever its own address.
    package static func lost(
        in snapshot: HeapSnapshot, of recording: Recording, symbolicator: any Symbolicating,
        isWanted: (UInt64) -> Bool
    ) -> AnalyzedReport {
        var report = AnalyzedReport(facts: Report(target: target(of: recording), capture: capture(of: recording)))
        let analysis = HeapAnalysis(
            snapshot: snapshot, types: recording.types, rootNames: RootNames(symbolicator: symbolicator),
            fork: recording.fork, frees: recording.firstFrees, isKnown: { KnownLeaks.entry(for: $0) != nil })
        report.findings = analysis.findings { $0.contains { isWanted($0.address) } }
        _ = KnownLeaks.mark(&report.findings, suppressions: [])
        report.facts.heap = heapTotals(of: snapshot, report.findings)
        report.facts.target.wallSeconds = Seconds.of(snapshot.begin.time)
        report.facts.environment = environment(of: recording)
        return report
    }
}
