import GameprofAnalysis
import GameprofBasics

/// In which recordings of a merged report a finding was seen.
package enum SeenText {
    /// `shard-1.gptrace × 3, shard-4.gptrace`; nil: the report is of one recording.
    package static func sentence(_ finding: Finding) -> String? {
        guard let seen = finding.seen, !seen.isEmpty else { return nil }
        let names = seen.prefix(8).map { row in
            let often = row.count > 1 ? " × \(NumberFormat.count(row.count))" : ""
            return PlainText.clean(row.shard) + often
        }
        let more = seen.count > names.count ? " and \(NumberFormat.count(seen.count - names.count)) more" : ""
        return names.joined(separator: ", ") + more
    }
}
