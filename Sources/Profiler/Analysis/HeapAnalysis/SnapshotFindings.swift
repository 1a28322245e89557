import GameprofTrace

/// The findings of all heap snapshots of a recording as one list with a row per signature.
///
/// The last sound snapshot decides. What an earlier one could not reach and the last does not list any more was freed
/// after all, or a stray word shows it now: it is told as a warning, for nobody can say which. Warnings of earlier
/// snapshots are forgotten: what was still reachable then had time to end.
struct SnapshotFindings {
    private(set) var findings: [AnalyzedFinding] = []
    private var sightings: [String: [Finding.Sighting]] = [:]
    private var firstSeen: [String: Double] = [:]
    private var vanished: [String: AnalyzedFinding] = [:]

    /// Adds the findings of the next sound snapshot, in the order of time.
    mutating func add(_ found: [AnalyzedFinding], of snapshot: HeapSnapshot) {
        for earlier in findings where earlier.facts.severity == .error {
            vanished[earlier.facts.signature] = earlier
        }
        for finding in found {
            vanished[finding.facts.signature] = nil
            if firstSeen[finding.facts.signature] == nil {
                firstSeen[finding.facts.signature] = Seconds.of(snapshot.begin.time)
            }
            sightings[finding.facts.signature, default: []].append(
                Finding.Sighting(snapshot: Int(snapshot.begin.snapshot.rawValue), count: finding.facts.count))
        }
        findings = found
    }

    /// The rows. `snapshots`: how many sound ones there were.
    func rows(of snapshots: Int) -> [AnalyzedFinding] {
        guard snapshots > 1 else { return findings }
        return (findings + vanished.values.map(Self.warning)).map { finding in
            var row = finding
            row.facts.sightings = sightings[finding.facts.signature]
            row.facts.firstSeenSeconds = firstSeen[finding.facts.signature]
            return row
        }
    }

    private static func warning(_ finding: AnalyzedFinding) -> AnalyzedFinding {
        var result = finding
        result.facts.severity = .warning
        result.circumstances.append(.isGone)
        return result
    }
}
