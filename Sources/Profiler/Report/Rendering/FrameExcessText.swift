import GameprofAnalysis
import GameprofBasics

/// Why a frame was slow, in words.
package enum FrameExcessText {
    /// The path of the frame's time where it is known, else `sentence`.
    package static func explanation(
        _ frame: Report.Frame, of loop: Report.FrameLoop, most: Int = 4, clean: (String) -> String
    ) -> String? {
        // An interval lasts long, too, because its thread has no processor.
        guard frame.excess?.first?.kind != .processor, let path = frame.path else {
            return sentence(frame, of: loop, most: most, clean: clean)
        }
        let steps = path.intervals.map { "\(clean($0.name)) \(NumberFormat.frame($0.nanoseconds))" }
        return
            "Frame \(NumberFormat.count(frame.number)), \(NumberFormat.frame(frame.took)) instead of "
            + "\(NumberFormat.frame(loop.limited.p50)): " + steps.joined(separator: " › ")
            + (path.mostly.map { (steps.isEmpty ? "it " : " ") + doing($0, clean: clean) } ?? "")
    }

    /// `waited 85 ms for the lock that PathFinder.search holds`
    private static func doing(_ doing: Report.Frame.Path.Doing, clean: (String) -> String) -> String {
        let time = NumberFormat.frame(doing.nanoseconds)
        let function = clean(FunctionName.display(doing.function))
        guard let reason = doing.waitsFor else { return "computed \(time) in \(function)" }
        guard reason == "lock" else { return "waited \(time) in \(function) (\(clean(reason)))" }
        guard let holder = doing.heldBy else { return "waited \(time) for a lock in \(function)" }
        let thread = doing.holderThread.map { " on \(clean(ThreadNames.short($0)))" } ?? ""
        return "waited \(time) for the lock that \(clean(FunctionName.display(holder))) holds\(thread)"
    }

    /// `Frame 192 worked 0.21 s, the median frame 3.6 ms: decode took 0.21 s instead of 0 ns; …`; nil: nothing is known.
    package static func sentence(
        _ frame: Report.Frame, of loop: Report.FrameLoop, most: Int = 4, clean: (String) -> String
    ) -> String? {
        guard let excess = frame.excess, !excess.isEmpty else { return nil }
        let verb = loop.work == nil || frame.processorNanoseconds != nil ? "took" : "worked"
        return
            "Frame \(NumberFormat.count(frame.number)) \(verb) "
            + "\(NumberFormat.frame(frame.took)), the median frame "
            + "\(NumberFormat.frame(loop.limited.p50)): "
            + excess.prefix(most).map { part($0, clean: clean) }.joined(separator: "; ")
    }

    /// `update 12 ms (2 ms itself)`: an interval of a frame, and what of it lies in no other.
    package static func interval(_ share: Report.Frame.Share, clean: (String) -> String) -> String {
        let own = share.selfNanoseconds.flatMap { $0 < share.nanoseconds ? $0 : nil }
        return "\(clean(share.name)) \(NumberFormat.frame(share.nanoseconds))"
            + (own.map { " (\(NumberFormat.frame($0)) itself)" } ?? "")
    }

    private static func part(_ excess: Report.Frame.Excess, clean: (String) -> String) -> String {
        let time = NumberFormat.frame(excess.value)
        let usual = excess.usual == 0 ? "none" : NumberFormat.frame(excess.usual)
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
