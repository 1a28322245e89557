import Foundation
import GameprofBasics
import GameprofHeap
import GameprofTrace
import Synchronization

/// Has a dormant recorder record for a while, and brings its trace to an end.
struct AttachSession {
    var recorder: DormantRecorder
    var instruments: [Instrument]
    /// Variables for the recorder.
    var options: [String: String] = [:]
    /// Where the trace is kept.
    var output: String
    /// Nil: until somebody ends it, or the process ends.
    var seconds: Double?
    /// How large the trace may become, in the recorder's words; nil: its own limit.
    var mostBytes: String?
    /// Where the symbols are looked for that the trace holds.
    var search = SymbolSearch()
    var isQuiet = false
    /// Follows the recording; nil: nobody does.
    var watcher: (any RecordingWatcher)?

    private static let stepMilliseconds = 50.0
    /// A process that was stopped does not end its recording.
    private static let stepsToEnd = 600

    /// - Returns: why a part of what was asked for was not recorded; nil: all was.
    func run() throws -> String? {
        try AtomicFile.check(output, needsFile: true)
        let final = URL(filePath: output).standardizedFileURL.path
        let raw = "\(final).\(getpid()).recording"
        RecordingSession.remove(raw)
        let lock = ToolLock(trace: raw)
        defer { withExtendedLifetime(lock) { RecordingSession.remove(raw) } }
        let searcher =
            instruments.contains(.allocations) ? SearchServer(path: raw + ".searcher", isOpen: geteuid() == 0) : nil
        defer { searcher?.end() }
        searcher?.begin()
        try record(variables(raw, searcher), raw)
        let finishing = Interruption(keeping: raw, lock: ToolLock.path(of: raw))
        defer { finishing.end() }
        let refusal = RecordedImages(path: raw, root: recorder.pid).images.first?.failure
        do {
            try TraceFinisher.finish(raw, exit: nil)
            let symbols = try SessionFinisher.symbols(of: raw, search, isQuiet: isQuiet)
            try TraceFinisher.compress(raw, into: final, symbols: symbols)
        } catch let error as TraceError {
            throw ToolError(.toolFailed, error.description)
        }
        return refusal
    }

    private func variables(_ raw: String, _ searcher: SearchServer?) -> [String: String] {
        var result = options
        result["GAMEPROF_TRACE"] = raw
        result["GAMEPROF_INSTRUMENTS"] = instruments.map(\.rawValue).joined(separator: ",")
        result["GAMEPROF_SEARCHER"] = searcher?.variable
        result["GAMEPROF_MAX_TRACE_SIZE"] = mostBytes
        return result
    }

    /// Until the recording has ended.
    private func record(_ variables: [String: String], _ raw: String) throws {
        let wish = EndWish()
        let signals = SignalForwarding.begin()
        SignalForwarding.unblockRequests()
        defer { signals.end() }
        do throws(MemoryImageError) {
            let connection = try DormantConnection(recorder, variables: variables)
            if !isQuiet {
                let length = seconds.map { "for \(NumberFormat.seconds($0)); Ctrl-C ends it earlier" }
                StandardError.say("Recording process \(recorder.pid) \(length ?? "until Ctrl-C").")
            }
            watcher?.begin(
                RunningRecording(
                    raw: raw, process: recorder.pid, ask: { connection.ask($0.rawValue) }, stop: wish.note))
            defer { watcher?.end() }
            let start = DispatchTime.now().uptimeNanoseconds
            var left = seconds.map { $0 * 1_000 } ?? .infinity
            while left > 0, !SignalForwarding.wasAskedToEnd, !wish.isNoted,
                connection.goesOn(milliseconds: CInt(min(left, Self.stepMilliseconds).rounded(.up)))
            {
                let passed = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
                left = seconds.map { $0 * 1_000 - passed } ?? .infinity
            }
            connection.end()
            var steps = Self.stepsToEnd
            while steps > 0, connection.goesOn(milliseconds: CInt(Self.stepMilliseconds)) { steps -= 1 }
        } catch {
            throw ToolError(error.isInput ? .wrongUsage : .toolFailed, error.sentence)
        }
    }
}

/// Whether somebody wants the recording to end.
private final class EndWish: Sendable {
    private let noted = Atomic(false)

    var isNoted: Bool { noted.load(ordering: .relaxed) }

    @Sendable func note() { noted.store(true, ordering: .relaxed) }
}
