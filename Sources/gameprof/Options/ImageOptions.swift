import ArgumentParser
import Foundation
import GameprofBasics
import GameprofHeap
import GameprofSampling
import GameprofTrace

/// A process that was not started under gameprof.
struct ImageOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read this running process, which is paused meanwhile and not changed.", valueName: "pid"))
    var pid: Int32?

    @Option(
        name: .customLong("program"),
        help: ArgumentHelp(
            "The executable of the process or core file, if it is not at its original path.", valueName: "file",
            visibility: .hidden))
    var executable: String?

    func validate() throws {
        if let pid, pid <= 0 { throw ValidationError("--pid takes a process id.") }
    }

    /// What to look at; nil: a program is to be recorded.
    func source(_ words: [String]) throws -> HeapImageSource? {
        if let pid {
            guard words.isEmpty else {
                throw ToolError(.wrongUsage, "--pid \(pid) reads a process; do not name a program as well.")
            }
            return .process(pid, program: executable)
        }
        if words.count == 1, CoreOpening.isCore(words[0]) { return .core(words[0], program: executable) }
        if let executable {
            throw ToolError(.wrongUsage, "--program \(executable) can only be used with --pid or a core file.")
        }
        return nil
    }
}

/// A heap that is read from outside of its process.
enum HeapImageSource {
    case core(String, program: String?)
    case process(Int32, program: String?)

    /// What its page is called after.
    var name: String {
        switch self {
        case .core(let path, _): path
        case .process(let pid, _): "\(pid)"
        }
    }

    /// - Parameters:
    ///   - search: where files and symbols are looked for that are not in their places; it learns where a core file's were found.
    ///   - configure: changes what is asked.
    func read(
        for instrument: Instrument, _ search: inout SymbolSearch, isQuiet: Bool,
        _ configure: (inout ImageQuestions) -> Void = { _ in }
    ) throws -> Recording {
        var questions = ImageQuestions(instruments: [instrument, .leaks])
        questions.frames = { ImageStacks($0).frames }
        configure(&questions)
        do {
            switch self {
            case .core(let path, let program):
                questions.program = program
                let core = try CoreOpening.open(path, program: program, search, isQuiet: isQuiet)
                search.places.merge(core.image.places) { $1 }
                var recording = try ImageRecording.read(core, called: path, questions)
                CoreStacks.add(core, to: &recording)
                return recording
            case .process(let pid, let program):
                questions.program = program
                return try ImageRecording.read(process: pid, questions)
            }
        } catch let error as MemoryImageError {
            throw ToolError(error.isInput ? .wrongUsage : .toolFailed, error.sentence)
        }
    }

    /// Reads the heap, makes its report, and throws the exit status when it is not 0.
    /// - Parameter trace: where a trace of it is kept; nil: nowhere.
    func report(
        _ instrument: Instrument, _ files: ReportFiles, keeping trace: String?, explainsFootprint: Bool = false,
        _ configure: (inout ReportOutput) throws -> Void
    ) throws {
        var output = ReportOutput(
            instrument: instrument, files: files, program: name, explainsFootprint: explainsFootprint)
        try configure(&output)
        if let trace { try AtomicFile.check(trace, needsFile: true) }
        try output.check()
        let recording = try read(for: instrument, &output.search, isQuiet: files.isQuiet) { questions in
            questions.hasFootprint = explainsFootprint
            questions.keepsGraph = trace != nil
        }
        if let trace { try Self.keep(recording, as: trace, output.search, isQuiet: files.isQuiet) }
        let report = try output.build(from: recording)
        try output.write(report)
        if report.exitStatus != .nothingFound { throw report.exitStatus }
    }

    /// Writes what was read as a trace, with names.
    static func keep(_ recording: Recording, as output: String, _ search: SymbolSearch, isQuiet: Bool) throws {
        let trace = try PrivateTrace()
        defer { trace.remove() }
        do {
            var images = try ImageTrace(path: trace.path, first: recording)
            try images.append(recording)
            try images.finish()
        } catch let error as TraceError {
            throw ToolError(.toolFailed, error.description)
        }
        try trace.keep(as: output, search, isQuiet: isQuiet)
    }
}
