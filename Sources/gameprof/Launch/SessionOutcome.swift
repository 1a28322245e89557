import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofTrace

/// What a recording session leaves.
struct SessionOutcome {
    /// The finished trace of one process.
    struct Process {
        var trace: String
        var process: pid_t
    }

    /// The process that the tool started, as the last program that it was; behind a launcher, the first that it started.
    var main: Process
    /// The other recorded processes, in the order of their numbers.
    var others: [Process] = []
    /// How the process that the tool started ended.
    var exit: ProgramExitRecord
    /// Sentences about programs that were run and not recorded, for the reader of the report.
    var notes: [String] = []
    /// Sentences about recordings that are missing.
    var problems: [String] = []
    /// Holds the traces, and is to be removed with them when they have been read; nil: they are kept.
    var folder: PrivateFolder?
    /// The program was asked to end because it ran too long.
    var hasTimedOut = false
    var used = ChildProcess.Used()
    /// Says that the temporary traces are in use; nil: nothing does.
    var lock: ToolLock?
    /// Answers signals while the traces are read; nil: nothing does.
    var interruption: Interruption?

    /// Whether a recorded process ended before its recorder could come to an end.
    var isCutShort: Bool {
        if case .signal(let signal) = exit.status, !ProgramExitRecord.requests.contains(signal) { return true }
        return ([main] + others).contains { (try? TraceReader(path: $0.trace).header.isCut) ?? true }
    }

    /// Says in a report of it what was not recorded.
    func amend(_ report: inout Report) {
        report.capture.notes += notes
        report.capture.problems += problems
        report.capture.truncated = report.capture.truncated || !problems.isEmpty
    }

    /// Moves the traces to a private folder where they stay, although they were to be removed, and returns the main one's
    /// path; nil: no such folder can be made.
    func keep(named name: String) -> String? {
        guard folder != nil else { return main.trace }
        guard let kept = PrivateFolder(temporaryFor: "kept") else { return nil }
        func place(_ process: Process) -> String { "\(kept.path)/\(name)-\(process.process).gptrace" }
        for process in [main] + others {
            rename(process.trace + ".spool", place(process) + ".spool")
            rename(process.trace, place(process))
        }
        return place(main)
    }

    func removeIfTemporary() {
        interruption?.end()
        folder?.remove()
    }
}
