import GameprofAnalysis
import GameprofBasics

/// Why a frame was slow, in words.
package enum FrameExcessText {
    /// `Frame 192 worked 0.21 s, the median frame 3.6 ms: decode took 0.21 s instead of 0 ns; …`; nil: nothing is known.
    package static func sentence(
        _ frame: Report.Frame, of loop: Report.FrameLoop, most: Int = 4, clean: (String) -> String
    ) -> String? {
        guard let excess = frame.excess, !excess.isEmpty else { return nil }
        let processor = frame.processorNanoseconds
        let verb = loop.work == nil || processor != nil ? "took" : "worked"
        return
            "Frame \(NumberFormat.count(frame.number)) \(verb) "
            + "\(NumberFormat.nanoseconds(frame.work &+ (processor ?? 0))), the median frame "
            + "\(NumberFormat.nanoseconds(loop.limited.p50)): "
            + excess.prefix(most).map { part($0, clean: clean) }.joined(separator: "; ")
    }

    /// `update 12 ms (2 ms itself)`: an interval of a frame, and what of it lies in no other.
    package static func interval(_ share: Report.Frame.Share, clean: (String) -> String) -> String {
        let own = share.selfNanoseconds.flatMap { $0 < share.nanoseconds ? $0 : nil }
        return "\(clean(share.name)) \(NumberFormat.nanoseconds(share.nanoseconds))"
            + (own.map { " (\(NumberFormat.nanoseconds($0)) itself)" } ?? "")
    }

    private static func part(_ excess: Report.Frame.Excess, clean: (String) -> String) -> String {
        let time = NumberFormat.nanoseconds(excess.value)
        let usual = excess.usual == 0 ? "none" : NumberFormat.nanoseconds(excess.usual)
        switch excess.kind {
        case .interval: return "\(clean(excess.name)) took \(time) instead of \(usual)"
        case .rest: return "\(time) outside of all intervals instead of \(usual)"
        case .processor: return "it waited \(time) for a processor"
        case .computing: return "\(clean(excess.name)) used \(time) of CPU time"
        case .waiting: return "\(clean(excess.name)) waited for \(time)"
        case .allocations:
            return
                "\(NumberFormat.count(Int(clamping: excess.value), "allocation")) instead of \(NumberFormat.count(excess.usual))"
        }
    }
}
