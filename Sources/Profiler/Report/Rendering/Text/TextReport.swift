import GameprofAnalysis
import GameprofBasics

/// The report for a terminal: what leaked, why, where it was made, what to change.
public enum TextReport {
    /// Ends with a newline. Holds no control characters but newlines and, when asked for, colours.
    /// - Parameter instrument: whose command recorded it; nil: the report upon a stored trace.
    /// - Parameter explainsFootprint: it begins with resident memory.
    public static func render(
        _ report: Report, instrument: Instrument? = nil, style: TextStyle = TextStyle(),
        explainsFootprint: Bool = false
    ) -> String {
        let command = explainsFootprint ? "footprint" : instrument?.rawValue ?? "report"
        var lines = [TextSummary.headline(report, command: command, style: style), ""]
        if let crash = report.crash { lines += TextCrash.lines(crash, style: style) }
        lines += report.capture.problems.flatMap { problem in
            TextTable.wrap(PlainText.clean(problem), first: "! ", rest: "  ", width: style.width)
                .map { style.paint($0, .warning) }
        }
        if !report.capture.problems.isEmpty { lines.append("") }
        lines += TextCrash.threads(report.threads, beside: report.crash, style: style)
        lines += FailedAllocationText.lines(report, style: style)
        let names = report.typeNames
        let footprint = TextFootprint.lines(report, names: names, style: style, isWhole: explainsFootprint)
        if explainsFootprint { lines += footprint }
        for severity in Finding.Severity.allCases {
            let findings = report.findings.filter { $0.severity == severity }
            if severity == .note {
                lines += TextSummary.notes(findings, style: style)
                continue
            }
            for finding in findings.prefix(style.findingLimit) {
                lines += TextFinding(finding: finding, names: names, style: style).lines + [""]
            }
            if findings.count > style.findingLimit {
                let more = NumberFormat.count(findings.count - style.findingLimit, "more \(severity.rawValue)")
                lines += ["  … and \(more): see the page or the JSON", ""]
            }
        }
        for living in report.why ?? [] {
            lines += TextLiving(living: living, names: names, style: style).lines + [""]
        }
        if !explainsFootprint { lines += footprint }
        lines += TextGrown.lines(report, names: names, style: style)
        if !explainsFootprint { lines += TextTasks.lines(report, names: names, style: style) }
        if let heap = report.liveHeap {
            lines += TextLiveHeap(heap: heap, names: names, style: style).lines + [""]
        }
        if let allocations = report.allocations, report.liveHeap == nil, instrument != .leaks {
            lines += TextAllocations.lines(allocations, names: names, style: style) + [""]
        }
        if let hotspots = report.hotspots {
            lines += TextHotspots.lines(hotspots, wallSeconds: report.target.wallSeconds, style: style) + [""]
        }
        if let counting = report.referenceCounting {
            lines += TextReferenceCounting.lines(counting, names: names, style: style) + [""]
        }
        if let files = report.files { lines += TextFiles.lines(files, style: style) + [""] }
        lines += TextProbes.lines(report, names: names, style: style)
        lines += TextMemoryWarnings.lines(report.memoryWarnings ?? [], names: names, style: style)
        lines += TextGenerations.lines(report.generations ?? [], names: names, style: style)
        lines += TextSummary.closing(report, style: style)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }
}
