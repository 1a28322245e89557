import ArgumentParser
import Foundation
import GameprofBasics
import GameprofCheck
import GameprofConfiguration
import GameprofReportModel
import GameprofSymbolication

/// The files that a check is judged by, read.
struct CheckSettings {
    var budget: Budget?
    var baseline: Baseline
    var tolerance: Double
    var suppressions: [Suppression]
    /// Beside allocations and leaks.
    var extraInstruments: [Instrument]
    /// Where symbols are looked for.
    var search: SymbolSearch
    var history: HistoryComparison?

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
        search = command.symbols.search
        let ofHistory = try command.tolerance.map(Self.share) ?? 0
        history = command.history.map {
            HistoryComparison(path: $0, branch: command.historyBranch, tolerance: ofHistory)
        }
        suppressions = try SuppressionFile.read(command.suppressions)
        do {
            extraInstruments = try command.instruments.map(InstrumentNames.read) ?? []
        } catch let error as ValidationError {
            throw ToolError(.wrongUsage, error.message)
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

    /// The instruments for a scenario.
    func instruments(for scenario: Budget.Scenario) -> [Instrument] {
        Instrument.sorted(Set(scenario.instruments + extraInstruments))
    }
}
