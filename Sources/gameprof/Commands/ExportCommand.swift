import ArgumentParser
import Foundation
import Profiler

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a trace in the format of another viewer.",
        usage: "gameprof export F.gptrace --format F [--output F] [options]",
        discussion: """
            Formats: pprof (go tool pprof), speedscope (speedscope.app), collapsed (flame graph scripts), firefox \
            (profiler.firefox.com), chrome (chrome://tracing, ui.perfetto.dev), perf-script (readers of perf). What is \
            exported is CPU time by samples; of a trace without samples, or with --memory, the bytes allocated by stack \
            (pprof, speedscope and collapsed).
            """)

    @Argument(help: ArgumentHelp("The trace.", valueName: "file.gptrace"))
    var trace: String

    @Option(name: .long, help: ArgumentHelp("The format: \(Self.formats).", valueName: "format"))
    var format: ExportFormat

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where to write (- is standard output); else beside the trace.", valueName: "file"))
    var output: String?

    @Flag(name: .long, help: "Export allocated memory although there are samples.")
    var memory = false

    @Flag(name: .long, help: "Export the memory that still lived at the end.")
    var live = false

    @Flag(name: .long, help: "Export waiting threads instead of computing ones (recorded with --wall).")
    var waiting = false

    @Flag(name: .customLong("runtime-frames"), help: "Show reference counting, allocation and thunks by themselves.")
    var runtimeFrames = false

    private static let formats = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")

    func validate() throws {
        if waiting, memory || live { throw ValidationError("Memory does not wait: leave --waiting out.") }
        if memory || live, !format.hasBytes {
            throw ValidationError(
                "\(format.rawValue) knows time alone; take pprof, speedscope or collapsed for memory.")
        }
    }

    func run() throws {
        let target = output ?? Self.beside(trace, format)
        if target == "-", format.isBinary, isatty(STDOUT_FILENO) == 1 {
            throw ToolError(.wrongUsage, "\(format.rawValue) is no text: name a file with --output.")
        }
        if target != "-" { try AtomicFile.check(target) }
        let data = try format.render(try profile())
        try AtomicFile.write(data, to: target)
        if target != "-" { StandardError.write("Exported: \(PlainText.clean(target))\n") }
    }

    private func profile() throws -> Profile {
        let recording = try RecordingReader.read(path: trace)
        let symbolicator = Symbolicator(recording: recording)
        if memory || live || recording.samples.entries.isEmpty {
            guard !recording.allocations.byStack.isEmpty else {
                throw ToolError(.wrongUsage, "\(trace) has neither samples nor allocations to export.")
            }
            guard format.hasBytes else {
                throw ToolError(.wrongUsage, "\(trace) has no samples, and \(format.rawValue) knows time alone.")
            }
            return Profile(
                allocationsOf: recording, symbolicator: symbolicator, live: live, keepsRuntimeFrames: runtimeFrames)
        }
        let profile = ProfileBuilder.build(recording, symbolicator: symbolicator, keepsRuntimeFrames: runtimeFrames)
        return profile.only(waiting ? .waiting : .computing)
    }

    /// The trace's path with another extension.
    private static func beside(_ trace: String, _ format: ExportFormat) -> String {
        let stem = trace.hasSuffix(".gptrace") ? String(trace.dropLast(".gptrace".count)) : trace
        return "\(stem).\(format.fileExtension)"
    }
}

extension ExportFormat: ExpressibleByArgument {}
