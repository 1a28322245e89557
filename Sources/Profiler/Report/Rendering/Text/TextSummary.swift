import GameprofAnalysis
import GameprofBasics

/// The first and the last lines of a text report.
package enum TextSummary {
    /// `gameprof leaks · gamelab fault undo-cycle · 0.84 s · 1 leak, 1 warning`
    static func headline(_ report: Report, command: String, style: TextStyle) -> String {
        let program = ([String(report.target.executable.split(separator: "/").last ?? "?")] + report.target.arguments)
            .map(PlainText.clean).joined(separator: " ")
        var parts = ["gameprof \(command)", TextTable.cut(program, max(20, style.width - 48))]
        if report.target.wallSeconds > 0 { parts.append(NumberFormat.seconds(report.target.wallSeconds)) }
        if report.heap != nil || !report.findings.isEmpty
            || !report.capture.instruments.filter({ [.zombies, .files].contains($0) }).isEmpty
        {
            parts.append(verdict(report))
        }
        // A core file has no exit status, and tells the signal.
        let end = ended(report.target.exit) ?? report.crash.map { "ended by signal \($0.signal)" }
        if let end { parts.append(end) }
        return style.paint(parts.joined(separator: " · "), .bold)
    }

    /// `2 leaks, 1 warning`; `nothing found`.
    package static func verdict(_ report: Report) -> String {
        func number(_ severity: Finding.Severity) -> Int { report.findings.count { $0.severity == severity } }
        var parts: [String] = []
        if number(.error) > 0 {
            let zombies = report.findings.count { $0.kind == .zombie && $0.severity == .error }
            if zombies > 0 { parts.append(NumberFormat.count(zombies, "zombie")) }
            let outlived = report.findings.count { $0.kind == .outlived && $0.severity == .error }
            let leaks = number(.error) - zombies - outlived
            if leaks > 0 { parts.append(NumberFormat.count(leaks, "leak")) }
            if outlived > 0 { parts.append(NumberFormat.count(outlived, "unmet expectation")) }
        }
        if number(.warning) > 0 { parts.append(NumberFormat.count(number(.warning), "warning")) }
        let known = report.findings.count { $0.severity == .note && $0.known != nil }
        if known > 0 { parts.append("\(NumberFormat.count(known)) known") }
        if number(.note) > known { parts.append(NumberFormat.count(number(.note) - known, "note")) }
        if parts.isEmpty, report.capture.truncated { return "incomplete" }
        return parts.isEmpty ? nothing(report) : parts.joined(separator: ", ")
    }

    /// What is said of a report without findings, of that alone which was looked for; what grew or is open has no severity.
    static func nothing(_ report: Report) -> String {
        let isSearched = report.heap != nil
        if report.grew?.isEmpty == false {
            return isSearched ? "no leak, but growth" : "growth; leaks were not looked for"
        }
        if let open = TextFiles.stillOpen(report.files) { return isSearched ? "no leak, but \(open)" : open }
        let isOfFilesAlone = !isSearched && !report.capture.instruments.contains(.zombies) && report.files != nil
        return isOfFilesAlone ? "no descriptor leak found" : "nothing found"
    }

    /// Whether `nothing` states a fact that is neither good nor bad.
    static func isFact(_ report: Report) -> Bool {
        report.grew?.isEmpty == false && report.heap == nil || TextFiles.stillOpen(report.files) != nil
    }

    private static func ended(_ exit: Report.Exit?) -> String? {
        if exit?.outOfMemory == true { return "ended because memory ran out" }
        if let signal = exit?.signal { return "ended by signal \(signal)" }
        if let code = exit?.code, code != 0 { return "exit status \(code)" }
        return nil
    }

    static func notes(_ findings: [Finding], style: TextStyle) -> [String] {
        guard !findings.isEmpty else { return [] }
        var lines = findings.prefix(style.findingLimit).map { finding in
            let left = "· \(PlainText.clean(finding.title))"
            let known = finding.known.map { "known: \(PlainText.clean($0))" } ?? FindingFigures.instances(finding)
            let right = "\(known) · \(NumberFormat.bytes(finding.bytes))"
            return TextTable.spread(left, right, width: style.width)
        }.map { style.paint($0, .faint) }
        if findings.count > style.findingLimit {
            lines.append("  … and \(NumberFormat.count(findings.count - style.findingLimit, "more note"))")
        }
        return lines + [""]
    }

    /// `4 heap snapshots: at 0.5 s, 1 s, 1.5 s and at the end; the program was paused for at most 2.1 ms.`
    private static func sentence(_ snapshots: [Report.Snapshot]) -> String {
        let times = snapshots.map { $0.name == "exit" ? "at the end" : "at \(NumberFormat.seconds($0.seconds))" }
        let shown = times.count <= 6 ? times : times.prefix(3) + ["…"] + times.suffix(2)
        let pause = NumberFormat.seconds(snapshots.map(\.pauseSeconds).max() ?? 0)
        return "\(NumberFormat.count(snapshots.count)) heap snapshots: \(shown.joined(separator: ", ")); "
            + "the program was paused for at most \(pause)."
    }

    static func closing(_ report: Report, style: TextStyle) -> [String] {
        var lines: [String] = []
        if let heap = report.heap {
            let live = "\(NumberFormat.count(heap.blocks)) live blocks"
            lines.append(
                heap.leakedBlocks == 0
                    ? style.paint("No leaks", .good) + " among \(live) (\(NumberFormat.bytes(heap.bytes)))."
                    : "\(NumberFormat.count(heap.leakedBlocks)) of \(live) "
                        + "\(heap.leakedBlocks == 1 ? "is" : "are") leaked "
                        + "(\(NumberFormat.bytes(heap.leakedBytes)) of \(NumberFormat.bytes(heap.bytes))).")
        }
        if let snapshots = report.snapshots {
            lines += TextTable.wrap(Self.sentence(snapshots), first: "", rest: "  ", width: style.width)
        }
        // How samples were taken stands with the samples.
        lines += report.capture.notes.filter { $0 != report.hotspots?.method }.flatMap {
            TextTable.wrap(PlainText.clean($0), first: "", rest: "  ", width: style.width)
        }
        if report.capture.dropped > 0 {
            lines.append(
                "\(NumberFormat.count(report.capture.dropped, "event")) "
                    + "\(report.capture.dropped == 1 ? "was" : "were") lost, so the counts are too low."
            )
        }
        if !report.unusedSuppressions.isEmpty {
            let names = report.unusedSuppressions.map(PlainText.clean).joined(separator: ", ")
            lines += TextTable.wrap(
                "These suppressions matched nothing: \(names).", first: "", rest: "  ", width: style.width)
        }
        return lines
    }
}
