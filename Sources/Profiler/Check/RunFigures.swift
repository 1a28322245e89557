import GameprofAnalysis
import GameprofBasics
import GameprofTrace

/// What one of several runs is compared by.
public struct RunFigures: Sendable {
    /// The frames of a game loop.
    public struct Loop: Sendable {
        public var name: String
        /// Without waiting for the screen or for a processor.
        public var durations: Durations
        public var overBudget: UInt64
        /// Nanoseconds.
        public var budget: UInt64
    }

    /// Nanoseconds; nil: not recorded.
    public var cpu: Double?
    /// The most bytes; nil: not recorded.
    public var resident: Double?
    public var loops: [Loop]

    private static let nameLength = 200

    /// - Parameter budgets: of the loops that the runs before had. All runs are judged by one budget.
    public init(_ recording: Recording, budgets: inout [String: UInt64]) {
        cpu = recording.threadTimes.isEmpty ? nil : Double(recording.threadTimes.map(\.cpu).clampedSum)
        let peak = recording.residentMemory.peak
        resident = peak > 0 ? Double(peak) : nil
        loops = recording.probes.frames.map { frames in
            let budget = budgets[frames.name] ?? FrameBudget.nanoseconds(frames.all.map(\.length))
            budgets[frames.name] = budget
            return Loop(
                name: String(frames.name.prefix(Self.nameLength)), durations: frames.compared,
                overBudget: frames.overBudget(budget), budget: budget)
        }
    }
}
