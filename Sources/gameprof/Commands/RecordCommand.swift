import ArgumentParser
import Foundation
import GameprofBasics
import GameprofTraceFile

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record a program into a trace for a later report.",
        usage: "gameprof record [--instruments a,b] [--output F.gptrace] [--] PROGRAM [ARGS…]")

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What to record: allocations, leaks, heap, time; or zombies, alone or with time.", valueName: "a,b"))
    var instruments = "allocations,leaks"

    @Flag(name: .long, help: "Print errors only.")
    var quiet = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Record a sample of the blocks, one for this many bytes on average (512k), and estimate the counts; with \
            zombies: guard one in n allocations and ignore the others.
            """,
            valueName: "bytes"))
    var sample: String?

    @OptionGroup var guarding: GuardedSampleOptions
    @OptionGroup var snapshots: SnapshotOptions
    @OptionGroup var why: WhyOptions
    @OptionGroup var history: HistoryOptions
    @OptionGroup var zombies: ZombieOptions
    @OptionGroup var sampling: SamplingOptions
    @OptionGroup var program: ProgramOptions

    func validate() throws {
        let instruments = Set(try InstrumentNames.read(instruments))
        guard !instruments.isEmpty else {
            throw ValidationError("Name at least one instrument: \(InstrumentNames.all).")
        }
        if instruments.contains(.zombies), !instruments.isDisjoint(with: [.allocations, .leaks, .heap]) {
            throw ValidationError(
                "Zombies cannot be combined with allocations, leaks or heap: record zombies alone or with time.")
        }
        _ = try sampling(of: instruments)
    }

    /// Of zombies it is a number of allocations, else of bytes.
    private func sampling(of instruments: Set<Instrument>) throws -> [String: String] {
        if instruments.contains(.zombies) {
            try guarding.validate(with: nil)
            let number = sample.map { UInt32($0) ?? 0 }
            guard number != 0 else { throw ValidationError("--sample needs a number of at least 1 for zombies.") }
            return zombies.environment(sample: number)
        }
        guard let sample else {
            try guarding.validate(with: nil)
            return zombies.environment()
        }
        guard let blocks = BlockSampling(argument: sample) else {
            throw ValidationError("--sample takes a number of bytes, optionally with k, m or g.")
        }
        guard !instruments.isDisjoint(with: [.allocations, .leaks]) else {
            throw ValidationError("--sample samples the blocks of allocations or leaks: record one of them.")
        }
        try guarding.validate(with: blocks)
        return [blocks.environment, guarding.environment].reduce(zombies.environment()) { $0.merging($1) { $1 } }
    }

    /// Variables for the recorder.
    private func environment(of instruments: [Instrument]) throws -> [String: String] {
        [why.environment, history.environment, try self.sampling(of: Set(instruments)), sampling.environment]
            .reduce(into: [:]) { $0.merge($1) { $1 } }
    }

    func run() throws {
        let program = program.value()
        let name = URL(fileURLWithPath: program.words[0]).lastPathComponent
        let output = program.output ?? "\(name).gptrace"
        let asked = try InstrumentNames.read(instruments)
        let session = RecordingSession(
            instruments: asked, program: program.words, output: output, isQuiet: quiet,
            snapshots: snapshots.request, environment: try environment(of: asked), mostBytes: program.mostBytes,
            following: program.following, search: program.search)
        let outcome: SessionOutcome
        do {
            outcome = try session.run()
        } catch let error as ToolError where program.propagatesExit {
            guard let exit = error.programExit else { throw error }
            StandardError.say(error.description)
            throw exit.shellStatus
        }
        if !quiet {
            for sentence in outcome.notes + outcome.problems { StandardError.say(sentence) }
            StandardError.say("The trace is \(output).")
            for other in outcome.others {
                StandardError.say("The trace of process \(other.process) is \(other.trace).")
            }
        }
        if program.propagatesExit { throw outcome.exit.shellStatus }
        if !outcome.problems.isEmpty { throw ExitStatus.toolFailed }
        if outcome.isCutShort { throw ExitStatus.toolFailed }
    }
}
