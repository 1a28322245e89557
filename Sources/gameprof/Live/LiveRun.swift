import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofHeap
import GameprofReport
import GameprofTrace
import Synchronization

/// Follows the trace of one run while it grows, once a second, on a thread of its own.
final class LiveRun: RecordingWatcher, Sendable {
    /// What is asked of the program.
    enum Wish: String { case snapshot, leaks, mark, warning, stop }

    /// Between two looks at the trace.
    private static let pause = DispatchTimeInterval.seconds(1)
    private static let snapshotLimit = 200
    private static let looksBetweenChoices = 10

    private struct State {
        var running: RunningRecording?
        var recording: LiveRecording?
        var profile: LiveProfile
        /// The trace that is read, and how many looks pass before another one is looked for.
        var path = ""
        var rest = 0
        var snapshots: [LiveSnapshot] = []
        /// Snapshots that were asked for, when (nanoseconds since 1970), and whether leaks are looked for.
        var wished: [(time: UInt64, looks: Bool)] = []
        var deadline: Deadline?
        var time: UInt64 = 0
    }

    private let state: Mutex<State>
    private let following: Following
    private let search: SymbolSearch
    private let recordsHeap: Bool
    private let isOver = DispatchSemaphore(value: 0)
    private let hasStopped = DispatchSemaphore(value: 0)

    /// - Parameter instruments: that record.
    init(_ instruments: [Instrument], following: Following, search: SymbolSearch) {
        recordsHeap = instruments.contains(.leaks) || instruments.contains(.heap)
        (self.following, self.search) = (following, search)
        state = Mutex(State(profile: LiveProfile(search: search)))
    }

    // MARK: - The recording

    func begin(_ recording: RunningRecording) {
        state.withLock { $0.running = recording }
        HelperThread.start("gameprof live") { [self] in
            repeat { look() } while isOver.wait(timeout: .now() + Self.pause) == .timedOut
            hasStopped.signal()
        }
    }

    func end() {
        isOver.signal()
        hasStopped.wait()
        state.withLock { state in
            _ = state.deadline?.cancel()
            (state.running, state.deadline) = (nil, nil)
        }
    }

    private func look() {
        state.withLock { state in
            guard let running = state.running else { return }
            choose(running, &state)
            guard let recording = state.recording, (try? recording.look()) != nil else { return }
            addFacts(recording, &state)
            state.profile.add(recording)
            for snapshot in recording.takeSnapshots() { add(snapshot, &state) }
        }
    }

    /// Follows what the program becomes, and what a launcher has started.
    private func choose(_ running: RunningRecording, _ state: inout State) {
        state.rest -= 1
        guard state.rest < 0 || state.recording == nil else { return }
        let images = RecordedImages(path: running.raw, root: running.process)
        let image = SessionFinisher.reported(images, of: running.process, following).first
        let path = image?.path ?? running.raw
        state.rest = image?.isLauncher ?? true ? 0 : Self.looksBetweenChoices
        guard path != state.path || state.recording == nil, let recording = try? LiveRecording(path: path) else {
            return
        }
        (state.path, state.recording, state.profile) = (path, recording, LiveProfile(search: search))
        state.snapshots = []
    }

    private func addFacts(_ recording: LiveRecording, _ state: inout State) {
        state.time = max(Self.now, recording.startUnixNanoseconds) - recording.startUnixNanoseconds
        guard let pid = recording.program.flatMap({ pid_t(exactly: $0.pid) }) else { return }
        recording.note(residentBytes: ProcessFacts.residentBytes(of: pid), at: state.time)
        for case .cpu(let thread) in recording.timeline.tracks where recording.threadNames[thread] == nil {
            guard let name = ProcessFacts.text("/proc/\(pid)/task/\(thread)/comm") else { continue }
            recording.note(name: name, of: thread)
        }
    }

    /// Nanoseconds since 1970.
    private static var now: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }

    private func add(_ recording: Recording, _ state: inout State) {
        guard let begin = recording.heapSnapshots.first?.begin, begin.trigger == .onRequest, begin.name == "request"
        else { return }
        // One snapshot may answer several requests, and is none for those that came after it.
        let time = recording.startUnixNanoseconds &+ begin.time
        let looks = state.wished.contains { $0.time <= time && $0.looks }
        state.wished.removeAll { $0.time <= time }
        let names = looks ? Symbolicator(recording: recording, symbolizer: nil, search: search) : nil
        guard let snapshot = LiveSnapshot(recording, symbolicator: names) else { return }
        if state.snapshots.count >= Self.snapshotLimit { state.snapshots.removeFirst() }
        if looks { FreeMemory.giveBack() }
        state.snapshots.append(snapshot)
    }

    // MARK: - The page

    /// What the page shows; nil: there is nothing yet.
    /// - Parameter revision: that it knows.
    func moment(since revision: Int) -> LiveMoment? {
        state.withLock { state in
            state.recording.map {
                LiveMoment($0, state.profile, since: revision, at: state.time, snapshots: state.snapshots)
            }
        }
    }

    /// What may be asked now.
    var wishes: [Wish] {
        state.withLock { state in
            guard let running = state.running else { return [] }
            guard running.ask != nil else { return [.stop] }
            return (recordsHeap ? [.snapshot, .leaks] : []) + [.mark, .warning, .stop]
        }
    }

    /// Asks the program for something. Nil: it cannot be asked now.
    func ask(_ wish: Wish) -> String? {
        guard wishes.contains(wish) else { return nil }
        return state.withLock { state in
            guard let running = state.running else { return nil }
            func send(_ request: RecorderRequest, _ sentence: String) -> String {
                running.ask?(request) == true
                    ? sentence : "The recorder has not answered the last requests yet."
            }
            switch wish {
            case .snapshot, .leaks:
                state.wished.append((Self.now, wish == .leaks))
                return send(.snapshot, "A heap snapshot was asked for.")
            case .mark: return send(.mark, "A mark was set.")
            case .warning: return send(.memoryWarning, "A memory warning was sent.")
            case .stop:
                if let stop = running.stop {
                    stop()
                    return "The recording ends."
                }
                if state.deadline == nil { state.deadline = Deadline(of: running.process, after: 0) }
                return "The program was asked to end."
            }
        }
    }
}
