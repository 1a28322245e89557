import Foundation
import GameprofBasics
import GameprofTrace

/// Analyses a recording. `Report(_:)` in Rendering makes the report of what comes out.
package enum ReportBuilder {
    /// Analyses the heap snapshots and the allocations. Linear in what the recording holds; symbolication is the
    /// dear part and done in batches. `progress` receives a share from 0 to 1 now and then.
    package static func build(
        recording: Recording, symbolicator: any Symbolicating, options: ReportOptions = ReportOptions(),
        progress: (Double) -> Void = { _ in }
    ) -> AnalyzedReport {
        progress(0)
        var recording = recording
        ThreadNames.addStarts(to: &recording, symbolicator)
        var report = AnalyzedReport(facts: Report(target: target(of: recording), capture: capture(of: recording)))
        report.facts.crash = CrashSection.crash(of: recording, symbolicator: symbolicator)
        report.facts.threads = CrashSection.threads(of: recording, symbolicator: symbolicator)
        // Before all else: images are read once for its addresses and for those of stacks.
        if recording.program?.instruments.contains(.leaks) ?? true {
            report.facts.tasks = TaskReportBuilder.section(of: recording, symbolicator: symbolicator)
        }
        if !recording.heapSnapshots.isEmpty {
            addHeap(of: recording, symbolicator: symbolicator, options: options, progress, to: &report)
        }
        if hasZombies(recording) {
            addZombies(of: recording, symbolicator: symbolicator, options: options, to: &report)
        }
        if let escape = EscapeAnalysis(recording: recording, symbolicator: symbolicator).finding(of: report.facts.crash)
        {
            add(
                [escape], isFirst: recording.heapSnapshots.isEmpty && !hasZombies(recording), options: options,
                to: &report)
        }
        if recording.program?.instruments.contains(.allocations) ?? (recording.allocations.totals.allocations > 0) {
            report.facts.allocations = AllocationSectionBuilder.rows(
                of: recording, symbolicator: symbolicator, limit: options.allocationRows, typeLimit: options.typeRows)
            if recording.objects.total > 0, recording.capture.isCut { report.notes.append(.livingObjectsUnlisted) }
        }
        var profile: Profile?
        if recording.program?.instruments.contains(.time) ?? !recording.samples.entries.isEmpty {
            let built = ProfileBuilder.build(
                recording, symbolicator: symbolicator, keepsRuntimeFrames: options.keepsRuntimeFrames)
            report.facts.hotspots = HotspotSectionBuilder.rows(of: built, limit: options.functionRows)
            AllocatingFunctions.add(report.facts.allocations, toLinesOf: &report.facts.hotspots)
            report.notes += HotspotSectionBuilder.notes(of: built)
            profile = built
            report.facts.referenceCounting = ReferenceCountingBuilder(recording, symbolicator)?.section()
        }
        if recording.program?.instruments.contains(.files) ?? !recording.files.isEmpty {
            addFiles(of: recording, symbolicator: symbolicator, options: options, to: &report)
        }
        report.problems += CutRecording.problems(recording, hasLeaks: report.facts.heap != nil)
        // Where frees are missing, everything seems to grow.
        if report.facts.allocations != nil, recording.capture.dropped == 0 {
            addGrowth(of: recording, symbolicator: symbolicator, options: options, to: &report)
            // Where the graph of the heap was recorded, it is known by its holders.
            if report.facts.liveHeap == nil {
                addGrown(GrowthSection(recording: recording, symbolicator: symbolicator).rows(), to: &report)
            }
        }
        if recording.program?.instruments.contains(.allocations) == false {
            addGrown(LookGrowth(recording: recording, symbolicator: symbolicator).rows(), to: &report)
        }
        ProbeSectionBuilder.add(recording, profile: profile, to: &report)
        report.facts.timeline = TimelineBuilder.timeline(of: recording, profile: profile)
        SlowFramePath(report.facts.timeline).add(to: &report)
        SteadyAllocations.add(recording, symbolicator: symbolicator, limit: options.generationRows, to: &report)
        addFailedAllocation(of: recording, symbolicator: symbolicator, to: &report)
        report.facts.residentMemory = residentMemory(of: recording)
        report.facts.footprint = FootprintSection(recording: recording, symbolicator: symbolicator)
            .section(options.heapSnapshot.number)
        report.facts.environment = environment(of: recording)
        GenerationSectionBuilder.add(recording, symbolicator: symbolicator, limit: options.generationRows, to: &report)
        MemoryWarningSectionBuilder.add(
            recording, symbolicator: symbolicator, limit: options.generationRows, to: &report)
        return report
    }

    private static func addFiles(
        of recording: Recording, symbolicator: any Symbolicating, options: ReportOptions,
        to report: inout AnalyzedReport
    ) {
        let builder = FileSectionBuilder(uses: recording.files, symbolicator: symbolicator)
        report.facts.files = builder.section()
        let isFirst = recording.heapSnapshots.isEmpty && !hasZombies(recording)
        add(
            DescriptorLeaks(builder: builder, span: recording.wallNanoseconds).findings(), isFirst: isFirst,
            options: options, to: &report)
    }

    private static func addGrown(
        _ section: (rows: [Report.Grown], omitted: Int), to report: inout AnalyzedReport
    ) {
        let (rows, omitted) = section
        guard !rows.isEmpty else { return }
        report.facts.grew = rows
        report.facts.grewOmitted = omitted > 0 ? omitted : nil
    }

    private static func addFailedAllocation(
        of recording: Recording, symbolicator: any Symbolicating, to report: inout AnalyzedReport
    ) {
        guard let failed = recording.failedAllocation else { return }
        guard failed.hasFailed else {
            report.notes.append(.noAllocationFailed(of: failed.number))
            return
        }
        symbolicator.prepare(stacks: [failed.stack], addresses: [])
        report.facts.failedAllocation = Report.FailedAllocation(
            number: failed.number, bytes: failed.size, seconds: Seconds.of(failed.time),
            requestedBy: CallStack(symbolicator.stack(failed.stack)) ?? CallStack(frames: []))
    }

    private static func residentMemory(of recording: Recording) -> Report.ResidentMemory? {
        guard !recording.residentMemory.isEmpty else { return nil }
        return Report.ResidentMemory(
            peakBytes: recording.residentMemory.peak,
            points: recording.residentMemory.points.map { .init(seconds: Seconds.of($0.time), bytes: $0.bytes) })
    }

    /// What the recorder found out, when recording began, and which tool reports it.
    static func environment(of recording: Recording) -> [String: String] {
        var facts = recording.environment.filter { !MemoryLimits.isOne($0.key) }
        if recording.startUnixNanoseconds > 0 {
            facts["started"] = iso8601(recording.startUnixNanoseconds / 1_000_000_000)
        }
        facts["gameprof"] = Release.current
        return facts
    }

    /// Foundation's formatter would load the time zones of ICU for it.
    private static func iso8601(_ unixSeconds: UInt64) -> String {
        var seconds = time_t(clamping: unixSeconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 40) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            return strftime(start, buffer.count, "%FT%TZ", &parts) > 0 ? String(cString: start) : ""
        }
    }

    static func target(of recording: Recording) -> Report.Target {
        let program = recording.program
        var target = Report.Target(
            executable: program?.executable ?? "?", arguments: Array(program?.arguments.dropFirst() ?? []),
            wallSeconds: Seconds.of(recording.exit?.wall ?? recording.wallNanoseconds))
        target.exit = recording.exit.map(Report.Exit.init)
        return target
    }

    static func capture(of recording: Recording) -> Report.Capture {
        Report.Capture(
            instruments: Instrument.sorted(recording.program?.instruments ?? []), events: recording.capture.events,
            dropped: recording.capture.dropped, truncated: recording.capture.isTruncated,
            problems: recording.capture.problems, notes: recording.capture.notes)
    }

    /// Beside a sampled heap some blocks may have been guarded.
    private static func hasZombies(_ recording: Recording) -> Bool {
        recording.program?.instruments.contains(.zombies) ?? false || recording.zombieSummary?.isSampled ?? false
            || !recording.zombies.isEmpty
    }

    private static func addZombies(
        of recording: Recording, symbolicator: any Symbolicating, options: ReportOptions,
        to report: inout AnalyzedReport
    ) {
        add(
            ZombieAnalysis(recording: recording, symbolicator: symbolicator).findings(),
            isFirst: recording.heapSnapshots.isEmpty, options: options, to: &report)
        report.notes += ZombieNotes.notes(recording)
    }

    /// `isFirst`: nothing was searched for before.
    private static func add(
        _ findings: [AnalyzedFinding], isFirst: Bool, options: ReportOptions, to report: inout AnalyzedReport
    ) {
        var found = findings
        let unused = KnownLeaks.mark(&found, suppressions: options.suppressions)
        report.facts.unusedSuppressions =
            isFirst ? unused : report.facts.unusedSuppressions.filter(Set(unused).contains)
        report.findings += found
    }

    private static func addGrowth(
        of recording: Recording, symbolicator: any Symbolicating, options: ReportOptions,
        to report: inout AnalyzedReport
    ) {
        var found = GrowthFinder(recording: recording, symbolicator: symbolicator).findings(
            besides: report.findings.map(\.facts))
        guard !found.isEmpty else { return }
        let unused = Set(KnownLeaks.mark(&found, suppressions: options.suppressions))
        let isFirst = report.facts.heap == nil && !hasZombies(recording)
        report.facts.unusedSuppressions =
            isFirst ? unused.sorted() : report.facts.unusedSuppressions.filter(unused.contains)
        let grown = Set(found.map(\.facts.type))
        let collections = Set(found.compactMap { GrowthFinder.collection($0.facts.heldBy) })
        report.findings.removeAll { finding in
            guard finding.facts.kind == .accumulation else { return false }
            let isGrown = GrowthFinder.collection(finding.facts.heldBy).map(collections.contains) ?? false
            return isGrown || grown.contains(finding.facts.type)
        }
        report.findings += found
    }

    private static func addHeap(
        of recording: Recording, symbolicator: any Symbolicating, options: ReportOptions,
        _ progress: (Double) -> Void, to report: inout AnalyzedReport
    ) {
        let names = RootNames(
            symbolicator: symbolicator, threads: recording.threadNames,
            main: ThreadID(UInt32(clamping: recording.program?.pid ?? 0)))
        let sound = recording.heapSnapshots.filter { $0.unsoundReason == nil }
        let searched = recording.program?.instruments.contains(.leaks) ?? true
        var found = SnapshotFindings()
        var histories = RetainHistoryBuilder(recording: recording, symbolicator: symbolicator)
        for snapshot in sound {
            histories.end = snapshot.begin.time
            let analysis = HeapAnalysis(
                snapshot: snapshot, types: recording.types, rootNames: names, histories: histories,
                fork: recording.fork, frees: recording.firstFrees, isKnown: { KnownLeaks.entry(for: $0) != nil })
            let expectations = ExpectationAnalysis(
                snapshot: snapshot, types: recording.types, symbolicator: symbolicator, areLeaksTold: searched,
                holders: analysis.holders)
            let outside = OutsideMalloc(recording: recording, symbolicator: symbolicator)
            let lost = searched ? analysis.findings() + outside.findings(in: snapshot) : []
            found.add(lost + expectations.findings(), of: snapshot)
            // What was asked because of an expectation is told with it.
            let asked =
                snapshot.targets.isEmpty
                ? []
                : analysis.livingObjects().filter { living in
                    !snapshot.expectations.contains { living.facts.asked == "expected \($0.file):\($0.line)" }
                }
            if !asked.isEmpty { report.living = typed(asked, snapshot, recording, names) }
        }
        report.findings = found.rows(of: sound.count)
        report.facts.unusedSuppressions = KnownLeaks.mark(&report.findings, suppressions: options.suppressions)
        guard searched else { return }
        if recording.heapSnapshots.count > 1 { report.facts.snapshots = recording.heapSnapshots.map(row) }
        if let reason = recording.heapSnapshots.last?.unsoundReason {
            report.problems.append(.unsoundSnapshot(reason: reason, isLastOnly: !sound.isEmpty))
        }
        guard let snapshot = sound.last else { return }
        if let graph = snapshot.graph {
            addLiveHeap(graph, of: snapshot, sound, recording, names, options: options, progress, to: &report)
        }
        if let note = SampleWeights.note(of: snapshot) { report.notes.append(note) }
        if let unread = snapshot.unread {
            report.problems.append(.unreadMemory(unread))
        } else {
            report.facts.heap = heapTotals(of: snapshot, report.findings)
        }
    }

    static func heapTotals(of snapshot: HeapSnapshot, _ findings: [AnalyzedFinding]) -> Report.HeapTotals {
        let errors = findings.map(\.facts).filter { $0.severity == .error && $0.kind != .outlived }
        return Report.HeapTotals(
            blocks: snapshot.end?.blocks ?? 0, bytes: snapshot.end?.bytes ?? 0,
            swiftObjects: snapshot.end?.swiftObjects ?? 0,
            leakedBlocks: errors.reduce(into: 0) { sum, finding in
                for count in finding.objects.values { sum.add(clamping: UInt64(clamping: count)) }
            },
            leakedBytes: errors.reduce(0) { $0 &+ $1.bytes }, pauseSeconds: Seconds.of(snapshot.begin.pause))
    }

    /// The answers with the paths of the graph, where there is one: it has all references, so that a path begins at a
    /// doubtful word only where no other leads to the object.
    private static func typed(
        _ asked: [AnalyzedObjects], _ snapshot: HeapSnapshot, _ recording: Recording, _ names: RootNames
    ) -> [AnalyzedObjects] {
        guard let graph = snapshot.graph, asked.contains(where: { !$0.facts.ways.isEmpty }) else { return asked }
        let details = HeapDetails(
            HeapOwnership(graph, types: recording.types), types: recording.types, rootNames: names,
            begin: snapshot.begin)
        return asked.map { objects in
            var result = objects
            if case .live = objects.answer, let type = objects.facts.type {
                let ways = details.heldBy(type: type)
                if !ways.isEmpty { result.facts.ways = ways }
            }
            return result
        }
    }

    private static func addLiveHeap(
        _ graph: LiveHeap, of snapshot: HeapSnapshot, _ sound: [HeapSnapshot], _ recording: Recording,
        _ names: RootNames, options: ReportOptions, _ progress: (Double) -> Void, to report: inout AnalyzedReport
    ) {
        progress(0.1)
        // Findings and rows of growth begin with what was allocated, which a look at a process does not know.
        let ownership = HeapOwnership(
            graph, types: recording.types,
            seeksHolders: recording.capture.dropped == 0 && !StackBirths(recording.allocations).isEmpty)
        progress(0.4)
        if options.showsLivingHeap || recording.program?.instruments.contains(.heap) ?? true,
            let shown = LiveHeapSection.chosen(among: sound, options.heapSnapshot)
        {
            let isLast = shown.begin.snapshot == snapshot.begin.snapshot
            let other = isLast ? nil : shown.graph.map { HeapOwnership($0, types: recording.types) }
            report.facts.liveHeap = ownership.prepared {
                LiveHeapSection(
                    snapshot: shown, snapshots: sound, ownership: other ?? ownership, recording: recording,
                    rootNames: names
                ).section(options) { progress(0.4 + 0.5 * $0) }
            }
            if recording.capture.dropped == 0 {
                addGrown(
                    GrowthSection(
                        recording: recording, symbolicator: names.symbolicator,
                        heaps: [ownership] + (other.map { [$0] } ?? []), rootNames: names
                    ).rows(), to: &report)
            }
        }
        progress(0.9)
        guard snapshot.unread == nil else { return }
        var found = LivingSuspects(
            recording: recording, snapshot: snapshot, ownership: ownership, rootNames: names
        ).findings(besides: report.findings.map(\.facts))
        guard !found.isEmpty else { return }
        let unused = Set(KnownLeaks.mark(&found, suppressions: options.suppressions))
        report.facts.unusedSuppressions = report.facts.unusedSuppressions.filter(unused.contains)
        let abandoned = Set(found.filter { $0.facts.kind == .abandoned }.map(\.facts.type))
        report.findings.removeAll { $0.facts.kind == .reachableCycle && abandoned.contains($0.facts.type) }
        report.findings += found
    }

    private static func row(_ snapshot: HeapSnapshot) -> Report.Snapshot {
        Report.Snapshot(
            number: Int(snapshot.begin.snapshot.rawValue), name: snapshot.begin.name,
            seconds: Seconds.of(snapshot.begin.time), blocks: snapshot.end?.blocks ?? 0,
            bytes: snapshot.end?.bytes ?? 0, unreachableBlocks: snapshot.end?.unreachableBlocks ?? 0,
            pauseSeconds: Seconds.of(snapshot.begin.pause),
            problem: snapshot.unsoundReason)
    }
}
