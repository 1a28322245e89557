import ArgumentParser
import Foundation
import GameprofTrace

struct SymbolicateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "symbolicate", abstract: "Store names, lines and inlined functions in a trace.",
        usage: "gameprof symbolicate F.gptrace [--symbols FOLDER]…",
        discussion: """
            Recording does this at its end. Afterwards reports, comparisons and exports need no program file: they stay \
            the same when the program is rebuilt, moved or deleted. Use this command for older traces, for those of a \
            recording that was cut off, and with --symbols for stripped programs. A file of another build \
            than the recorded one (its build id differs) is reported and never used. Names that the trace holds already \
            are kept unless a file gives better ones.

            Exit codes: 0 the names are stored, 2 wrong usage or unreadable input, 4 the program's functions could not be \
            named, or the trace could not be written; it is unchanged then.
            """)

    @OptionGroup(title: HelpTitle.target) var trace: TraceArgument
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup(title: HelpTitle.output) var printing: QuietOptions

    func run() throws {
        let (trace, quiet) = (trace.path, printing.quiet)
        guard !TraceFinisher.isBeingWritten(trace) else {
            throw ToolError(.wrongUsage, "\(trace) is still being recorded.")
        }
        let recording = try RecordingReader.readHeap(path: trace, graphs: .rootsAlone)
        let progress = Progress("Naming functions", isQuiet: quiet)
        progress.show(0)
        let symbolicator = Symbolicator(recording: recording, search: symbols.search, prefersFiles: true)
        let names = symbolicator.records()
        progress.clear()
        for problem in symbolicator.problems { StandardError.say(problem) }
        let program = recording.program?.executable ?? ""
        guard names.images > 0 else { throw ToolError(.toolFailed, "\(trace) is unchanged: no symbols were found.") }
        do {
            try TraceFinisher.store(names.symbols, in: trace)
        } catch let error as TraceError {
            guard case .unwritable = error else { throw error }
            throw ToolError(.toolFailed, error.description)
        }
        if !quiet {
            StandardError.say("\(trace) holds the names of \(names.addresses) addresses in \(names.images) images.")
        }
        if names.unnamed.contains(program) { throw ExitStatus.toolFailed }
    }
}
