import Foundation
import GameprofAnalysis
import GameprofBasics

/// A finding in a few lines, to be printed by itself.
public enum FindingSummary {
    /// Title, path, where it was made, used and deallocated, what to change.
    public static func text(_ finding: Finding) -> String {
        var lines = [PlainText.clean(finding.title) + " (" + FindingFigures.line(finding) + ")"]
        let path = FindingPath.sentence(finding)
        if !path.isEmpty { lines.append(path) }
        if let maker = finding.allocatedBy?.maker {
            lines.append("\((finding.kind.origin ?? "made").capitalized) in \(maker).")
        }
        for (word, stack) in [("Used", finding.usedBy), ("Deallocated", finding.deallocatedBy)] {
            if let place = stack?.maker { lines.append("\(word) in \(place).") }
        }
        if let fix = finding.fix { lines.append("Fix: \(PlainText.clean(fix)).") }
        return lines.joined(separator: "\n")
    }
}
