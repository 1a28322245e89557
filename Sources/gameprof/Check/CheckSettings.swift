import Foundation
import Profiler

/// The files that a check is judged by, read.
struct CheckSettings {
    var budget: Budget?
    var baseline: Baseline
    var tolerance: Double
    var suppressions: [Suppression]
    /// Beside allocations and leaks.
    var extraInstruments: [String]

    private static let known = ["allocations", "leaks", "zombies", "time"]

    init(_ command: CheckCommand) throws {
        do {
            budget = try command.budget.map(Budget.read)
        } catch let error as YAMLFileError {
            throw ToolError(.wrongUsage, error.description)
        }
        do {
            let isNew = command.updatesBaseline && command.baseline.map { access($0, F_OK) != 0 } ?? true
            baseline = isNew ? Baseline() : try command.baseline.map(Baseline.read) ?? Baseline()
        } catch let error as BaselineError {
            throw ToolError(.wrongUsage, error.description)
        }
        tolerance = try command.tolerance.map(Self.share) ?? budget?.tolerance ?? Budget.defaultTolerance
        let options = try ReportFileOptions.parse(command.suppressions.map { ["--suppressions=\($0)"] } ?? [])
        suppressions = try options.readSuppressions()
        extraInstruments = command.instruments?.split(separator: ",").map(String.init) ?? []
        for name in extraInstruments where !Self.known.contains(name) {
            throw ToolError(
                .wrongUsage, "There is no instrument “\(name)”; known are \(Self.known.joined(separator: ", ")).")
        }
    }

    private static func share(_ text: String) throws -> Double {
        let digits = text.hasSuffix("%") ? text.dropLast().trimmingCharacters(in: .whitespaces) : text
        let factor = text.hasSuffix("%") ? 0.01 : 1
        guard let value = Double(digits), (0...10).contains(value * factor) else {
            throw ToolError(.wrongUsage, "--tolerance takes a share from 0% to 1000%, not “\(text)”.")
        }
        return value * factor
    }

    /// The instruments for a scenario, in the recorder's words.
    func instruments(for scenario: Budget.Scenario) -> [String] {
        let wanted = Set(scenario.instruments + extraInstruments)
        return Self.known.filter(wanted.contains)
    }
}
