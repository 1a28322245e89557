import GameprofBasics
import GameprofReportModel

/// Where the time of a recording went, in one sentence.
package enum HotspotHeadline {
    /// Fewer samples say little about where the time goes.
    private static let leastSamples = 10

    /// The user's function that cost most, or what was waited for if that took longer; nil where there is nothing to say.
    /// - Parameter clean: makes a name safe for the output.
    package static func sentence(_ hotspots: Report.Hotspots, clean: (String) -> String) -> String? {
        func name(_ function: String) -> String { clean(FunctionName.display(function)) }
        if let wait = hotspots.offCPU?.first, wait.own > hotspots.cpuSeconds {
            let reason = (wait.waitsFor ?? [:]).max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            return "\(NumberFormat.seconds(wait.own)) of waiting in \(name(wait.function))"
                + (reason.map { ": \(clean($0))" } ?? "")
        }
        guard hotspots.samples > 0 else { return nil }
        guard hotspots.samples >= leastSamples else {
            return "\(NumberFormat.seconds(hotspots.cpuSeconds)) of CPU time: too little for a profile"
        }
        if let hot = hotspots.hottest {
            let called = hot.called.map { ", \(percent($0.share)) in \(name($0.function)) called by it" } ?? ""
            return "\(percent(hot.share)) of the CPU time in \(name(hot.function))\(called)"
        }
        return hotspots.functions.first.flatMap { hot in
            hot.own > 0 ? "\(percent(hot.own)) of the CPU time in \(name(hot.function))" : nil
        }
    }

    private static func percent(_ share: Double) -> String { "\(NumberFormat.fixed(share * 100, 0)) %" }
}
