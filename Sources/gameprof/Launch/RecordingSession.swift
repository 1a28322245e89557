import Foundation
import GameprofBasics
import GameprofHeap
import GameprofTrace
import RecorderLibrary

/// Runs a program under the recorder and brings its trace to an end.
struct RecordingSession {
    var instruments: [Instrument]
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

    /// Seconds after which the program is asked to end; nil: never.
    var timeout: Double?

    /// What the program prints goes to standard error: a result goes to standard output.
    var outputToError = false

    /// What tasks wait for is looked for in large heaps too.
    var seeksTasks = false

    /// Which of the programs that the program starts are recorded as well.
    var following = Following.launched

    /// Where the symbols are looked for that a kept trace holds.
    var search = SymbolSearch()

    /// Follows the recording while the program runs; nil: nobody does.
    var watcher: (any RecordingWatcher)?

    /// Checks everything that can be checked, runs the program and finishes the traces.
    func run() throws -> SessionOutcome {
        let environment = ProcessInfo.processInfo.environment
        if let output { try AtomicFile.check(output, needsFile: true) }
        let file = try ProgramFile.find(program[0], environment: environment)
        if LeastMemory.isMissing { try runUnrecorded(file) }
        let library = try Self.library(environment)
        for use in [Self.folderUse, CoreOpening.use] { ToolLock.removeLeftovers(of: use, environment) }
        let folder = output == nil ? try PrivateFolder.temporary(for: Self.folderUse, environment) : nil
        var isFinished = false
        defer { if !isFinished { folder?.remove() } }
        let raw = try rawTracePath(folder)
        RecordingSession.remove(raw)
        let lock = ToolLock(trace: raw)
        // The lock's name goes before the lock: what is left then is no recording that a tool has abandoned.
        defer { withExtendedLifetime(lock) { RecordingSession.remove(raw) } }
        let requests = takesRequests ? try RequestPipe(of: raw) : nil
        defer { requests?.end() }
        let signal = requests.flatMap { self.signal(to: $0, of: raw) }
        defer { signal?.end() }
        let searcher = searcher(beside: raw)
        defer { searcher?.end() }
        searcher?.begin()
        let child = try ChildProcess.run(
            file, arguments: Array(program.dropFirst()),
            environment: childEnvironment(
                library: library, trace: raw, isLocked: lock != nil, searcher: searcher?.variable),
            outputToError: outputToError, timeout: timeout,
            whenStarted: { process in
                signal?.unblock()
                watcher?.begin(RunningRecording(raw: raw, process: process, ask: requests?.send))
            },
            whenEnded: { watcher?.end() })
        let exit = child.exit
        let finishing = Interruption(keeping: raw, lock: ToolLock.path(of: raw))
        if !isQuiet { StandardError.say("\(file.name) \(Self.sentence(exit))") }
        let finisher = SessionFinisher(
            raw: raw, root: child.process, name: file.name, exit: exit, following: following,
            output: output.map(absolute), folder: folder, search: search, isQuiet: isQuiet)
        // The lock of the recording ends with it; what is read afterwards has one of its own.
        let reading = output == nil ? ToolLock(trace: SessionFinisher.finishedPath(of: raw)) : nil
        do {
            var outcome = try finisher.finish()
            finishing.end()
            outcome.lock = reading
            outcome.interruption = Interruption(
                keeping: outcome.main.trace,
                lock: reading.map { _ in ToolLock.path(of: SessionFinisher.finishedPath(of: raw)) })
            outcome.hasTimedOut = child.hasTimedOut
            outcome.used = child.used
            isFinished = true
            return outcome
        } catch var error as ToolError {
            error.programExit = exit
            throw error
        }
    }

    /// Whether the recorder is asked for something while the program runs.
    private var takesRequests: Bool { watcher != nil || snapshots?.signal != nil }

    /// The signal that asks for heap snapshots; nil: none does.
    private func signal(to requests: RequestPipe, of raw: String) -> SnapshotSignal? {
        guard let number = snapshots?.signal else { return nil }
        let command = instruments.contains(.heap) ? "heap" : "report"
        return SnapshotSignal(
            number, to: requests, notice: isQuiet ? nil : SnapshotNotice(of: raw, command: command))
    }

    /// Runs a program in whose memory the recorder has no room.
    /// - Throws: always, what was not recorded being no result.
    private func runUnrecorded(_ file: ProgramFile) throws -> Never {
        let child = try ChildProcess.run(
            file, arguments: Array(program.dropFirst()), environment: ChildEnvironment(),
            outputToError: outputToError, timeout: timeout)
        if !isQuiet { StandardError.say("\(file.name) \(Self.sentence(child.exit))") }
        var error = ToolError(.toolFailed, "Nothing was recorded. \(file.name) \(LeastMemory.shortage).")
        error.programExit = child.exit
        throw error
    }

    /// The recorder's library, which is loaded into the program before anything else.
    static func library(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> String {
        if let library = RecorderLibrary.find(environment: environment) { return library.path }
        // Who names a file means that file.
        guard environment["GAMEPROF_LIBRARY"] == nil else {
            throw ToolError(.toolFailed, "The recorder that GAMEPROF_LIBRARY names is missing or cannot be read.")
        }
        throw ToolError(
            .toolFailed,
            "The recorder \(RecorderLibrary.name) is missing beside gameprof: install the tool with `make install` or a "
                + "package, or name the file in GAMEPROF_LIBRARY.")
    }

    /// The trace grows beside its final place, so that the last step is a renaming on the same disk; several recordings
    /// into one file each have their own, and the last to end stays.
    private func rawTracePath(_ folder: PrivateFolder?) throws -> String {
        guard let folder else { return "\(absolute(output ?? "")).\(getpid()).recording" }
        return "\(try geteuid() == 0 ? folder.openToUsersWhoKnowIt() : folder.path)/recording.gptrace"
    }

    private static let folderUse = "recording"

    /// Searches the heaps of the recorded processes.
    private func searcher(beside raw: String) -> SearchServer? {
        let searched: Set<Instrument> = [.leaks, .heap, .allocations, .zombies]
        guard !searched.isDisjoint(with: instruments) else { return nil }
        return SearchServer(path: raw + ".searcher", isOpen: output == nil && geteuid() == 0, seeksTasks: seeksTasks)
    }

    private func childEnvironment(library: String, trace: String, isLocked: Bool, searcher: String?)
        -> ChildEnvironment
    {
        var child = ChildEnvironment()
        child.preload(library)
        child.set("GAMEPROF_TRACE", to: trace)
        child.set("GAMEPROF_INSTRUMENTS", to: instruments.map(\.rawValue).joined(separator: ","))
        if isLocked { child.set("GAMEPROF_TOOL", to: "locked") }
        if let searcher { child.set("GAMEPROF_SEARCHER", to: searcher) }
        if let mostBytes { child.set("GAMEPROF_MAX_TRACE_SIZE", to: mostBytes) }
        if let follow = following.variable { child.set("GAMEPROF_FOLLOW", to: follow) }
        if snapshots != nil || takesRequests {
            let every = snapshots?.milliseconds.map { "every=\($0)" }
            let peak = snapshots?.isAtPeak == true ? "peak" : nil
            let requests = takesRequests ? "requests=\(RequestPipe.path(of: trace))" : nil
            let warning = snapshots?.warningMilliseconds.map { "warning=\($0)" }
            child.set(
                "GAMEPROF_SNAPSHOTS", to: [every, peak, warning, requests].compactMap { $0 }.joined(separator: ";"))
        }
        for (name, value) in environment { child.set(name, to: value) }
        return child
    }

    private func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    /// Removes what a recording has left beside its trace.
    static func remove(_ raw: String) {
        for path in [
            raw, raw + ".spool", raw + ".error", RequestPipe.path(of: raw), raw + ".searcher", ToolLock.path(of: raw),
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
    /// Signals that ask a program to end. The recorder ends the recording before they end a program that has no handler.
    static let requests: Set<Int32> = [SIGINT, SIGTERM, SIGHUP]

    /// The exit code that a shell shows for this end.
    var shellStatus: ExitStatus {
        switch status {
        case .code(let code): ExitStatus(code: code)
        case .signal(let signal): ExitStatus(code: 128 + signal)
        }
    }
}
