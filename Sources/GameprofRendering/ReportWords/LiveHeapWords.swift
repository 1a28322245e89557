import GameprofBasics
import GameprofReportModel

/// Which heap of the run is shown.
package enum LiveHeapWords {
    /// `Snapshot 7 (peak) at 3.1 s: 812 MB live, at most 900 MB at 3.2 s`; nil: the heap at the end.
    package static func moment(_ heap: Report.LiveHeap) -> String? {
        guard heap.name != "exit" else { return nil }
        let name = heap.name.isEmpty ? "" : " (\(PlainText.clean(heap.name)))"
        let time = heap.seconds.map { " at \(NumberFormat.seconds($0))" } ?? ""
        let which = "Snapshot \(heap.snapshot)\(name)\(time)"
        guard let peak = heap.peak else { return which }
        return "\(which): \(NumberFormat.bytes(peak.liveBytes)) live, "
            + "at most \(NumberFormat.bytes(peak.bytes)) at \(NumberFormat.seconds(peak.seconds))"
    }
}
