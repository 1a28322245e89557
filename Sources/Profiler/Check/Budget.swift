import GameprofBasics

/// What the scenarios of a program may use: the limits of a diagnostic pass.
public struct Budget: Hashable, Sendable {
    /// In the order of the file.
    public var scenarios: [Scenario]
    /// How much more than the baseline holds is still the same, as a share; nil: the file does not say.
    public var tolerance: Double?

    public init(scenarios: [Scenario] = [], tolerance: Double? = nil) {
        self.scenarios = scenarios
        self.tolerance = tolerance
    }

    /// Of what the baseline holds, where neither file nor command line says otherwise.
    public static let defaultTolerance = 0.1

    /// One way to use the program.
    public struct Scenario: Hashable, Sendable {
        public var name: String
        /// The program and its arguments; empty: they come from the command line or from a trace.
        public var program: [String] = []
        public var exit = ExpectedExit.code(0)
        public var limits: [Limit] = []
        /// Seconds after which a run is ended, and fails; nil: it may take as long as it likes.
        public var timeout: Double?
        /// How often it is run.
        public var repetitions = 1
        /// Where it stands: `budget.yml:6:3`.
        public var place: String?

        public init(name: String) { self.name = name }

        /// The instruments that its limits need. Allocations and leaks are always watched.
        public var instruments: [Instrument] {
            let needed = Set(limits.map(\.measure.instrument))
            return Instrument.sorted(needed.union([.allocations, .leaks]))
        }

        /// The instruments of each run that it takes: what keeps dead objects can count no live ones.
        public static func runs(of instruments: [Instrument]) -> [[Instrument]] {
            let others = instruments.filter { $0 != .zombies }
            let zombies = instruments.filter { $0 == .zombies }
            return [others, zombies].filter { !$0.isEmpty }
        }
    }

    /// How the program should end.
    public enum ExpectedExit: Hashable, Sendable {
        case code(Int)
        /// Whatever it likes, signals included.
        case any
    }

    /// The most that a measure may be.
    public struct Limit: Hashable, Sendable {
        public var measure: Measure
        public var most: Double
        /// Where it stands: `budget.yml:7:5`.
        public var place: String?

        public init(measure: Measure, most: Double, place: String? = nil) {
            self.measure = measure
            self.most = most
            self.place = place
        }
    }
}
