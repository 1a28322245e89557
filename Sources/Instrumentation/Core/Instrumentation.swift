#if Instrumented
internal import CRecorderInterface

/// The recorder as a program sees it that links it: what `gameprof` does from outside, from within.
///
/// A program that links this product has every allocation recorded once recording begins. Set `GAMEPROF=leaks` in its
/// environment to record from the very first allocation, which the search for leaks needs.
public enum Instrumentation {
    /// What is recorded. Raw values are those of the trace file.
    public struct Instruments: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Every allocation with its stack, size and time.
        public static let allocations = Instruments(rawValue: 1 << 0)

        /// The search of the heap for what nothing can reach, when the program ends and at each `snapshot(_:)`.
        public static let leaks = Instruments(rawValue: 1 << 1)

        /// Uses of objects that were deallocated since. Keeps their memory for a while.
        public static let zombies = Instruments(rawValue: 1 << 2)

        /// A thousand samples of each second of CPU time of every thread.
        public static let time = Instruments(rawValue: 1 << 3)

        /// The graph of all live blocks in every snapshot, for `gameprof heap`. Beside allocations and leaks.
        public static let heap = Instruments(rawValue: 1 << 4)

        /// Every file, socket and pipe. Under `gameprof files` alone: a linked recorder says so and records the rest.
        public static let files = Instruments(rawValue: 1 << 5)
    }

    /// Why a recording could not begin, in one sentence.
    public struct StartError: Error, CustomStringConvertible, Sendable {
        public let description: String
    }

    /// True between the beginning of a recording (by `start`, by the environment or by `gameprof`) and its end.
    public static var isRecording: Bool { gp_is_recording() }

    /// The absolute path of the trace file that is being written; nil when nothing is recorded. C counterpart:
    /// `gp_trace_path`.
    public static func tracePath() -> String? { gp_trace_path().map { String(cString: $0) } }

    /// Begins recording into a new trace file at `path`. A process records once. C counterpart: `gp_start`.
    ///
    /// Blocks that were allocated before are not known to the recording; `leaks` and `heap` are refused here for that reason.
    public static func start(path: String, instruments: Instruments = .allocations) throws(StartError) {
        if let reason = gp_start(path, instruments.rawValue) {
            throw StartError(description: String(cString: reason))
        }
    }

    /// Ends the recording: takes the last snapshot and finishes the trace file. Does nothing when nothing is recorded.
    public static func stop() {
        gp_stop()
    }

    /// Takes a heap snapshot now under the given name. The calling thread waits for the analysis, the others stand
    /// still only while the heap is frozen. Returns false when nothing is recorded or no process could be made.
    ///
    /// Then calls what `onFinding` was given.
    @discardableResult
    public static func snapshot(_ name: String) -> Bool {
        let taken = gp_snapshot(name)
        Finding.report()
        Finding.reportZombies()
        return taken
    }
}
#endif
