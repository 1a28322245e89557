/// The page's first line of a recording of time.
enum HotspotVerdict {
    /// Fewer samples say little about where the time goes.
    private static let leastSamples = 10

    /// Where most of the CPU time went, or what was waited for if that took longer.
    static func sentence(_ hotspots: Report.Hotspots) -> String {
        if let wait = hotspots.offCPU?.first, wait.own > hotspots.cpuSeconds {
            let reason = (wait.waitsFor ?? [:]).max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            return "\(Quantity.seconds(wait.own)) of waiting in \(name(wait))" + (reason.map { ": \($0)" } ?? "")
        }
        guard let hot = hotspots.functions.first, hot.own > 0 else { return "Recorded" }
        guard hotspots.samples >= leastSamples else {
            return "\(Quantity.seconds(hotspots.cpuSeconds)) of CPU time: too little to tell where"
        }
        return "\(Quantity.fixed(hot.own * 100, 0)) % of the CPU time in \(name(hot))"
    }

    private static func name(_ row: Report.Hotspots.FunctionRow) -> String {
        PageText.clean(FunctionName.display(row.function), limit: 120)
    }
}
