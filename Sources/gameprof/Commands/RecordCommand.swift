import ArgumentParser
import Foundation
import GameprofBasics
import GameprofTrace

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record a program into a trace for a later report.",
        usage: "gameprof record [--instruments a,b] [--output F.gptrace] [--] PROGRAM [ARGS…]")

    /// More traces of other processes than these are only counted.
    private static let namedTraces = 10

    @OptionGroup(title: HelpTitle.target) var target: TargetOptions

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Record nothing until gameprof attach asks for it; gameprof becomes the program.", visibility: .hidden))
    var dormant = false

    @OptionGroup(title: HelpTitle.recorded) var instruments: InstrumentOptions
    @OptionGroup(title: HelpTitle.recorded) var list: ObjectOptions
    @OptionGroup(title: HelpTitle.recorded) var blocks: BlockSamplingOptions
    @OptionGroup(title: HelpTitle.recorded) var guarding: GuardOptions
    @OptionGroup(title: HelpTitle.recorded) var snapshots: SnapshotOptions
    @OptionGroup(title: HelpTitle.recorded) var why: WhyOptions
    @OptionGroup(title: HelpTitle.recorded) var retains: RetainOptions
    @OptionGroup(title: HelpTitle.recorded) var zombies: ZombieOptions
    @OptionGroup(title: HelpTitle.recorded) var sampling: SamplingOptions
    @OptionGroup(title: HelpTitle.recorded) var counting: ReferenceCountingOptions
    @OptionGroup(title: HelpTitle.recorded) var failure: FailureOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions
    @OptionGroup(title: HelpTitle.output) var printing: QuietOptions

    func validate() throws {
        let instruments = Set(try instruments.read())
        guard !instruments.isEmpty else {
            throw ValidationError("Name at least one instrument: \(InstrumentNames.all).")
        }
        if instruments.contains(.zombies), !instruments.isDisjoint(with: [.allocations, .leaks, .heap]) {
            throw ValidationError(
                "Zombies cannot be combined with allocations, leaks or heap. Record zombies alone or with time.")
        }
        if failure.number != nil, instruments.isDisjoint(with: [.allocations, .leaks, .heap, .zombies]) {
            throw ValidationError(
                "--fail-allocation needs a memory instrument: allocations, leaks, heap or zombies.")
        }
        if counting.counts, !dormant, !instruments.contains(.time) {
            throw ValidationError("--arc counts beside the instrument time; add that instrument.")
        }
        _ = try sampling(of: instruments)
        try list.validate(with: blocks.sample)
        if list.objects != nil, !instruments.contains(.allocations) {
            throw ValidationError("--objects lists what the instrument allocations records; add that instrument.")
        }
    }

    /// Of zombies objects are sampled by their number, else blocks by their bytes.
    private func sampling(of instruments: Set<Instrument>) throws -> [String: String] {
        guard !instruments.contains(.zombies) else {
            guard blocks.sample == nil else {
                throw ValidationError("--sample samples the blocks of allocations or leaks; zombies take --guard=1/n.")
            }
            try guarding.validateForZombies()
            return zombies.environment(guarding: guarding)
        }
        try guarding.validate(with: blocks.sample)
        guard blocks.sample == nil || !instruments.isDisjoint(with: [.allocations, .leaks]) else {
            throw ValidationError(
                "--sample samples the blocks of allocations or leaks; record one of these instruments.")
        }
        return zombies.environment().merging(blocks.environment(guarding: guarding)) { $1 }
    }

    /// Variables for the recorder.
    private func environment(of instruments: [Instrument]) throws -> [String: String] {
        [
            why.environment, retains.environment, list.environment, try self.sampling(of: Set(instruments)),
            sampling.environment, counting.environment, failure.environment,
        ]
        .reduce(into: [:]) { $0.merge($1) { $1 } }
    }

    func run() throws {
        if dormant { try DormantProgram.run(target.program, variables: counting.environment) }
        let program = try ProgramToRun(target, trace: trace, symbols: symbols)
        let name = URL(fileURLWithPath: program.words[0]).lastPathComponent
        let output = program.output ?? "\(name).gptrace"
        let asked = try instruments.read()
        let session = RecordingSession(
            instruments: asked, program: program.words, output: output, isQuiet: printing.quiet,
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
        if !printing.quiet {
            for sentence in outcome.notes + outcome.problems { StandardError.say(sentence) }
            StandardError.say("The trace is \(output).")
            for other in outcome.others.prefix(Self.namedTraces) {
                StandardError.say("The trace of process \(other.process) is \(other.trace).")
            }
            if outcome.others.count > Self.namedTraces {
                let more = outcome.others.count - Self.namedTraces
                StandardError.say("The traces of \(more) more processes are named in the same way.")
            }
        }
        if program.propagatesExit { throw outcome.exit.shellStatus }
        if !outcome.problems.isEmpty { throw ExitStatus.toolFailed }
        if outcome.isCutShort { throw ExitStatus.toolFailed }
    }
}
