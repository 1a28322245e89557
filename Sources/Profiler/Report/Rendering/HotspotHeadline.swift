import GameprofAnalysis
import GameprofBasics

/// Where the time of a recording went, in one sentence.
package enum HotspotHeadline {
    /// Fewer samples say little about where the time goes.
    private static let leastSamples = 10

    /// A smaller part of the CPU time in the kernel, of which there are no samples, changes no sentence.
    private static let leastKernelShare = 0.1

    /// A program with a smaller part of its run time on the processor waited, for whatever it was.
    private static let leastBusyShare = 0.02

    /// Threads that wait for work have nothing to do; who waits for these lets something else wait.
    private static let costs: Set = ["lock", "queue", "group", "thread", "process", "barrier"]

    /// The user's function that cost most, or where others' work was waited for longer; nil where there is nothing to say.
    /// - Parameters:
    ///   - wallSeconds: how long the program ran; nil: not known.
    ///   - clean: makes a name safe for the output.
    package static func sentence(
        _ hotspots: Report.Hotspots, wallSeconds: Double? = nil, clean: (String) -> String
    ) -> String? {
        func name(_ function: String) -> String { clean(FunctionName.display(function)) }
        let isIdle = wallSeconds.map { hotspots.cpuSeconds < $0 * leastBusyShare } ?? false
        if let wait = longestWait(hotspots, among: costs.contains)
            ?? (isIdle ? longestWait(hotspots, among: { _ in true }) : nil)
        {
            return "\(NumberFormat.seconds(wait.seconds)) of waiting in \(name(wait.function)): \(clean(wait.reason))"
        }
        if isIdle, let wallSeconds, hotspots.offCPU == nil {
            return "\(NumberFormat.seconds(hotspots.cpuSeconds)) of CPU time in \(NumberFormat.seconds(wallSeconds)): "
                + "the program waited; --wall shows what it waited for"
        }
        guard hotspots.samples > 0 else { return nil }
        guard hotspots.samples >= leastSamples else {
            return "\(NumberFormat.seconds(hotspots.cpuSeconds)) of CPU time, which is too little for a profile"
        }
        let kernel = hotspots.unsampledShare
        if kernel >= 0.5 {
            let rest = hotspots.hottest.map { "; of the rest, \(percent($0.share)) in \(name($0.function))" } ?? ""
            return "\(percent(kernel)) of the CPU time in the kernel, without a sample\(rest)"
        }
        let time = kernel >= leastKernelShare ? "CPU time outside the kernel" : "CPU time"
        if let hot = hotspots.hottest {
            let called = hot.called.map { ", \(percent($0.share)) in \(name($0.function)) called by it" } ?? ""
            // The rows below count what it calls of the program's own functions, its closures too.
            let row = hotspots.functions.first { $0.function == hot.function && $0.module == hot.module }
            let total = row.map { percent($0.total) }
            let whole = total.flatMap { $0 == percent(hot.share) ? nil : " (\($0) with all it calls)" }
            return "\(percent(hot.share)) of the \(time) in \(name(hot.function))\(whole ?? "")\(called)"
        }
        return hotspots.functions.first.flatMap { hot in
            hot.own > 0 ? "\(percent(hot.own)) of the \(time) in \(name(hot.function))" : nil
        }
    }

    /// Longer than the program computed; nil: there was none.
    private static func longestWait(
        _ hotspots: Report.Hotspots, among isAsked: (String) -> Bool
    ) -> (function: String, reason: String, seconds: Double)? {
        let waits = (hotspots.offCPU ?? []).flatMap { row in
            (row.waitsFor ?? [:]).filter { isAsked($0.key) && $0.value > hotspots.cpuSeconds }
                .map { (function: row.function, reason: WaitText.reason($0.key, row), seconds: $0.value) }
        }
        return waits.max { ($0.seconds, $1.function, $1.reason) < ($1.seconds, $0.function, $0.reason) }
    }

    private static func percent(_ share: Double) -> String { "\(NumberFormat.fixed(share * 100, 0)) %" }
}
