import Foundation
public import GameInstrumentation
public import GameprofAnalysis
import GameprofHeap
import GameprofReport
import GameprofTrace

#if Instrumented
internal import CRecorderInterface
#endif

/// What this process lost since a moment, a level's beginning for instance, while it runs on.
///
/// ```swift
/// let level = try LeakWatch()
/// // … the level is played …
/// try level.report().write(to: "leaks.html")
/// ```
///
/// The process must be recorded from its first allocation (`GAMEPROF=leaks`), by the linked recorder. C counterpart of the
/// snapshot: `gp_snapshot`.
public struct LeakWatch: Sendable {
    /// Addresses of what was lost before. It stays lost, so that no other object gets one of them.
    private let before: Set<UInt64>

    /// Begins now. Costs a heap snapshot, more with the blocks of the heap; other threads stand still only while it is frozen.
    /// - Throws: `SnapshotError`, or what `Report.init(trace:)` throws.
    public init() throws {
        before = Set(try Self.look().snapshot.objects.lazy.filter(\.isLost).map(\.address))
    }

    /// The report of what was lost since: retain cycles, objects and memory without a reference, with their stacks. Nothing
    /// is written, and a loss is reported at each call. Costs a heap snapshot and the look-up of names: 0.4 s of CPU time
    /// beside 10,000 objects, 0.7 s beside a million; up to four snapshots more where the stack of a running thread shows what may
    /// be lost.
    /// - Throws: as `init()`.
    public func report() throws -> Report {
        var look = try Self.look()
        for delay in OwnSearch.laterLooks where look.isHidden && lost(in: look.snapshot).isEmpty {
            usleep(delay)
            look = try Self.look()
        }
        let (recording, snapshot) = (look.recording, look.snapshot)
        let lost = lost(in: snapshot)
        let symbolicator = Symbolicator(recording: recording)
        symbolicator.prepare(stacks: Set(lost.map(\.stack)), addresses: [])
        let wanted = Set(lost.filter { !Self.isOwn(symbolicator.stack($0.stack).frames) }.map(\.address))
        var report = Report(
            ReportBuilder.lost(in: snapshot, of: recording, symbolicator: symbolicator) { wanted.contains($0) })
        report.capture.notes += symbolicator.problems
        return report
    }

    private func lost(in snapshot: HeapSnapshot) -> [HeapObject] {
        snapshot.objects.filter { $0.isLost && !$0.stack.isNone && !before.contains($0.address) }
    }

    private struct Look {
        var recording: Recording
        var snapshot: HeapSnapshot
        /// Something may be lost that the stack of a running thread shows.
        var isHidden = false
    }

    /// Held from a snapshot until it was read: the last one in the trace is then this one.
    private static let turn = NSLock()

    private static func look() throws -> Look {
        clearStack()
        turn.lock()
        defer { turn.unlock() }
        guard let trace = Instrumentation.tracePath(), Instrumentation.isRecording else {
            throw SnapshotError.notRecorded
        }
        let (taken, isHidden) = try take()
        guard taken != .no else { throw SnapshotError.notTaken }
        let recording = try RecordingReader.readHeap(path: trace)
        guard let snapshot = recording.heapSnapshots.last else { throw SnapshotError.notTaken }
        if let reason = snapshot.unsoundReason { throw SnapshotError.unsound(reason) }
        guard taken == .searched else { throw SnapshotError.unsound(OwnSearch.unreached) }
        return Look(recording: recording, snapshot: snapshot, isHidden: isHidden)
    }

    private static func take() throws(SnapshotError) -> (OwnSearch.Taken, isHidden: Bool) {
        #if Instrumented
        do throws(OwnSearch.Failure) {
            let taken = try OwnSearch.taking(hiddenThread: gp_hidden_thread, searchAt: gp_search_at) {
                Instrumentation.snapshot("leak watch")
            }
            return (taken, gp_last_lost().hidden > 0)
        } catch {
            throw .unsound(error.clause)
        }
        #else
        (.no, false)
        #endif
    }

    /// Made for this library: Foundation's processes for instance keep themselves.
    private static func isOwn(_ frames: [SymbolicatedFrame]) -> Bool { frames.contains { $0.module == "GameProfiler" } }

    /// What functions that have returned left below this frame would look like references.
    @inline(never)
    private static func clearStack() {
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { room in
            if let start = room.baseAddress { explicit_bzero(start, room.count) }
        }
    }
}

extension Instrumentation {
    /// The report of what was recorded up to now, as `Report.init(trace:)` makes it; throws as that and `LeakWatch` do.
    public static func report() throws -> Report {
        guard let trace = tracePath() else { throw SnapshotError.notRecorded }
        return try Report(trace: trace)
    }
}

/// Why this process cannot be looked into.
public enum SnapshotError: Error, CustomStringConvertible, Sendable {
    /// The program was built without the trait `Instrumented`, or nothing is recorded.
    case notRecorded
    /// No process could be made for the snapshot, or leaks are not recorded.
    case notTaken
    /// The snapshot cannot be relied on, for this reason.
    case unsound(String)

    public var description: String {
        switch self {
        case .notRecorded: "This process is not recorded: build it with the trait Instrumented and set GAMEPROF=leaks."
        case .notTaken: "No heap snapshot could be taken."
        case .unsound(let reason): "The heap snapshot gives no result: \(reason)."
        }
    }
}
