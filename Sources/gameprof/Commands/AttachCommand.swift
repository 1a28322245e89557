import ArgumentParser
import Foundation
import GameprofBasics
import GameprofHeap

/// Records a part of the life of a process that runs with a dormant recorder.
struct AttachCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Record a running process that was started with a dormant recorder.",
        usage: "gameprof attach [options] PID",
        discussion: """
            Start the program with gameprof record --dormant -- PROGRAM, or with GAMEPROF=dormant where it links or \
            preloads the recorder. Until somebody attaches, nothing is recorded, and there is no thread and no file. \
            Each time it is attached to makes a trace. What the process allocated before is not among the figures. \
            --arc needs a program that was started with gameprof record --dormant --arc.
            """)

    @OptionGroup(title: HelpTitle.target) var process: WatchedProcess

    @Option(
        name: .customLong("instruments"),
        help: ArgumentHelp("What to record: allocations, time, files (default: all of them).", valueName: "a,b"))
    var names: String?

    @OptionGroup(title: HelpTitle.recorded) var counting: ReferenceCountingOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var trace: TraceFileOptions
    @OptionGroup(title: HelpTitle.output) var printing: QuietOptions

    func validate() throws {
        let instruments = try InstrumentNames.read(names ?? Self.everything)
        guard !instruments.isEmpty, Set(instruments).isSubset(of: [.allocations, .time, .files]) else {
            throw ValidationError(
                "attach records allocations, time and files. What is lost, dead or holds what is known only of a "
                    + "program that is recorded from its start, or looked at as a whole (gameprof leaks --pid \(process.pid))."
            )
        }
        if counting.counts, !instruments.contains(.time) {
            throw ValidationError("--arc counts beside the instrument time; add that instrument.")
        }
    }

    private static let everything = "allocations,time,files"

    /// What is asked for; of a recorder that is linked into the program all that it can record.
    private func instruments(_ recorder: DormantRecorder) throws -> [Instrument] {
        let asked = try InstrumentNames.read(names ?? Self.everything)
        guard !recorder.seesFiles, asked.contains(.files) else { return Instrument.sorted(Set(asked)) }
        guard names == nil else {
            throw ToolError(
                .wrongUsage,
                "The recorder is linked into the program and does not see its files: leave files out, or start the program "
                    + "with gameprof record --dormant.")
        }
        return [.allocations, .time]
    }

    func run() throws {
        let recorder: DormantRecorder
        do throws(MemoryImageError) { recorder = try DormantRecorder(in: process.pid) } catch {
            throw ToolError(error.isInput ? .wrongUsage : .toolFailed, error.sentence)
        }
        let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.pid)/exe")
        let name = AtomicFile.name(of: executable ?? "process")
        let output = trace.output ?? "\(name)-\(process.pid).gptrace"
        let session = AttachSession(
            recorder: recorder, instruments: try instruments(recorder), options: counting.environment, output: output,
            seconds: process.seconds,
            mostBytes: trace.maxTraceSize, search: symbols.search, isQuiet: printing.quiet)
        let refusal = try session.run()
        if let refusal { StandardError.say(refusal) }
        if !printing.quiet { StandardError.say("The trace is \(output); gameprof report shows it.") }
        if refusal != nil { throw ExitStatus.toolFailed }
    }
}
