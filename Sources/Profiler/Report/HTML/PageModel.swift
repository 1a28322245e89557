/// What the page's template is filled with.
struct PageModel {
    let report: Report
    let names: ShortNames
    let limits: PageLimits
    let sources: SourceLines
    /// The page was too big with wider limits.
    let isCut: Bool

    var values: [String: Any] {
        let shown = report.findings.prefix(limits.findings)
        let views = shown.enumerated().map { index, finding in
            (
                finding.severity,
                FindingView(finding: finding, number: index, names: names, limits: limits, sources: sources).values
            )
        }
        let defects = views.filter { $0.0 != .note }.map(\.1)
        let notes = views.filter { $0.0 == .note }.map(\.1)
        let more = report.findings.count - shown.count
        return [
            "style": style, "script": script,
            "program": program, "instruments": report.capture.instruments.joined(separator: ", "),
            "verdict": verdict, "worst": report.findings.map(\.severity).min()?.rawValue ?? "good",
            "figures": figures, "problems": report.capture.problems.prefix(20).map { PageText.clean($0) },
            "cut": optional(
                isCut ? "The page was cut to stay below two megabytes: the JSON report has everything." : nil),
            "hasFindings": !defects.isEmpty, "nothing": nothing, "findings": defects, "notes": notes,
            "hasNotes": !notes.isEmpty,
            "moreFindings": optional(
                more > 0 ? "\(Quantity.count(more)) more findings stand in the JSON report." : nil),
            "unused": optional(unused),
            "why": optional(
                report.why.map { why in
                    [
                        "living": why.prefix(limits.findings).map { living in
                            LivingView(living: living, names: names, limits: limits).values
                        }
                    ]
                }),
            "allocations": optional(
                report.allocations.map { AllocationsView(allocations: $0, names: names, limits: limits).values }),
            "hotspots": optional(
                report.hotspots.map {
                    HotspotsView(
                        hotspots: $0, wallSeconds: report.target.wallSeconds, limits: limits, sources: sources
                    ).values
                }),
            "looksForFindings": looksForFindings,
            "lanes": optional(TimelineLanes(report, columns: limits.timelinePoints)?.values),
            "probes": optional(ProbesView(report, names: names, limits: limits)?.values),
            "environment": environment, "remarks": report.capture.notes.prefix(20).map { PageText.clean($0) },
        ]
    }

    private var style: String {
        let parts = [PackageResources.page_css] + (report.hotspots == nil ? [] : [PackageResources.flame_css])
        return parts.map { String(decoding: $0, as: UTF8.self) }.joined()
    }

    private var script: String {
        let parts = [PackageResources.page_js] + (report.hotspots == nil ? [] : [PackageResources.flame_js])
        return parts.map { String(decoding: $0, as: UTF8.self) }.joined()
    }

    /// A recording of time alone has no findings to speak of.
    private var looksForFindings: Bool {
        report.hotspots == nil || report.heap != nil || !report.findings.isEmpty
            || report.capture.instruments.contains { $0 != "time" }
    }

    private var program: String {
        let name = String(report.target.executable.split(separator: "/").last ?? "?")
        return PageText.clean(([name] + report.target.arguments).joined(separator: " "), limit: 200)
    }

    private var verdict: String {
        guard report.heap == nil, report.findings.isEmpty else { return TextSummary.verdict(report) }
        return report.hotspots.map(HotspotVerdict.sentence) ?? "Recorded"
    }

    private var nothing: String {
        if report.heap == nil { return "No heap snapshot: leaks were not looked for." }
        let sound = report.capture.problems.isEmpty
        return sound ? "Nothing leaks." : "No finding, but the recording is incomplete: see above."
    }

    private var unused: String? {
        guard !report.unusedSuppressions.isEmpty else { return nil }
        let list = report.unusedSuppressions.prefix(20).map { PageText.clean($0, limit: 80) }
        return "Suppressions that matched nothing: \(list.joined(separator: ", "))."
    }

    private var figures: [[String: Any]] {
        var result = [("run time", Quantity.seconds(report.target.wallSeconds))]
        if let heap = report.heap {
            result.append(
                ("leaked", "\(Quantity.bytes(heap.leakedBytes)) in \(Quantity.count(heap.leakedBlocks)) blocks"))
            result.append(
                ("live at the snapshot", "\(Quantity.bytes(heap.bytes)) in \(Quantity.count(heap.blocks)) blocks"))
            if heap.pauseSeconds > 0 { result.append(("paused for it", Quantity.seconds(heap.pauseSeconds))) }
        }
        return result.map { ["name": $0.0, "value": $0.1] }
    }

    private var environment: [[String: Any]] {
        var rows = [("program", report.target.executable)]
        if !report.target.arguments.isEmpty {
            rows.append(("arguments", report.target.arguments.joined(separator: " ")))
        }
        if let signal = report.target.exit?.signal { rows.append(("ended by", "signal \(signal)")) }
        if let code = report.target.exit?.code { rows.append(("exit status", "\(code)")) }
        rows.append(("events", Quantity.count(report.capture.events)))
        rows.append(("events lost", Quantity.count(report.capture.dropped)))
        rows += report.environment.sorted { $0.key < $1.key }.prefix(40).map { ($0.key, $0.value) }
        return rows.map { ["name": PageText.clean($0.0), "value": PageText.clean($0.1, limit: limits.textLength)] }
    }
}
