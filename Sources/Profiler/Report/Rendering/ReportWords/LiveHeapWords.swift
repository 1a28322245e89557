import GameprofAnalysis
import GameprofBasics

/// Which heap of the run is shown, and what of it.
package enum LiveHeapWords {
    /// `In addition, nothing holds 500 live blocks (24 KB): 500 deinitialised objects that unowned references keep`;
    /// nil: all live blocks are held.
    package static func unheld(_ heap: Report.LiveHeap) -> String? {
        guard let unheld = heap.unheld else { return nil }
        let others = unheld.blocks - unheld.unowned
        let parts = [
            unheld.unowned == 0
                ? nil : "\(NumberFormat.count(unheld.unowned, "deinitialised object")) that unowned references keep",
            others == 0
                ? nil : "\(NumberFormat.count(others, "block")) to which nothing leads",
        ].compactMap { $0 }
        return "In addition, nothing holds \(NumberFormat.count(unheld.blocks, "live block")) "
            + "(\(NumberFormat.bytes(unheld.bytes))): \(parts.joined(separator: ", "))"
    }

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
