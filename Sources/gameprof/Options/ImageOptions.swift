import ArgumentParser
import Foundation
import GameprofBasics
import GameprofHeap
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
        if words.count == 1, HeapImageSource.isCore(words[0]) { return .core(words[0], program: executable) }
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

    /// A core file, or a damaged one: nothing that could be started has such a name.
    static func isCore(_ path: String) -> Bool {
        let name = URL(filePath: path).lastPathComponent.split(separator: ".", omittingEmptySubsequences: false)
        let isNamedCore = name[0] == "core" && (name.count == 1 || name[1...].allSatisfy { UInt64($0) != nil })
        return CoreFile.isCore(path) || isNamedCore && access(path, F_OK) == 0 && access(path, X_OK) != 0
    }

    /// What its page is called after.
    var name: String {
        switch self {
        case .core(let path, _): path
        case .process(let pid, _): "\(pid)"
        }
    }

    func read(for instrument: Instrument, hasFootprint: Bool = false, seeksTasks: Bool = false) throws -> Recording {
        do {
            let instruments: Set<Instrument> = [instrument, .leaks]
            switch self {
            case .core(let path, let program):
                return try ImageRecording.read(
                    core: path, program: program, instruments: instruments, seeksTasks: seeksTasks)
            case .process(let pid, let program):
                return try ImageRecording.read(
                    process: pid, program: program, instruments: instruments, hasFootprint: hasFootprint,
                    seeksTasks: seeksTasks)
            }
        } catch {
            throw ToolError(error.isInput ? .wrongUsage : .toolFailed, error.sentence)
        }
    }

    /// Reads the heap, makes its report, and throws the exit status when it is not 0.
    func report(
        _ instrument: Instrument, _ files: ReportFiles, explainsFootprint: Bool = false,
        _ configure: (inout ReportOutput) throws -> Void
    ) throws {
        var output = ReportOutput(
            instrument: instrument, files: files, program: name, explainsFootprint: explainsFootprint)
        try configure(&output)
        try output.check()
        let report = try output.build(from: try read(for: instrument, hasFootprint: output.explainsFootprint))
        try output.write(report)
        if report.exitStatus != .nothingFound { throw report.exitStatus }
    }
}
