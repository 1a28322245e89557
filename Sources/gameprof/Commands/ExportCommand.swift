import ArgumentParser
import Foundation
import GameprofBasics
import GameprofExport
import GameprofProfiler
import GameprofRecording
import GameprofSymbolication
import GameprofTraceFile

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a trace in the format of another viewer.",
        usage: "gameprof export F.gptrace --format F [--output F] [options]",
        discussion: """
            Formats: pprof (go tool pprof), speedscope (speedscope.app), collapsed (flame graph scripts), firefox \
            (profiler.firefox.com), chrome (chrome://tracing, ui.perfetto.dev), perf-script (readers of perf). CPU \
            time is exported, and with firefox and chrome probes, frames and marks (counters with chrome). Of a trace without samples, or with --memory, allocated bytes by stack are exported \
            (pprof, speedscope and collapsed).

            Formats of the live heap, of a trace that gameprof heap recorded: heapsnapshot (Memory panel of Chrome and \
            Edge, VS Code), hprof (Eclipse MAT, VisualVM), sqlite (tables objects, references, types, roots and stacks).
            """)

    @Argument(help: ArgumentHelp("The trace.", valueName: "file.gptrace"))
    var trace: String

    @Option(name: .long, help: ArgumentHelp("The format: \(Self.formats).", valueName: "format"))
    var format: Format

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Output file (- is standard output; default: next to the trace).", valueName: "file"))
    var output: String?

    @Flag(name: .long, help: "Export allocated memory, also if there are samples.")
    var memory = false

    @Flag(name: .long, help: "Export the memory that is live at the end.")
    var live = false

    @Flag(name: .long, help: "Export waiting time instead of CPU time (recorded with --wall).")
    var waiting = false

    @Flag(
        name: .customLong("runtime-frames"), help: "Show reference counting, allocation and thunks as separate frames.")
    var runtimeFrames = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Export the heap of this snapshot, from 1 (default: the last one).", valueName: "number"))
    var snapshot: Int?

    @OptionGroup var symbols: SymbolOptions

    /// Of a profile, or of the heap.
    enum Format: CaseIterable {
        case profile(ExportFormat)
        case heap(HeapFormat)

        static let allCases = ExportFormat.allCases.map(Format.profile) + HeapFormat.allCases.map(Format.heap)

        var name: String {
            switch self {
            case .profile(let format): format.rawValue
            case .heap(let format): format.rawValue
            }
        }

        var fileExtension: String {
            switch self {
            case .profile(let format): format.fileExtension
            case .heap(let format): format.fileExtension
            }
        }

        var isBinary: Bool {
            switch self {
            case .profile(let format): format.isBinary
            case .heap(let format): format.isBinary
            }
        }
    }

    private static let formats = Format.allCases.map(\.name).joined(separator: ", ")

    func validate() throws {
        if waiting, memory || live { throw ValidationError("--waiting cannot be combined with --memory or --live.") }
        switch format {
        case .profile(let format):
            if memory || live, !format.hasBytes {
                throw ValidationError(
                    "\(format.rawValue) knows time alone; take pprof, speedscope or collapsed for memory.")
            }
            if snapshot != nil {
                throw ValidationError("--snapshot is for the formats of the heap: \(Self.heapFormats).")
            }
        case .heap(let format):
            if memory || live || waiting || runtimeFrames {
                throw ValidationError(
                    "\(format.rawValue) holds the live heap: --memory, --live, --waiting and --runtime-frames are for profiles."
                )
            }
        }
    }

    private static let heapFormats = HeapFormat.allCases.map(\.rawValue).joined(separator: ", ")

    func run() throws {
        let target = output ?? Self.beside(trace, format)
        if target == "-", format.isBinary, isatty(STDOUT_FILENO) == 1 {
            throw ToolError(.wrongUsage, "\(format.name) is a binary format: name a file with --output.")
        }
        if target != "-" { try AtomicFile.check(target) }
        switch format {
        case .profile(let format):
            let profile = try self.profile(format)
            for remark in profile.remarks { StandardError.say(remark) }
            try AtomicFile.write(try format.render(profile), to: target)
        case .heap(let format):
            try HeapExport(trace: trace, snapshot: snapshot, search: symbols.search).write(format, to: target)
        }
        if target != "-" { StandardError.write("Exported: \(PlainText.clean(target))\n") }
    }

    private func profile(_ format: ExportFormat) throws -> Profile {
        let recording = try RecordingReader.read(path: trace)
        let symbolicator = Symbolicator(recording: recording, search: symbols.search)
        defer { for problem in symbolicator.problems { StandardError.say(problem) } }
        let timeline = format.hasProbes ? try ProbeTimeline.read(path: trace) : ProbeTimeline()
        if timeline.omitted > 0 {
            StandardError.say("\(timeline.omitted) probes are left out: the viewers take no more.")
        }
        if memory || live || recording.samples.entries.isEmpty && timeline.isEmpty {
            guard !recording.allocations.byStack.isEmpty else {
                throw ToolError(.wrongUsage, "\(trace) has neither samples nor allocations to export.")
            }
            guard format.hasBytes else {
                let words = format.hasProbes ? "samples or probes" : "samples"
                throw ToolError(.wrongUsage, "\(trace) has no \(words), and \(format.rawValue) supports time only.")
            }
            return Profile(
                allocationsOf: recording, symbolicator: symbolicator, live: live, keepsRuntimeFrames: runtimeFrames)
        }
        var profile = ProfileBuilder.build(recording, symbolicator: symbolicator, keepsRuntimeFrames: runtimeFrames)
        profile.add(timeline, threadNames: recording.threadNames)
        return profile.only(waiting ? .waiting : .computing)
    }

    /// The trace's path with another extension.
    private static func beside(_ trace: String, _ format: Format) -> String {
        let stem = trace.hasSuffix(".gptrace") ? String(trace.dropLast(".gptrace".count)) : trace
        return "\(stem).\(format.fileExtension)"
    }
}

extension ExportCommand.Format: ExpressibleByArgument {
    init?(argument: String) {
        guard let format = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = format
    }

    var defaultValueDescription: String { name }

    static var allValueStrings: [String] { allCases.map(\.name) }
}
