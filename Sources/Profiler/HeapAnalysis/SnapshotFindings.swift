import TraceFile

/// The findings of all heap snapshots of a recording as one list with a row per signature.
///
/// The last sound snapshot decides. What an earlier one could not reach and the last does not list any more was freed
/// after all, or a stray word shows it now: it is told as a warning, for nobody can say which. Warnings of earlier
/// snapshots are forgotten: what was still reachable then had time to end.
struct SnapshotFindings {
    private(set) var findings: [Finding] = []
    private var sightings: [String: [Finding.Sighting]] = [:]
    private var vanished: [String: Finding] = [:]

    /// Adds the findings of the next sound snapshot, in the order of time.
    mutating func add(_ found: [Finding], of snapshot: HeapSnapshot) {
        for earlier in findings where earlier.severity == .error { vanished[earlier.signature] = earlier }
        for finding in found {
            vanished[finding.signature] = nil
            sightings[finding.signature, default: []].append(
                Finding.Sighting(snapshot: Int(snapshot.begin.snapshot.rawValue), count: finding.count))
        }
        findings = found
    }

    /// The rows. `snapshots`: how many sound ones there were.
    func rows(of snapshots: Int) -> [Finding] {
        guard snapshots > 1 else { return findings }
        return (findings + vanished.values.map(Self.warning)).map { finding in
            var row = finding
            row.sightings = sightings[finding.signature]
            return row
        }
    }

    private static func warning(_ finding: Finding) -> Finding {
        var result = finding
        result.severity = .warning
        result.message += " This was seen in an earlier heap snapshot and not in the last: it was freed after all, "
        result.message += "or something seems to reach it again."
        return result
    }
}
