import GameprofAnalysis
import GameprofBasics

extension Analysis {
    /// The analysis with a verdict on each suspect. `evidence`: what the recording of `report` shows of it.
    package func judged(
        by evidence: (StaticFinding) -> Verdict.Evidence, of report: Report
    ) -> Analysis {
        var result = self
        for index in entries.indices { result.entries[index].verdict = Verdict(evidence(entries[index].suspect)) }
        let name = report.target.executable.split(separator: "/").last.map(String.init) ?? "?"
        result.program = ([name] + report.target.arguments).joined(separator: " ")
        return result
    }
}

extension Analysis.Verdict {
    /// The verdict with its sentence.
    package init(_ evidence: Evidence) {
        switch evidence {
        case .confirmed(let title, let signatures, let count, let bytes):
            self.init(
                status: .confirmed, findings: signatures, count: count, bytes: bytes,
                explanation: "\(title): \(NumberFormat.count(count, "instance")), \(NumberFormat.bytes(bytes)).")
        case .allDied(let type, let made):
            self.init(
                status: .cleared,
                explanation: "The code ran, and all \(NumberFormat.count(made)) \(type) were deallocated.")
        case .notExecuted(let type):
            self.init(status: .unseen, explanation: "\(type) was used, but no recorded stack contains this code.")
        case .stillLiving(let type, let count):
            self.init(
                status: .unseen,
                explanation: "\(NumberFormat.count(count)) \(type) were still live and reachable at the end.")
        case .neverMade(let type):
            self.init(status: .unseen, explanation: "No \(type) was made in this recording.")
        case .withoutType:
            self.init(status: .unseen, explanation: "The finding names no type to look for in the recording.")
        case .withoutSnapshot:
            self.init(
                status: .unseen,
                explanation: "The recording has no heap snapshot: what was live at the end is not known.")
        }
    }
}
