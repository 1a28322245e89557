import GameprofAnalysis
import GameprofBasics

/// The page's first line: what was found, and how bad it is.
package struct PageVerdict {
    /// Decides the colour; all but `error` and `warning` are classes of the style sheet of their own.
    package enum Kind: String {
        case error, warning
        /// What was looked for was measured, and nothing was found.
        case good
        /// A figure, neither good nor bad.
        case neutral
        /// What was to be measured was not.
        case unmeasured
    }

    let kind: Kind
    let sentence: String

    init(_ report: Report) {
        let worst = report.findings.map(\.severity).min()
        let searched = report.capture.instruments.filter { [.leaks, .zombies, .files].contains($0) }
        let isIncomplete =
            report.capture.truncated || report.capture.dropped > 0 || !report.capture.problems.isEmpty
            || report.target.exit?.signal != nil
        let lacksHeap = report.capture.instruments.contains(.leaks) && report.heap == nil
        if let crash = report.crash, !report.findings.contains(where: { $0.kind == .zombie }) {
            kind = .error
            sentence = Self.crash(crash, report)
        } else if worst == .error || worst == .warning && !lacksHeap {
            kind = worst == .error ? .error : .warning
            sentence = Self.worst(report, worst ?? .error)
        } else if lacksHeap {
            kind = .unmeasured
            sentence =
                "Not measured: no conclusion about leaks"
                + (worst == .warning ? "; \(TextSummary.verdict(report))" : "")
        } else if !searched.isEmpty, isIncomplete {
            kind = .unmeasured
            sentence = "Nothing found, but the recording is incomplete"
        } else if let figure = Self.figure(report) {
            let isSearched = !searched.isEmpty || report.heap != nil
            let isFact = report.hotspots != nil || report.memoryWarnings != nil || TextSummary.isFact(report)
            kind = isSearched && !isFact ? .good : .neutral
            sentence = isSearched ? "\(Self.nothing(report)); \(figure)" : figure
        } else {
            let isFact = searched.isEmpty && report.heap == nil || TextSummary.isFact(report)
            kind = isFact ? .neutral : .good
            sentence = Self.nothing(report)
        }
    }

    /// `Session ⇄ UserContext: 71,257 cycles, 43 MB`, and `the worst of 2 leaks, 1 warning` where there are more.
    private static func worst(_ report: Report, _ severity: Finding.Severity) -> String {
        let alike = report.findings.filter { $0.severity == severity }
        let zombie = alike.first { $0.kind == .zombie }
        guard let finding = zombie ?? alike.max(by: { $0.bytes < $1.bytes }) else { return TextSummary.verdict(report) }
        let title = PageText.clean(finding.title, limit: 160)
        let isCycle = finding.kind == .retainCycle
        let subject = isCycle ? title.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? title : title
        let bytes = finding.bytes > 0 ? ", \(NumberFormat.bytes(finding.bytes))" : ""
        let figures = FindingFigures.instances(finding) + bytes
        let others =
            report.findings.count { $0.severity != .note } > 1 ? " (the worst of \(TextSummary.verdict(report)))" : ""
        return "\(subject): \(figures)\(others)"
    }

    /// `Crash: signal 11 (Segmentation fault) in Deck.draw(); besides 1 leak`
    private static func crash(_ crash: Report.Crash, _ report: Report) -> String {
        let place = crash.stack?.maker.map { " in \(PageText.clean($0, limit: 120))" } ?? ""
        let others = report.findings.contains { $0.severity != .note } ? "; besides \(TextSummary.verdict(report))" : ""
        return CrashText.title(crash) + place + others
    }

    private static func nothing(_ report: Report) -> String {
        let noun = report.findings.allSatisfy { $0.known != nil } ? "known finding" : "note"
        let count = report.findings.count
        let found = count > 0 ? "nothing but \(NumberFormat.count(count, noun))" : TextSummary.nothing(report)
        return found.prefix(1).uppercased() + found.dropFirst()
    }

    private static func figure(_ report: Report) -> String? {
        if let warning = report.memoryWarnings?.max(by: { $0.share < $1.share }) {
            return MemoryWarningText.sentence(warning) { PageText.clean($0, limit: 120) }
        }
        if let loop = report.frames?.first(where: { $0.slowest.first?.excess?.isEmpty == false }),
            let slowest = loop.slowest.first,
            let sentence = FrameExcessText.explanation(
                slowest, of: loop, most: 2, clean: { PageText.clean($0, limit: 120) })
        {
            return sentence
        }
        if let hotspots = report.hotspots {
            return HotspotHeadline.sentence(hotspots, wallSeconds: report.target.wallSeconds) {
                PageText.clean($0, limit: 120)
            } ?? "Recorded"
        }
        if let files = report.files, report.allocations == nil { return TextFiles.summary(files) }
        if let heap = report.liveHeap { return HeapVerdict.sentence(heap, names: report.typeNames) }
        return report.allocations.map { allocations in
            "peak \(SampledText.bytes(allocations.totals, .peakBytes)), "
                + SampledText.count(allocations.totals, .allocations, "allocation") + (maker(allocations) ?? "")
        }
    }

    /// `, 85 % of the bytes in UploadWorker.transfer()`: the user's innermost function that allocated the most.
    private static func maker(_ allocations: Report.Allocations) -> String? {
        var bytes: [String: UInt64] = [:]
        for row in allocations.byStack {
            guard let maker = row.allocatedBy.frames.first(where: { $0.origin == .user }) else { continue }
            bytes[maker.function, default: 0] &+= row.counts.bytes
        }
        guard let most = bytes.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), allocations.totals.bytes > 0 else {
            return nil
        }
        let share = Double(most.value) / Double(allocations.totals.bytes) * 100
        guard share >= 10 else { return nil }
        let name = PageText.clean(FunctionName.display(most.key), limit: 120)
        return ", \(NumberFormat.fixed(min(share, 100), 0)) % of the bytes in \(name)"
    }
}
