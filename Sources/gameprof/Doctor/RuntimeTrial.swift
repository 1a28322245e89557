import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofHeap
import GameprofReport
import GameprofTrace

/// Whether a Swift program of this machine is decoded as it was written: the tool records itself.
enum RuntimeTrial {
    /// Nil: a closure, a dictionary and a weak reference were read right. Otherwise a sentence.
    static func complaint() -> String? {
        do {
            let report = try record()
            let seen = Set(report.findings.filter { $0.severity == .error }.flatMap { $0.references.map(text) })
            let expected: Set = [
                "ClosureOwner.handler → ClosureOwner", "DictionaryOwner.owners → DictionaryOwner",
            ]
            if seen == expected { return nil }
            if let problem = report.capture.problems.first { return problem }
            return "expected \(list(expected)), found \(list(seen))"
        } catch {
            return "\(error)"
        }
    }

    private static func record() throws -> Report {
        let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        var session = RecordingSession(instruments: [.allocations, .leaks], program: [tool, "doctor", "--trial"])
        session.isQuiet = true
        let outcome = try session.run()
        defer { outcome.removeIfTemporary() }
        let recording = try Recording.read(trace: outcome.main.trace)
        return Report(ReportBuilder.build(recording: recording, symbolicator: Symbolicator(recording: recording)))
    }

    private static func text(_ reference: Reference) -> String {
        "\(TypeName.bare(reference.from)).\(reference.field) → \(TypeName.bare(reference.to))"
    }

    private static func list(_ references: Set<String>) -> String {
        references.isEmpty ? "nothing" : references.sorted().joined(separator: ", ")
    }
}
