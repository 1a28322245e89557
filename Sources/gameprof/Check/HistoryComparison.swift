import Foundation
import GameprofCheck

/// What a history (`gameprof history`) knows of the result of a check.
struct HistoryComparison {
    /// The SQLite file.
    var path: String
    /// Compare with this branch; nil: the one with the most runs.
    var branch: String?
    /// Permitted increase of figures that are the same in every run.
    var tolerance: Double

    private struct Answer: Decodable {
        struct Scenario: Decodable {
            var scenario: String
            var failures: [String]
            var notes: [String]
            var findings: [String: String]
        }
        var schema: String
        var version: Int
        var scenarios: [Scenario]
    }

    /// Throws when the history is missing: before any program is run.
    func check() throws {
        guard access(path, R_OK) == 0 else {
            throw ToolError(
                .wrongUsage, "\(path) cannot be read. gameprof history add makes a history.")
        }
        _ = try CompanionTool.history.find()
    }

    /// Fails the scenarios in which something is new or worse, and gives findings their evidence.
    func apply(to scenarios: inout [CheckResult.Scenario]) throws {
        var arguments = ["check", "--history", path, "--tolerance", "\(tolerance)", "-"]
        if let branch { arguments += ["--against", branch] }
        let input = try CheckJSON.render(CheckResult(scenarios: scenarios))
        let result = try CompanionTool.history.run(arguments, input: Array(input.utf8))
        guard result.code == 0 || result.code == 1 else {
            // It has said why on standard error.
            throw result.code == 2 ? ExitStatus.wrongUsage : ExitStatus.toolFailed
        }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: result.output),
            answer.schema == "gameprof-history-check", answer.version == 1,
            answer.scenarios.count == scenarios.count
        else { throw ToolError(.toolFailed, "gameprof-history has a different version than gameprof.") }
        for (index, known) in answer.scenarios.enumerated() {
            for failure in known.failures { scenarios[index].fail(because: failure) }
            scenarios[index].historyNotes = known.notes
            for finding in scenarios[index].findings.indices {
                scenarios[index].findings[finding].history =
                    known.findings[scenarios[index].findings[finding].finding.signature]
            }
        }
    }
}
