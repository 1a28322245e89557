import GameprofCheck

/// The keys of a budget. The parser switches over them without `default`: a new one does not compile until it is read.
enum BudgetKey: String, CaseIterable { case version, tolerance, scenarios }

/// The keys of a scenario.
enum ScenarioKey: RawRepresentable, CaseIterable {
    case run(RunKey)
    case findings(FindingFamily)
    case memory(MemoryKey)
    case group(GroupKey)
    case everyFrame(Measure.EveryFrameFigure)

    static let allCases: [ScenarioKey] =
        RunKey.allCases.map(ScenarioKey.run) + FindingFamily.allCases.map(ScenarioKey.findings)
        + MemoryKey.allCases.map(ScenarioKey.memory) + GroupKey.allCases.map(ScenarioKey.group)
        + Measure.EveryFrameFigure.allCases.map(ScenarioKey.everyFrame)

    var rawValue: String {
        switch self {
        case .run(let key): key.rawValue
        case .findings(let family): family.rawValue
        case .memory(let key): key.rawValue
        case .group(let key): key.rawValue
        case .everyFrame(let key): key.rawValue
        }
    }

    init?(rawValue: String) {
        guard let key = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = key
    }
}

/// What is run, how often and how long, and how it should end.
enum RunKey: String, CaseIterable {
    case run, exit, timeout
    case repetitions = "repeat"
}

/// Limits of all blocks, or of those of a type.
enum MemoryKey: String, CaseIterable {
    case allocations, live, peak, temporary, retained
    case growthRate = "growth-per-repetition"
    case retainedGrowth = "retained-growth"
    case afterWarning = "after-warning"
}

/// Limits by the name of what they limit.
enum GroupKey: String, CaseIterable {
    case types, functions, probes, frames
    case growthOf = "growth-of"
}

/// The share of a function.
enum ShareKey: String, CaseIterable {
    case total
    case own = "self"
}
