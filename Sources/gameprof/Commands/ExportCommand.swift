import ArgumentParser
import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofCheck
import GameprofTrace

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a trace in the format of another viewer.",
        usage: "gameprof export F.gptrace --format F [--output F] [options]",
        discussion: """
            Formats: pprof (go tool pprof), speedscope (speedscope.app), collapsed (flame graph scripts), firefox \
            (profiler.firefox.com), chrome (chrome://tracing, ui.perfetto.dev), perf-script (readers of perf). CPU \
            time is exported; firefox and chrome also get probes, frames and marks (chrome also counters). For a trace \
            without samples, or with --values allocated, allocated bytes by stack are exported (pprof, speedscope and \
            collapsed).

            Formats of the live heap, of a trace that gameprof heap recorded: heapsnapshot (Memory panel of Chrome and \
            Edge, VS Code), hprof (Eclipse MAT, VisualVM), sqlite (tables objects, references, types, roots and stacks).
            """)

    @OptionGroup(title: HelpTitle.target) var trace: TraceArgument

    @OptionGroup(title: HelpTitle.analysis) var profile: ProfileOptions
    @OptionGroup(title: HelpTitle.analysis) var snapshot: SnapshotNumberOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions

    @Option(name: .long, help: ArgumentHelp("The format: \(Self.formats).", valueName: "format"))
    var format: Format

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            What a profile counts: time, waiting (recorded with --wall), allocated, or live (the memory that is live \
            at the end). The default is time, or allocated for a trace without samples.
            """, valueName: "time|waiting|allocated|live"))
    var values: Values?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Output file (- is standard output; default: next to the trace).", valueName: "file"))
    var output: String?

    /// What the values of a profile are.
    enum Values: String, CaseIterable, ExpressibleByArgument {
        case time, waiting, allocated, live

        var areBytes: Bool { self == .allocated || self == .live }

        static var allValueStrings: [String] { [] }
    }

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
        switch format {
        case .profile(let format):
            if values?.areBytes ?? false, !format.hasBytes {
                throw ValidationError(
                    "\(format.rawValue) supports time only; use pprof, speedscope or collapsed for memory.")
            }
            if snapshot.text != nil {
                throw ValidationError("--snapshot applies to the heap formats only: \(Self.heapFormats).")
            }
        case .heap(let format):
            if values != nil || profile.runtimeFrames {
                throw ValidationError(
                    "\(format.rawValue) contains the live heap; --values and --runtime-frames apply to profiles only.")
            }
        }
    }

    private static let heapFormats = HeapFormat.allCases.map(\.rawValue).joined(separator: ", ")

    func run() throws {
        let trace = trace.path
        let target = output ?? Self.beside(trace, format)
        if target == "-", format.isBinary, isatty(STDOUT_FILENO) == 1 {
            throw ToolError(.wrongUsage, "\(format.name) is a binary format: name a file with --output.")
        }
        if target != "-" { try AtomicFile.check(target, needsFile: output == nil) }
        switch format {
        case .profile(let format):
            let profile = try profile(of: format)
            for remark in profile.remarks { StandardError.say(remark) }
            try AtomicFile.write(try format.render(profile), to: target)
        case .heap(let format):
            try HeapExport(trace: trace, snapshot: try snapshot.only(), search: symbols.search).write(
                format, to: target)
        }
        if target != "-" { StandardError.write("Exported: \(PlainText.clean(target))\n") }
    }

    private func profile(of format: ExportFormat) throws -> Profile {
        let trace = trace.path
        let recording = try RecordingReader.read(path: trace)
        let symbolicator = Symbolicator(recording: recording, search: symbols.search)
        defer { for problem in symbolicator.problems { StandardError.say(problem) } }
        let timeline = format.hasProbes ? try ProbeTimeline.read(path: trace) : ProbeTimeline()
        if timeline.omitted > 0 {
            StandardError.say("\(timeline.omitted) probes are left out, because the viewers accept no more.")
        }
        if values?.areBytes ?? false || recording.samples.entries.isEmpty && timeline.isEmpty {
            guard !recording.allocations.byStack.isEmpty else {
                throw ToolError(.wrongUsage, "\(trace) has neither samples nor allocations to export.")
            }
            guard format.hasBytes else {
                let words = format.hasProbes ? "samples or probes" : "samples"
                throw ToolError(.wrongUsage, "\(trace) has no \(words), and \(format.rawValue) supports time only.")
            }
            return Profile(
                allocationsOf: recording, symbolicator: symbolicator, live: values == .live,
                keepsRuntimeFrames: self.profile.runtimeFrames)
        }
        var profile = ProfileBuilder.build(
            recording, symbolicator: symbolicator, keepsRuntimeFrames: self.profile.runtimeFrames)
        profile.add(timeline, threadNames: recording.threadNames)
        return profile.only(values == .waiting ? .waiting : .computing)
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
