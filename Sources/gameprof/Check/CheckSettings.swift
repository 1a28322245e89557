import GameprofAnalysis
import GameprofBasics
import GameprofCheck
import GameprofTrace

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

    /// The instruments for a scenario.
    func instruments(for scenario: Budget.Scenario) -> [Instrument] {
        Instrument.sorted(Set(scenario.instruments + extraInstruments))
    }
}
