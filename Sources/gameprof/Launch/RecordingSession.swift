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

    /// How large the trace of each process may become, in the recorder's words; nil: its own limit.
    var mostBytes: String?

    /// Which of the programs that the program starts are recorded as well.
    var following = Following.beyondLaunchers

    /// Checks everything that can be checked, runs the program and finishes the traces.
    func run() throws -> SessionOutcome {
        let environment = ProcessInfo.processInfo.environment
        if let output { try AtomicFile.check(output) }
        let file = try ProgramFile.find(program[0], environment: environment)
        let library = try CaptureLibraryFile.find(environment: environment)
        let raw = try rawTracePath(environment)
        RecordingSession.remove(raw)
        let lock = ToolLock(trace: raw)
        // The lock's name goes before the lock: what is left then is no recording that a tool has abandoned.
        defer { withExtendedLifetime(lock) { RecordingSession.remove(raw) } }
        let signal = try snapshots?.signal.map { try SnapshotSignal($0, fifo: raw + ".requests") }
        defer { signal?.end() }
        let (process, exit) = try ChildProcess.run(
            file, arguments: Array(program.dropFirst()), environment: childEnvironment(library: library, trace: raw),
            whenStarted: { signal?.unblock() })
        if !isQuiet { StandardError.say("\(file.name) \(Self.sentence(exit))") }
        let finisher = SessionFinisher(
            raw: raw, root: process, name: file.name, exit: exit, following: following, output: output.map(absolute))
        do {
            return try finisher.finish()
        } catch var error as ToolError {
            error.programExit = exit
            throw error
        }
    }

    /// The trace grows beside its final place, so that the last step is a renaming on the same disk; several recordings
    /// into one file each have their own, and the last to end stays.
    private func rawTracePath(_ environment: [String: String]) throws -> String {
        if let output { return "\(absolute(output)).\(getpid()).recording" }
        let folder = environment["TMPDIR"] ?? (access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp")
        let path = "\(absolute(folder))/gameprof-\(getpid()).gptrace"
        do {
            ToolLock.removeLeftovers(in: absolute(folder), prefix: "gameprof-")
            try AtomicFile.check(path)
        } catch {
            throw ToolError(.wrongUsage, "The folder for temporary files, \(folder), cannot be written.")
        }
        return path
    }

    private func childEnvironment(library: String, trace: String) -> ChildEnvironment {
        var child = ChildEnvironment()
        child.preload(library)
        child.set("GAMEPROF_TRACE", to: trace)
        child.set("GAMEPROF_INSTRUMENTS", to: instruments)
        if let mostBytes { child.set("GAMEPROF_MAX_TRACE_SIZE", to: mostBytes) }
        if let follow = following.variable { child.set("GAMEPROF_FOLLOW", to: follow) }
        if let snapshots {
            let every = snapshots.milliseconds.map { "every=\($0)" }
            let requests = snapshots.signal.map { _ in "requests=\(trace).requests" }
            child.set("GAMEPROF_SNAPSHOTS", to: [every, requests].compactMap { $0 }.joined(separator: ";"))
        }
        for (name, value) in environment { child.set(name, to: value) }
        return child
    }

    private func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    private static func remove(_ raw: String) {
        for path in [
            raw, raw + ".spool", raw + ".error", raw + ".requests", ToolLock.path(of: raw),
            UnrecordedPrograms.path(of: raw),
        ] {
            unlink(path)
        }
        RecordedImages(path: raw, root: 0).remove()
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
