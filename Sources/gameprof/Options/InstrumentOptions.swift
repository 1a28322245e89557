import ArgumentParser
import GameprofBasics
import GameprofSampling

/// Which instruments a recording has.
struct InstrumentOptions: ParsableArguments {
    @Option(
        name: .customLong("instruments"),
        help: ArgumentHelp(
            "What to record: \(InstrumentNames.all); zombies cannot be combined with allocations, leaks or heap.",
            valueName: "a,b"))
    var names = "allocations,leaks"

    func read() throws -> [Instrument] { try InstrumentNames.read(names) }
}

/// `allocations,leaks`: instruments as the command line names them.
enum InstrumentNames {
    static func read(_ text: String) throws -> [Instrument] {
        try text.split(separator: ",").map { name in
            guard let instrument = Instrument(rawValue: String(name)) else {
                let hint = NearestName.hint(String(name), among: Instrument.allCases.map(\.rawValue))
                throw ValidationError("Unknown instrument “\(name)”\(hint.isEmpty ? ";" : hint) available are \(all).")
            }
            return instrument
        }
    }

    static var all: String { Instrument.allCases.map(\.rawValue).joined(separator: ", ") }
}

/// How time is sampled.
struct SamplingOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Samples per second of each thread's CPU time, 1 to 10000.", valueName: "n", visibility: .hidden))
    var rate = 1000

    @Flag(name: .long, help: "Also sample waiting threads: seconds by stack spent in locks, sleeps, input and output.")
    var wall = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Sampling trigger: perf (exact, not permitted everywhere), signal (the same, for use with a debugger, \
            slower), timer, or any (the first that works); of a process: any, or stops (ptrace).
            """,
            valueName: "any|perf|signal|timer|stops", visibility: .hidden))
    var source = "any"

    func validate() throws {
        guard (1...10_000).contains(rate) else { throw ValidationError("--rate takes a number from 1 to 10000.") }
        guard ["any", "perf", "signal", "timer", "stops"].contains(source) else {
            throw ValidationError("--source takes any, perf, signal, timer or stops, not “\(source)”.")
        }
    }

    /// - Throws: a source that a program, or a running process, does not have.
    func checkSource(ofProcess: Bool) throws {
        let isFitting = ofProcess ? ["any", "stops"].contains(source) : source != "stops"
        guard isFitting else {
            throw ToolError(
                .wrongUsage,
                ofProcess
                    ? "--source \(source) goes with a program: a running process takes any or stops."
                    : "--source stops goes with --pid.")
        }
    }

    /// For a running process.
    func options(pid: Int32, seconds: Double) -> ProcessSampling.Options {
        var options = ProcessSampling.Options(pid: pid, period: UInt64(1_000_000_000 / rate), duration: seconds)
        options.waits = wall
        options.onlyStops = source == "stops"
        return options
    }

    /// Variables for the recorder.
    var environment: [String: String] {
        ["GAMEPROF_TIME": "rate=\(rate);source=\(source)" + (wall ? ";wall" : "")]
    }
}

/// How many blocks are recorded.
struct BlockSamplingOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Record a sample of the blocks, one for every <bytes> allocated on average (512k is usual for servers), and \
            estimate the counts. Leaks are searched for among all blocks. 1 records every block.
            """,
            valueName: "bytes"))
    var sample: BlockSampling?

    /// Variables for the recorder.
    func environment(guarding: GuardOptions) -> [String: String] {
        (sample?.environment ?? [:]).merging(guarding.environment) { $1 }
    }
}

/// Mean bytes between two sampled blocks: 524288, 512k, 1M.
struct BlockSampling: ExpressibleByArgument {
    let mean: UInt64

    init?(argument: String) {
        let shifts: [Character: UInt64] = ["k": 10, "m": 20, "g": 30]
        let shift = argument.last.flatMap { shifts[Character($0.lowercased())] }
        let digits = shift == nil ? argument[...] : argument.dropLast()
        // The recorder's most: 2⁴⁰.
        guard digits.allSatisfy(\.isNumber), let number = UInt64(digits), number > 0,
            number <= (1 << 40) >> (shift ?? 0)
        else { return nil }
        mean = number << (shift ?? 0)
    }

    var environment: [String: String] { ["GAMEPROF_SAMPLE": String(mean)] }
}

/// How stacks are shown.
struct ProfileOptions: ParsableArguments {
    @Flag(
        name: .customLong("runtime-frames"), help: "Show reference counting, allocation and thunks as separate frames.")
    var runtimeFrames = false
}

/// Whose reference counts are followed.
struct RetainOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Record every retain and release of the objects of these classes (Board,Card).", valueName: "types"))
    var retains: String?

    func validate() throws {
        if let retains, retains.isEmpty || retains.contains(where: { ";|=".contains($0) }) {
            throw ValidationError("--retains takes names of classes, separated by commas.")
        }
    }

    /// The recorder's variable: names of classes, separated by a bar.
    static let variable = "GAMEPROF_HISTORY"

    /// Variables for the recorder.
    var environment: [String: String] {
        retains.map { [Self.variable: TypeName.list($0[...]).joined(separator: "|")] } ?? [:]
    }
}

/// Whether retains and releases are counted.
struct ReferenceCountingOptions: ParsableArguments {
    @Flag(
        name: .customLong("arc"),
        help: ArgumentHelp(
            "Also count every retain and release, by function and type.",
            discussion: """
                Counts are exact. Those of the library's functions are split among their callers by sampled stacks. A loop \
                that does nothing else takes several times as long.
                """))
    var counts = false

    /// Variables for the recorder.
    var environment: [String: String] { counts ? ["GAMEPROF_ARC": "1"] : [:] }
}

/// Which allocation fails.
struct FailureOptions: ParsableArguments {
    @Option(
        name: .customLong("fail-allocation"),
        help: ArgumentHelp(
            "Make the n-th allocation of the program's own code fail.",
            discussion: """
                Allocations are counted from main on if the executable requests them, or the Swift or C++ runtime on \
                its behalf. The report names the stack and how the program ended.
                """,
            valueName: "n"))
    var number: UInt64?

    func validate() throws {
        if number == 0 { throw ValidationError("--fail-allocation takes a number from 1.") }
    }

    /// Variables for the recorder.
    var environment: [String: String] { number.map { ["GAMEPROF_FAIL_ALLOCATION": String($0)] } ?? [:] }
}

/// Whether the history of what is found is recorded by a second run.
struct ExplainOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Run the program again where the retains and releases of what is found say more, and show them.",
            discussion: "That is a deallocated object that was used, or a lost object to which nothing refers."))
    var explain = false

    /// The user's own command with this flag; nil: it is another command.
    func command(_ instrument: Instrument) -> String? {
        let given = CommandLine.arguments.dropFirst()
        guard given.first == instrument.rawValue else { return nil }
        let option = explain ? [] : ["--explain"]
        return ShellWords.joined(["gameprof", instrument.rawValue] + option + given.dropFirst())
    }
}
