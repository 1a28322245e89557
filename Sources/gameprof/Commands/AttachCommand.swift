import ArgumentParser
import Foundation
import GameprofBasics

/// Records a part of the life of a process that runs with a dormant recorder.
struct AttachCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Record a running process that was started with a dormant recorder.",
        usage: "gameprof attach [options] PID",
        discussion: """
            Start the program with gameprof record --dormant -- PROGRAM, or with GAMEPROF=dormant where it links or \
            preloads the recorder. Until somebody attaches, nothing is recorded, and there is no thread and no file. \
            Each time it is attached to makes a trace. What the process allocated before is not among the figures.
            """)

    @Argument(help: "The number of the process.")
    var pid: Int32

    @Option(
        name: .customLong("instruments"),
        help: ArgumentHelp("What to record: allocations, time, files (default: all of them).", valueName: "a,b"))
    var names: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "Stop after this time, as 30s (default: Ctrl-C, or the end of the process, ends it).", valueName: "time"))
    var duration: String?

    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions
    @OptionGroup(title: HelpTitle.output) var printing: QuietOptions

    func validate() throws {
        if pid <= 0 { throw ValidationError("attach takes the number of a process.") }
        if let duration, TimeSpan.milliseconds(duration) == nil {
            throw ValidationError("--for needs a time of 1 ms to 1,000,000 s, as 30s or 500ms.")
        }
        let instruments = try read()
        guard !instruments.isEmpty, Set(instruments).isSubset(of: [.allocations, .time, .files]) else {
            throw ValidationError(
                "attach records allocations, time and files. What is lost, dead or holds what is known only of a "
                    + "program that is recorded from its start, or looked at as a whole (gameprof leaks --pid \(pid)).")
        }
    }

    private func read() throws -> [Instrument] { try InstrumentNames.read(names ?? "allocations,time,files") }

    func run() throws {
        let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
        let name = AtomicFile.name(of: executable ?? "process")
        let output = trace.output ?? "\(name)-\(pid).gptrace"
        let session = AttachSession(
            pid: pid, instruments: Instrument.sorted(Set(try read())), output: output,
            seconds: duration.flatMap(TimeSpan.milliseconds).map { Double($0) / 1_000 },
            mostBytes: trace.maxTraceSize, search: symbols.search, isQuiet: printing.quiet)
        let refusal = try session.run()
        if let refusal { StandardError.say(refusal) }
        if !printing.quiet { StandardError.say("The trace is \(output).") }
        // A linked recorder sees no files.
        if refusal != nil, names != nil { throw ExitStatus.toolFailed }
    }
}
