import GameprofAnalysis
import GameprofBasics

/// What a limit is about: a number that a report holds.
public enum Measure: Hashable, Sendable {
    /// Instances of findings of a family, those of the baseline left out.
    case findings(FindingFamily)
    /// Of all blocks, or of the types that match the pattern.
    case memory(MemoryFigure, type: GlobPattern?)
    /// Instances that each repetition of a scenario adds, of the type that grows fastest among those that match.
    case growthRate(type: GlobPattern?)
    /// Bytes that the types that match retain at the end and did not at the first heap snapshot; of all types what lives.
    case retainedGrowth(type: GlobPattern?)
    /// Share of the live bytes that stayed after a memory warning, of the one after which most stayed.
    case afterWarning
    /// Blocks, or bytes, that are kept at the end by what grew through the run and has such a holder or type.
    case kept(holder: GlobPattern, MeasureUnit)
    /// Share of the samples of a function: in it and all that it called, or in the function itself.
    case share(function: GlobPattern, isOwn: Bool)
    /// Of an interval that the program measures.
    case probe(String, ProbeFigure)
    /// Of a game loop's frames.
    case frame(String, ProbeFigure)
    /// Of the frames of all game loops, of the one with the most.
    case everyFrame(EveryFrameFigure)

    /// What of an interval's or a frame's figures.
    public enum ProbeFigure: String, Hashable, Sendable, CaseIterable {
        case p50, p95, p99, max
        /// On average for each interval or frame, on its thread.
        case allocations

        package var unit: MeasureUnit {
            switch self {
            case .p50, .p95, .p99, .max: .nanoseconds
            case .allocations: .count
            }
        }
    }

    public enum EveryFrameFigure: String, Hashable, Sendable, CaseIterable {
        case p99 = "frame-p99"
        /// Of the median frame, on the loop's thread.
        case allocations = "allocations-per-frame"

        package var unit: MeasureUnit { self == .p99 ? .nanoseconds : .count }
    }

    /// The number that a limit bounds.
    public enum MemoryFigure: String, Hashable, Sendable, CaseIterable {
        case allocations, live, peak, temporary
        case allocatedBytes = "allocated-bytes"
        case liveBytes = "live-bytes"
        case temporaryShare = "temporary-share"
        /// Bytes that would be freed with the objects of a type; of all types what lives.
        case retained

        var unit: MeasureUnit {
            switch self {
            case .allocations, .live, .temporary: .count
            case .allocatedBytes, .liveBytes, .peak, .retained: .bytes
            case .temporaryShare: .share
            }
        }
    }

    /// The types that it is about; nil: all.
    var type: GlobPattern? {
        switch self {
        case .memory(_, let type), .growthRate(let type), .retainedGrowth(let type): type
        case .findings, .afterWarning, .kept, .share, .probe, .frame, .everyFrame: nil
        }
    }

    /// The program has one of these types if the name is no slip of the pen; empty: nothing is known of it. A holder is a type, or a
    /// type and its field, or a variable.
    var types: [GlobPattern] {
        guard case .kept(let holder, _) = self else { return type.map { [$0] } ?? [] }
        guard let dot = holder.text.lastIndex(of: ".") else { return [] }
        return [holder, GlobPattern(String(holder.text[..<dot]))]
    }

    public var unit: MeasureUnit {
        switch self {
        case .findings: .count
        case .memory(let figure, _): figure.unit
        case .growthRate: .count
        case .retainedGrowth: .bytes
        case .kept(_, let unit): unit
        case .afterWarning, .share: .share
        case .probe(_, let figure), .frame(_, let figure): figure.unit
        case .everyFrame(let figure): figure.unit
        }
    }

    package static let growthRateKey = "growth-per-repetition"
    package static let retainedGrowthKey = "retained-growth"
    package static let afterWarningKey = "after-warning"

    /// How a baseline and reports call it: `leaks`, `peak`, `types/Game.Card/live`.
    public var name: String {
        switch self {
        case .findings(let family): family.rawValue
        case .memory(let figure, nil): figure.rawValue
        case .memory(let figure, let type?): "types/\(type.text)/\(figure.rawValue)"
        case .growthRate(nil): Self.growthRateKey
        case .growthRate(let type?): "types/\(type.text)/\(Self.growthRateKey)"
        case .retainedGrowth(nil): Self.retainedGrowthKey
        case .retainedGrowth(let type?): "types/\(type.text)/\(Self.retainedGrowthKey)"
        case .afterWarning: Self.afterWarningKey
        case .kept(let holder, .bytes): "growth-of/\(holder.text)/bytes"
        case .kept(let holder, _): "growth-of/\(holder.text)"
        case .share(let function, let isOwn): "functions/\(function.text)/\(isOwn ? "self" : "total")"
        case .probe(let name, let figure): "probes/\(name)/\(figure.rawValue)"
        case .frame(let name, let figure): "frames/\(name)/\(figure.rawValue)"
        case .everyFrame(let figure): figure.rawValue
        }
    }

    /// The instrument without which it cannot be measured.
    public var instrument: Instrument {
        switch self {
        case .findings(.zombies): .zombies
        case .memory(.retained, _), .retainedGrowth, .kept: .heap
        case .findings(.growth), .memory, .growthRate, .afterWarning: .allocations
        case .findings(.leaks), .findings(.reachableCycles), .findings(.abandoned): .leaks
        case .findings(.descriptors): .files
        case .share: .time
        case .probe, .frame, .everyFrame: .allocations
        }
    }

    /// Why a recording does not hold it.
    func absence(from report: Report) -> String {
        let lack = "the recording lacks \(instrument.rawValue)"
        let hasInstrument = report.capture.instruments.contains(instrument)
        return switch self {
        case .probe where !hasInstrument, .frame where !hasInstrument, .everyFrame where !hasInstrument,
            .growthRate where !hasInstrument, .afterWarning where !hasInstrument:
            lack
        case .probe where report.hasNoProbes, .frame where report.hasNoProbes, .everyFrame where report.hasNoProbes:
            "the recording has no probes"
        case .probe(let name, _): "the program has no probe \(name), or never reached it"
        case .frame(let name, _): "the program has no frames \(name), or fewer than two"
        case .everyFrame: "the program marks no frames, or fewer than two"
        case .afterWarning: "the program got no memory warning"
        case .growthRate: "the program repeats no scenario five times or more"
        case .retainedGrowth where !hasInstrument: lack
        case .retainedGrowth: "the run has only one heap: the program takes no snapshot and repeats no scenario"
        case .findings(.leaks), .findings(.reachableCycles), .findings(.abandoned):
            "the heap was not searched, or the recording lacks leaks"
        case .memory(let figure, _) where figure != .retained && report.allocations?.sampled != nil:
            "the recording is a sample, and its counts are estimates (--sample)"
        case .kept where hasInstrument: "the list of what grew is not complete, and no listed row has this name"
        case .findings(.zombies), .findings(.growth), .findings(.descriptors), .memory, .kept, .share: lack
        }
    }

    /// Whether a baseline keeps it: not what differs from run to run on the same machine, nor how fast findings grow, which
    /// are kept themselves.
    var isKept: Bool {
        switch self {
        case .growthRate, .retainedGrowth, .afterWarning, .kept: return false
        case .findings, .memory, .share, .probe, .frame, .everyFrame: break
        }
        return unit != .nanoseconds && instrument != .time
    }
}

/// Kinds of findings that a budget counts together.
public enum FindingFamily: String, Hashable, Sendable, CaseIterable, Codable {
    case leaks, zombies, growth
    /// What is abandoned, and what accumulates.
    case abandoned
    case descriptors
    case reachableCycles = "reachable-cycles"

    init(_ kind: Finding.Kind) {
        switch kind {
        case .zombie: self = .zombies
        case .growth: self = .growth
        case .reachableCycle: self = .reachableCycles
        case .abandoned, .accumulation, .deinitialised: self = .abandoned
        case .descriptorLeak: self = .descriptors
        case .retainCycle, .leak, .overRetain, .rawLeak, .outlived, .lostMapping, .unjoinedThread: self = .leaks
        }
    }

    /// What nobody may have unless a budget allows it; warnings count only where a budget names them.
    var isLimitedAlways: Bool {
        switch self {
        case .leaks, .zombies: true
        case .growth, .reachableCycles, .abandoned, .descriptors: false
        }
    }
}

extension Report {
    /// The program measured nothing itself.
    fileprivate var hasNoProbes: Bool { probes == nil && probeEvents == nil && counters == nil && frames == nil }
}
