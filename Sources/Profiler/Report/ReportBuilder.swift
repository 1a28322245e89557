import Foundation

/// Makes the report of a recording.
public enum ReportBuilder {
    /// Analyses the heap snapshots and the allocations. Linear in what the recording holds; symbolication is the
    /// dear part and done in batches.
    public static func build(
        recording: Recording, symbolicator: any Symbolicating, options: ReportOptions = ReportOptions()
    ) -> Report {
        var report = Report(target: target(of: recording), capture: capture(of: recording))
        if !recording.heapSnapshots.isEmpty {
            addHeap(of: recording, symbolicator: symbolicator, options: options, to: &report)
        }
        if recording.program?.instruments.contains(.zombies) ?? false {
            addZombies(of: recording, symbolicator: symbolicator, options: options, to: &report)
        }
        if recording.program?.instruments.contains(.allocations) ?? (recording.allocations.totals.allocations > 0) {
            report.allocations = AllocationRows.rows(
                of: recording, symbolicator: symbolicator, limit: options.allocationRows, typeLimit: options.typeRows)
        }
        if recording.program?.instruments.contains(.time) ?? !recording.samples.entries.isEmpty {
            let profile = ProfileBuilder.build(
                recording, symbolicator: symbolicator, keepsRuntimeFrames: options.keepsRuntimeFrames)
            report.hotspots = HotspotRows.rows(of: profile, limit: options.functionRows)
            report.capture.notes += HotspotRows.notes(of: profile)
        }
        report.capture.problems += CutRecording.sentences(recording, hasLeaks: report.heap != nil)
        // Where frees are missing, everything seems to grow.
        if report.allocations != nil, recording.capture.dropped == 0 {
            addGrowth(of: recording, symbolicator: symbolicator, options: options, to: &report)
        }
        ProbeRows.add(recording, to: &report)
        GenerationRows.add(recording, symbolicator: symbolicator, limit: options.generationRows, to: &report)
        return report
    }

    static func target(of recording: Recording) -> Report.Target {
        let program = recording.program
        var target = Report.Target(
            executable: program?.executable ?? "?", arguments: Array(program?.arguments.dropFirst() ?? []),
            wallSeconds: seconds(recording.exit?.wall ?? recording.wallNanoseconds))
        target.exit = recording.exit.map(Report.Exit.init)
        return target
    }

    static func capture(of recording: Recording) -> Report.Capture {
        Report.Capture(
            instruments: recording.program?.instruments.names ?? [], events: recording.capture.events,
            dropped: recording.capture.dropped, truncated: recording.capture.isTruncated,
            problems: recording.capture.problems, notes: recording.capture.notes)
    }

    private static func addZombies(
        of recording: Recording, symbolicator: any Symbolicating, options: ReportOptions, to report: inout Report
    ) {
        report.findings += ZombieAnalysis(recording: recording, symbolicator: symbolicator).findings()
        report.capture.notes += ZombieNotes.notes(recording)
        report.unusedSuppressions = KnownLeaks.mark(&report.findings, suppressions: options.suppressions)
    }

    private static func addGrowth(
        of recording: Recording, symbolicator: any Symbolicating, options: ReportOptions, to report: inout Report
    ) {
        var found = GrowthFinder(recording: recording, symbolicator: symbolicator).findings(besides: report.findings)
        guard !found.isEmpty else { return }
        let unused = Set(KnownLeaks.mark(&found, suppressions: options.suppressions))
        let isFirst = report.heap == nil && !report.capture.instruments.contains("zombies")
        report.unusedSuppressions = isFirst ? unused.sorted() : report.unusedSuppressions.filter(unused.contains)
        report.findings = sorted(report.findings + found)
    }

    /// Worst first, then the most bytes.
    static func sorted(_ findings: [Finding]) -> [Finding] {
        findings.sorted { left, right in
            (left.severity, right.bytes, left.title, left.signature)
                < (right.severity, left.bytes, right.title, right.signature)
        }
    }

    private static func addHeap(
        of recording: Recording, symbolicator: any Symbolicating, options: ReportOptions, to report: inout Report
    ) {
        let names = RootNames(
            symbolicator: symbolicator, threads: recording.threadNames,
            main: ThreadID(UInt32(clamping: recording.program?.pid ?? 0)))
        let sound = recording.heapSnapshots.filter { $0.unsoundReason == nil }
        let searched = recording.program?.instruments.contains(.leaks) ?? true
        var found = SnapshotFindings()
        var histories = HistoryTeller(recording: recording, symbolicator: symbolicator)
        for snapshot in sound {
            histories.end = snapshot.begin.time
            let analysis = HeapAnalysis(
                snapshot: snapshot, types: recording.types, rootNames: names, histories: histories,
                isKnown: { KnownLeaks.entry(for: $0) != nil })
            let expectations = ExpectationAnalysis(
                snapshot: snapshot, types: recording.types, symbolicator: symbolicator, areLeaksTold: searched,
                holders: analysis.holders)
            found.add((searched ? analysis.findings() : []) + expectations.findings(), of: snapshot)
            // What was asked because of an expectation is told with it.
            let asked =
                snapshot.targets.isEmpty
                ? []
                : analysis.livingObjects().filter { living in
                    !snapshot.expectations.contains { living.asked == "expected \($0.file):\($0.line)" }
                }
            if !asked.isEmpty { report.why = asked }
        }
        report.findings = found.rows(of: sound.count)
        report.unusedSuppressions = KnownLeaks.mark(&report.findings, suppressions: options.suppressions)
        report.findings = sorted(report.findings)
        guard searched else { return }
        if recording.heapSnapshots.count > 1 { report.snapshots = recording.heapSnapshots.map(row) }
        if let reason = recording.heapSnapshots.last?.unsoundReason {
            let heading = sound.isEmpty ? "No conclusion about leaks" : "The last heap snapshot says nothing"
            report.capture.problems.append("\(heading): \(reason).")
        }
        guard let snapshot = sound.last else { return }
        report.capture.notes += [SampleWeights.note(of: snapshot)].compactMap { $0 }
        let errors = report.findings.filter { $0.severity == .error && $0.kind != .outlived }
        report.heap = Report.HeapTotals(
            blocks: snapshot.end?.blocks ?? 0, bytes: snapshot.end?.bytes ?? 0,
            swiftObjects: snapshot.end?.swiftObjects ?? 0,
            leakedBlocks: errors.reduce(into: 0) { sum, finding in
                for count in finding.objects.values { sum.add(clamping: UInt64(clamping: count)) }
            },
            leakedBytes: errors.reduce(0) { $0 &+ $1.bytes }, pauseSeconds: seconds(snapshot.begin.pause))
    }

    private static func row(_ snapshot: HeapSnapshot) -> Report.Snapshot {
        Report.Snapshot(
            number: Int(snapshot.begin.snapshot.rawValue), name: snapshot.begin.name,
            seconds: seconds(snapshot.begin.time), blocks: snapshot.end?.blocks ?? 0,
            bytes: snapshot.end?.bytes ?? 0, unreachableBlocks: snapshot.end?.unreachableBlocks ?? 0,
            pauseSeconds: seconds(snapshot.begin.pause),
            problem: snapshot.unsoundReason)
    }

    static func seconds(_ nanoseconds: UInt64) -> Double { (Double(nanoseconds) / 1e3).rounded() / 1e6 }
}
