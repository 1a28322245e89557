import Foundation
import GameprofBasics
import GameprofHeap
import GameprofReport
import GameprofTrace

/// A process with a dormant recorder, which records for each run of the page.
final class LiveProcess: LiveRecorder {
    private let session: AttachSession
    /// Holds traces that are kept nowhere; nil: they are kept.
    private let folder: PrivateFolder?
    private var runs = 0

    private init(_ session: AttachSession, _ folder: PrivateFolder?) { (self.session, self.folder) = (session, folder) }

    deinit { folder?.remove() }

    /// - Throws: `ToolError`: there is no such process, or it has no recorder.
    static func make(
        _ pid: pid_t, _ instruments: [Instrument], _ trace: TraceFileOptions, _ search: SymbolSearch,
        _ files: ReportFiles
    ) throws -> (any LiveRecorder, name: String) {
        guard Set(instruments).isSubset(of: [.allocations, .time, .files]) else {
            throw ToolError(.wrongUsage, "With --pid, live records allocations, time and files.")
        }
        let recorder: DormantRecorder
        do throws(MemoryImageError) { recorder = try DormantRecorder(in: pid) } catch {
            throw ToolError(error.isInput ? .wrongUsage : .toolFailed, error.sentence)
        }
        let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
        let name = AtomicFile.name(of: executable ?? "process")
        let environment = ProcessInfo.processInfo.environment
        let folder = trace.output == nil ? try PrivateFolder.temporary(for: "recording", environment) : nil
        let place = try folder.map { geteuid() == 0 ? try $0.openToUsersWhoKnowIt() : $0.path }
        let session = AttachSession(
            recorder: recorder, instruments: instruments,
            output: trace.output ?? "\(place ?? ".")/recording.gptrace", mostBytes: trace.maxTraceSize, search: search,
            isQuiet: true)
        return (LiveProcess(session, folder), name)
    }

    var sentence: String { "Recording process \(session.recorder.pid)" }

    func makeRun() -> LiveRun { LiveRun(session.instruments, following: .none, search: session.search) }

    func record(_ run: LiveRun, whenEnded: @escaping () -> Void) throws -> LiveOutcome {
        runs += 1
        var session = session
        session.output = LiveOutcome.path(session.output, ofRun: runs)
        session.watcher = EndNotice(run, whenEnded)
        let refusal = try session.run()
        let trace = session.output
        let lock = folder == nil ? nil : ToolLock(trace: trace)
        return LiveOutcome(
            trace: trace, sentence: "The recording has ended.",
            amend: { report in report.capture.problems += refusal.map { [$0] } ?? [] },
            remove: { [folder] in withExtendedLifetime(lock) { if folder != nil { unlink(trace) } } })
    }
}
