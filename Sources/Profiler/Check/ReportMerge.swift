import GameprofAnalysis
import GameprofBasics

extension Report {
    /// This report and what another recording of the same scenario saw with other instruments.
    public func merged(with other: Report) -> Report {
        var result = self
        let known = Set(findings.map(\.signature))
        result.findings += other.findings.filter { !known.contains($0.signature) }
        result.findings.sort { ($0.severity, $1.bytes) < ($1.severity, $0.bytes) }
        result.heap = heap ?? other.heap
        result.snapshots = snapshots ?? other.snapshots
        result.allocations = allocations ?? other.allocations
        result.hotspots = hotspots ?? other.hotspots
        result.probes = probes ?? other.probes
        result.frames = frames ?? other.frames
        result.capture.instruments += other.capture.instruments.filter { !capture.instruments.contains($0) }
        result.capture.events.add(clamping: other.capture.events)
        result.capture.dropped.add(clamping: other.capture.dropped)
        result.capture.truncated = capture.truncated || other.capture.truncated
        result.capture.problems += other.capture.problems
        result.capture.notes += other.capture.notes
        result.unusedSuppressions = unusedSuppressions.filter(other.unusedSuppressions.contains)
        result.target.wallSeconds += other.target.wallSeconds
        if target.exit?.code == 0 { result.target.exit = other.target.exit }
        return result
    }
}
