import GameprofBasics
import GameprofRendering
import GameprofReportModel

/// The page's first line: what was found, and how bad it is.
struct PageVerdict {
    /// Decides the colour; all but `error` and `warning` are classes of the style sheet of their own.
    enum Kind: String {
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
        let searched = report.capture.instruments.filter { $0 == .leaks || $0 == .zombies }
        let isIncomplete =
            report.capture.truncated || report.capture.dropped > 0 || !report.capture.problems.isEmpty
            || report.target.exit?.signal != nil
        if worst == .error || worst == .warning {
            kind = worst == .error ? .error : .warning
            sentence = TextSummary.verdict(report)
        } else if report.capture.instruments.contains(.leaks), report.heap == nil {
            kind = .unmeasured
            sentence = "Not measured: leaks were not searched for"
        } else if !searched.isEmpty, isIncomplete {
            kind = .unmeasured
            sentence = "Nothing found, but the recording is incomplete"
        } else if let figure = Self.figure(report) {
            let isSearched = !searched.isEmpty || report.heap != nil
            kind = isSearched && report.hotspots == nil ? .good : .neutral
            sentence = isSearched ? "\(Self.nothing(report)); \(figure)" : figure
        } else {
            kind = searched.isEmpty && report.heap == nil ? .neutral : .good
            sentence = Self.nothing(report)
        }
    }

    private static func nothing(_ report: Report) -> String {
        let known = report.findings.count
        let found = known > 0 ? "nothing but \(NumberFormat.count(known, "known finding"))" : "nothing found"
        return found.prefix(1).uppercased() + found.dropFirst()
    }

    private static func figure(_ report: Report) -> String? {
        if let hotspots = report.hotspots {
            return HotspotHeadline.sentence(hotspots) { PageText.clean($0, limit: 120) } ?? "Recorded"
        }
        if let heap = report.liveHeap { return HeapVerdict.sentence(heap, names: report.typeNames) }
        return report.allocations.map { allocations in
            "peak \(SampledText.bytes(allocations.totals, .peakBytes)), "
                + "\(SampledText.count(allocations.totals, .allocations)) allocations"
        }
    }
}
