import ArgumentParser
import Foundation
import TraceFile

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record a program into a trace, to report upon it later.",
        usage: "gameprof record [--instruments a,b] [--output F.gptrace] [--] PROGRAM [ARGS…]")

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What to record: allocations, leaks, time; or zombies, alone or with time.", valueName: "a,b"))
    var instruments = "allocations,leaks"

    @Flag(name: .long, help: "Print nothing but errors.")
    var quiet = false

    @OptionGroup var snapshots: SnapshotOptions
    @OptionGroup var why: WhyOptions
    @OptionGroup var history: HistoryOptions
    @OptionGroup var zombies: ZombieOptions
    @OptionGroup var sampling: SamplingOptions
    @OptionGroup var program: ProgramOptions

    func validate() throws {
        let known = ["allocations", "leaks", "time", "zombies"]
        let names = instruments.split(separator: ",").map(String.init)
        guard !names.isEmpty else {
            throw ValidationError("Name at least one instrument: \(known.joined(separator: ", ")).")
        }
        for name in names where !known.contains(name) {
            throw ValidationError("There is no instrument “\(name)”; known are \(known.joined(separator: ", ")).")
        }
        if names.contains("zombies"), names.contains(where: { $0 == "allocations" || $0 == "leaks" }) {
            throw ValidationError("What keeps the dead cannot count the living: record zombies alone or with time.")
        }
    }

    /// Variables for the recorder.
    private var environment: [String: String] {
        [why.environment, history.environment, zombies.environment, sampling.environment]
            .reduce(into: [:]) { $0.merge($1) { $1 } }
    }

    func run() throws {
        let name = URL(fileURLWithPath: program.program[0]).lastPathComponent
        let output = program.output ?? "\(name).gptrace"
        let session = RecordingSession(
            instruments: instruments, program: program.program, output: output, isQuiet: quiet,
            snapshots: snapshots.request, environment: environment, mostBytes: program.maxTraceSize,
            following: program.following)
        let outcome: SessionOutcome
        do {
            outcome = try session.run()
        } catch let error as ToolError where program.propagateExit {
            guard let exit = error.programExit else { throw error }
            StandardError.say(error.description)
            throw exit.shellStatus
        }
        if !quiet {
            for sentence in outcome.notes + outcome.problems { StandardError.say(sentence) }
            StandardError.say("The trace is \(output).")
            for other in outcome.others { StandardError.say("That of process \(other.process) is \(other.trace).") }
        }
        if program.propagateExit { throw outcome.exit.shellStatus }
        if !outcome.problems.isEmpty { throw ExitStatus.toolFailed }
        if outcome.isCutShort { throw ExitStatus.toolFailed }
    }
}
