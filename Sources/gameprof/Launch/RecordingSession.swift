import Foundation
import TraceFile

/// Runs a program under the recorder and brings its trace to an end.
struct RecordingSession {
    /// Names of `GAMEPROF_INSTRUMENTS`.
    var instruments: String
    var program: [String]
    /// Where the trace is to be kept; nil: it is removed with the session.
    var output: String?
    var isQuiet = false
    /// Heap snapshots before the end; nil: none.
    var snapshots: SnapshotRequest?
    /// Variables for the recorder beside those that every recording has.
    var environment: [String: String] = [:]

    /// What a session leaves.
    struct Outcome {
        /// Path of the finished trace.
        var trace: String
        var exit: ProgramExitRecord
        /// The trace is to be removed when it has been read.
        var isTemporary: Bool

        func removeIfTemporary() {
            if isTemporary { unlink(trace) }
        }
    }

    /// Checks everything that can be checked, runs the program and finishes the trace.
    func run() throws -> Outcome {
        let environment = ProcessInfo.processInfo.environment
        if let output { try AtomicFile.check(output) }
        let file = try ProgramFile.find(program[0], environment: environment)
        let library = try CaptureLibraryFile.find(environment: environment)
        let raw = try rawTracePath(environment)
        defer { RecordingSession.remove(raw) }
        RecordingSession.remove(raw)
        let signal = try snapshots?.signal.map { try SnapshotSignal($0, fifo: raw + ".requests") }
        defer { signal?.end() }
        let exit = try ChildProcess.run(
            file, arguments: Array(program.dropFirst()),
            environment: childEnvironment(environment, library: library, trace: raw),
            whenStarted: { signal?.unblock() })
        if !isQuiet { StandardError.say("\(file.name) \(Self.sentence(exit))") }
        return try finish(raw, exit)
    }

    /// The trace grows beside its final place, so that the last step is a renaming on the same disk.
    private func rawTracePath(_ environment: [String: String]) throws -> String {
        if let output { return absolute(output) + ".recording" }
        let folder = environment["TMPDIR"] ?? (access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp")
        let path = "\(absolute(folder))/gameprof-\(getpid()).gptrace"
        do {
            try AtomicFile.check(path)
        } catch {
            throw ToolError(.wrongUsage, "The folder for temporary files, \(folder), cannot be written.")
        }
        return path
    }

    private func childEnvironment(_ environment: [String: String], library: String, trace: String) -> [String: String] {
        var child = environment
        let existing = environment["LD_PRELOAD"].flatMap { $0.isEmpty ? nil : $0 }
        child["LD_PRELOAD"] = library + (existing.map { ":" + $0 } ?? "")
        child["GAMEPROF_TRACE"] = trace
        child["GAMEPROF_INSTRUMENTS"] = instruments
        if let snapshots {
            let every = snapshots.milliseconds.map { "every=\($0)" }
            let requests = snapshots.signal.map { _ in "requests=\(trace).requests" }
            child["GAMEPROF_SNAPSHOTS"] = [every, requests].compactMap { $0 }.joined(separator: ";")
        }
        child.merge(self.environment) { $1 }
        return child
    }

    private func finish(_ raw: String, _ exit: ProgramExitRecord) throws -> Outcome {
        let errorFile = raw + ".error"
        if let reason = try? String(contentsOfFile: errorFile, encoding: .utf8) {
            throw ToolError(
                .toolFailed, "Nothing was recorded. \(reason.trimmingCharacters(in: .whitespacesAndNewlines))")
        }
        guard access(raw, F_OK) == 0 else {
            throw ToolError(.toolFailed, "Nothing was recorded: the recorder did not start in \(program[0]).")
        }
        do {
            try TraceFinisher.finish(raw, exit: exit)
            guard let output else {
                let kept = raw + ".finished"
                guard rename(raw, kept) == 0 else {
                    throw TraceError.unwritable(path: kept, reason: "it cannot be renamed")
                }
                return Outcome(trace: kept, exit: exit, isTemporary: true)
            }
            try TraceFinisher.compress(raw, into: absolute(output))
            return Outcome(trace: absolute(output), exit: exit, isTemporary: false)
        } catch let error as TraceError {
            throw ToolError(.toolFailed, error.description)
        }
    }

    private func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    private static func remove(_ raw: String) {
        for path in [raw, raw + ".spool", raw + ".error", raw + ".requests"] { unlink(path) }
    }

    private static func sentence(_ exit: ProgramExitRecord) -> String {
        switch exit.status {
        case .code(let code): "exited with code \(code)."
        case .signal(let signal): "was ended by signal \(signal) (\(String(cString: strsignal(signal))))."
        }
    }
}

extension ProgramExitRecord {
    /// The exit code that a shell shows for this end.
    var shellStatus: ExitStatus {
        switch status {
        case .code(let code): ExitStatus(code: code)
        case .signal(let signal): ExitStatus(code: 128 + signal)
        }
    }
}
