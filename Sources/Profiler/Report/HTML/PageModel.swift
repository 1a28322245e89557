import Foundation
import GameprofAnalysis
import GameprofBasics

/// What the page's template is filled with.
struct PageModel {
    let report: Report
    let names: ShortNames
    let limits: PageLimits
    let sources: SourceLines
    /// The page that lists this one.
    var index: String?
    /// It begins with resident memory.
    var explainsFootprint = false
    /// The page was too big with wider limits.
    let isCut: Bool

    var values: [String: Any] {
        let timeline = TimelineLanes(report, columns: limits.timelinePoints)
        let lanes = timeline.map { timeline in
            timeline.values.merging([
                "tracks": TimelineTracks(report.timeline, lanes: timeline, limits: limits).json,
                "hasThreads": report.timeline.hasStates,
            ]) { $1 }
        }
        let shown = report.findings.prefix(limits.findings)
        var signatures: Set<String> = []
        let views = shown.enumerated().map { index, finding in
            (
                finding.severity,
                FindingView(
                    finding: finding, number: index, names: names, limits: limits, sources: sources,
                    timelineSeconds: timeline?.span,
                    isRepeated: !signatures.insert(finding.shortSignature).inserted
                ).values
            )
        }
        let probes = ProbesView(report, names: names, limits: limits)?.values
        let verdict = PageVerdict(report)
        // The use of a dead object says more of the same end.
        let crash = CrashView(
            crash: report.crash, threads: report.threads, limits: limits, sources: sources,
            isOpen: !report.findings.contains { $0.kind == .zombie })
        let footprint = report.footprint.map {
            FootprintView(footprint: $0, names: names, limits: limits, isLeading: explainsFootprint).values
        }
        let defects = views.filter { $0.0 != .note }.map(\.1)
        let notes = views.filter { $0.0 == .note }.map(\.1)
        let more = report.findings.count - shown.count
        return [
            "style": style(hasTimeline: timeline != nil), "script": script(hasTimeline: timeline != nil),
            "program": program, "instruments": report.capture.instruments.map(\.rawValue).joined(separator: ", "),
            "verdict": headline ?? verdict.sentence, "worst": (headline == nil ? verdict.kind : .neutral).rawValue,
            "index": optional(indexLink),
            "contents": contents(hasTimeline: lanes != nil, hasProbes: probes != nil),
            "frames": optional(
                FramesView(report: report, limits: limits, headline: headline ?? verdict.sentence).values),
            "hasFrames": hasFrames,
            "figures": figures, "problems": report.capture.problems.prefix(20).map { PageText.clean($0) },
            "crash": optional(crash.values), "threads": optional(crash.threadValues),
            "cut": optional(
                isCut ? "The page was shortened to stay below two megabytes. The JSON report has everything." : nil),
            "failed": optional(
                report.failedAllocation.map { failed in
                    [
                        "sentence": FailedAllocationText.sentence(report) ?? "",
                        "stack": StackView(
                            label: "Requested by", stack: failed.requestedBy, limits: limits, sources: sources
                        ).values,
                    ]
                }),
            "hasFindings": !defects.isEmpty, "nothing": nothing.sentence, "nothingKind": nothing.kind.rawValue,
            "findings": defects, "notes": notes,
            "hasNotes": !notes.isEmpty,
            "moreFindings": optional(
                more > 0 ? "\(NumberFormat.are(more, "more finding")) in the JSON report." : nil),
            "unused": optional(unused),
            "why": optional(
                report.why.map { why in
                    [
                        "living": why.prefix(limits.findings).map { living in
                            LivingView(living: living, names: names, limits: limits).values
                        }
                    ]
                }),
            "files": optional(report.files.map { FilesView(files: $0, limits: limits).values }),
            "leadingFootprint": optional(explainsFootprint ? footprint : nil),
            "footprint": optional(explainsFootprint ? nil : footprint),
            "grew": optional(GrownView(report, names: names, limits: limits)?.values),
            "heap": optional(report.liveHeap.map { HeapView(heap: $0, names: names, limits: limits).values }),
            "tasks": optional(
                report.tasks.map { TasksView($0, names: names, limits: limits, sources: sources).values }),
            "allocations": optional(
                report.allocations.map {
                    AllocationsView(
                        allocations: $0, findings: report.findings, names: names, limits: limits, sources: sources
                    ).values
                }),
            "hotspots": optional(
                report.hotspots.map {
                    HotspotsView(
                        hotspots: $0, limits: limits, sources: sources
                    ).values
                }),
            "referenceCounting": optional(
                report.referenceCounting.map {
                    ReferenceCountingView(counting: $0, names: names, limits: limits).values
                }),
            "memoryWarnings": optional(
                report.memoryWarnings.map { MemoryWarningsView(warnings: $0, names: names, limits: limits).values }),
            "findingsLead": findingsLead, "findingsFollow": looksForFindings && !findingsLead,
            "lanes": optional(lanes), "probes": optional(probes),
            "environment": environment, "remarks": report.capture.notes.prefix(20).map { PageText.clean($0) },
        ]
    }

    private func contents(hasTimeline: Bool, hasProbes: Bool) -> [[String: Any]] {
        [
            (findingsLead, "findings", "Findings"),
            (hasFrames, "frames", "Frames"), (hasFrames && hasTimeline, "timeline", "Timeline"),
            (looksForFindings && !findingsLead, "findings", "Findings"),
            (report.memoryWarnings != nil, "memory-warnings", "Memory warnings"),
            (report.why != nil, "why", "Why they live"),
            (report.footprint != nil, "footprint", FootprintWords.heading),
            (report.grew != nil, "grew", "Growth"), (report.liveHeap != nil, "heap", "Live heap"),
            (report.tasks != nil, "tasks", "Tasks"),
            (hasTimeline && !hasFrames, "timeline", "Timeline"), (report.hotspots != nil, "time", "Time"),
            (report.referenceCounting != nil, "reference-counting", "Reference counting"),
            (report.allocations != nil, "allocations", "Allocations"), (report.files != nil, "files", "Files"),
            (hasProbes, "probes", "Probes"),
            (true, "environment", "Environment"),
        ].filter(\.0).map { ["id": $0.1, "title": $0.2] }
    }

    private var headline: String? {
        guard explainsFootprint, let footprint = report.footprint else { return nil }
        return PageText.clean(FootprintWords(footprint, names: names).headline, limit: 200)
    }

    private var indexLink: String? { index?.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) }

    /// Then the page begins with them, unless there are errors.
    private var hasFrames: Bool { report.frames?.isEmpty == false }

    private var hasHeap: Bool { report.liveHeap != nil }

    private var hasFlame: Bool { report.hotspots != nil || report.allocations != nil || hasHeap }

    private func style(hasTimeline: Bool) -> String {
        let parts =
            [PageStyle.css] + (hasTimeline ? [PackageResources.timeline_css] : [])
            + (hasFrames ? [PackageResources.frames_css] : [])
            + (hasFlame ? [PackageResources.flame_css] : []) + (hasHeap ? [PackageResources.heap_css] : [])
        return parts.map { String(decoding: $0, as: UTF8.self) }.joined()
    }

    private func script(hasTimeline: Bool) -> String {
        let parts =
            [PackageResources.page_js] + (hasTimeline ? [PackageResources.timeline_js] : [])
            + (hasFrames ? [PackageResources.frames_js] : [])
            + (hasFlame ? [PackageResources.flame_js] : []) + (hasHeap ? [PackageResources.heap_js] : [])
        return parts.map { String(decoding: $0, as: UTF8.self) }.joined()
    }

    /// A recording of time alone has no findings to speak of.
    private var looksForFindings: Bool {
        report.hotspots == nil || report.heap != nil || !report.findings.isEmpty
            || report.capture.instruments.contains { $0 != .time }
    }

    /// They stand in front of the frames.
    private var findingsLead: Bool { report.findings.contains { $0.severity == .error } }

    private var program: String {
        let name = String(report.target.executable.split(separator: "/").last ?? "?")
        return PageText.clean(([name] + report.target.arguments).joined(separator: " "), limit: 200)
    }

    private var nothing: (kind: PageVerdict.Kind, sentence: String) {
        let isZombies = report.capture.instruments.contains(.zombies)
        if report.heap == nil, !isZombies, let files = report.files, !report.capture.truncated {
            if let open = TextFiles.stillOpen(files) { return (.neutral, PageText.clean(open, limit: 200) + ".") }
            let areClosed = files.neverClosed.isEmpty
            return (
                .good,
                areClosed ? "No descriptor that the program opened is open." : "No descriptor leak was found."
            )
        }
        if report.heap == nil, !isZombies {
            let isAsked = report.capture.instruments.contains(.leaks)
            let sentence =
                report.capture.problems.isEmpty
                ? "There is no heap snapshot, so leaks were not searched for."
                : "There is no conclusion about leaks; see above."
            return (isAsked ? .unmeasured : .neutral, sentence)
        }
        guard PageVerdict(report).kind != .unmeasured else {
            return (.unmeasured, "There is no finding, but the recording is incomplete; see above.")
        }
        return (.good, isZombies ? "No deallocated object was used." : "Nothing leaks.")
    }

    private var unused: String? {
        guard !report.unusedSuppressions.isEmpty else { return nil }
        let list = report.unusedSuppressions.prefix(20).map { PageText.clean($0, limit: 80) }
        return "These suppressions matched nothing: \(list.joined(separator: ", "))."
    }

    /// None of a core file or of a process that runs on.
    private var runTime: [(String, String)] {
        let seconds = report.target.wallSeconds
        return seconds > 0 ? [("run time", NumberFormat.seconds(seconds))] : []
    }

    private var figures: [[String: Any]] {
        var result = runTime
        if let heap = report.heap {
            result.append(
                (
                    "leaked",
                    "\(NumberFormat.bytes(heap.leakedBytes)) in \(NumberFormat.count(heap.leakedBlocks, "block"))"
                )
            )
            result.append(
                (
                    "live at the snapshot",
                    "\(NumberFormat.bytes(heap.bytes)) in \(NumberFormat.count(heap.blocks, "block"))"
                ))
            if heap.pauseSeconds > 0 {
                result.append(("pause for the search", NumberFormat.seconds(heap.pauseSeconds)))
            }
        }
        return result.map { ["name": $0.0, "value": $0.1] }
    }

    /// Below the working directory without its path: a page is passed on, and folders of a machine say nothing elsewhere.
    private static func shownPath(_ path: String) -> String {
        let folder = FileManager.default.currentDirectoryPath
        return folder != "/" && path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
    }

    private var environment: [[String: Any]] {
        var rows = [("program", Self.shownPath(report.target.executable))]
        if !report.target.arguments.isEmpty {
            rows.append(("arguments", report.target.arguments.joined(separator: " ")))
        }
        if let signal = report.target.exit?.signal { rows.append(("ended by", "signal \(signal)")) }
        if let code = report.target.exit?.code { rows.append(("exit status", "\(code)")) }
        rows.append(("instruments", report.capture.instruments.map(\.rawValue).joined(separator: ", ")))
        rows += runTime
        if let hotspots = report.hotspots { rows.append(("samples", hotspots.method)) }
        for snapshot in (report.snapshots ?? []).prefix(10) {
            rows.append(
                (
                    "heap snapshot \(snapshot.number)",
                    "\(snapshot.name) at \(NumberFormat.seconds(snapshot.seconds)), "
                        + "\(NumberFormat.bytes(snapshot.bytes)) in \(NumberFormat.count(snapshot.blocks, "block"))"
                        + (snapshot.problem.map { ": \($0)" } ?? "")
                ))
        }
        rows.append(("events", NumberFormat.count(report.capture.events)))
        rows.append(("events lost", NumberFormat.count(report.capture.dropped)))
        if let memory = report.residentMemory {
            rows.append(("resident memory", "at most \(NumberFormat.bytes(memory.peakBytes)), the recorder's included"))
        }
        rows += EnvironmentRows.rows(report.environment).prefix(40).map { ($0.name, $0.value) }
        return rows.map { ["name": PageText.clean($0.0), "value": PageText.clean($0.1, limit: limits.textLength)] }
    }
}
