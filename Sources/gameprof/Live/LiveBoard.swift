import Foundation
import GameprofReport
import Synchronization

/// What the page shows of all runs, and what its buttons have asked of the tool.
final class LiveBoard: Sendable {
    enum Phase: String, Encodable { case running, finishing, ended }

    /// The answer to the page's question.
    fileprivate struct Answer: Encodable {
        var state: Phase
        var sentence: String
        var run: Int
        /// Runs whose reports can be shown.
        var reports: [Int]
        /// The last two of them are compared.
        var comparison: Bool
        var actions: [String]
        var moment: LiveMoment?
    }

    fileprivate struct State {
        var phase = Phase.running
        var sentence = "Starting"
        var number = 0
        var run: LiveRun?
        var reports: [(run: Int, page: String)] = []
        var comparison: String?
        var wantsAgain = false
        var wantsEnd = false
        /// A browser has taken the report of the last run.
        var isSeen = false
        /// When a page asked last.
        var asked: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    // MARK: - What the tool does

    /// A run begins.
    func begin(_ run: LiveRun, _ sentence: String) {
        state.withLock { state in
            state.number += 1
            (state.phase, state.sentence, state.run) = (.running, sentence, run)
            (state.wantsAgain, state.isSeen) = (false, false)
        }
    }

    /// The program has ended, and the tool works.
    func finish(_ sentence: String) {
        state.withLock { ($0.phase, $0.sentence) = (.finishing, sentence) }
    }

    /// - Parameters:
    ///   - page: the report of the run; nil: there is none, and the sentence says why.
    ///   - comparison: with the run before; nil: there is none.
    func end(_ sentence: String, page: String?, comparison: String?) {
        state.withLock { state in
            (state.phase, state.sentence, state.comparison) = (.ended, sentence, comparison)
            if let page { state.reports.append((state.number, page)) }
            if state.reports.count > 2 { state.reports.removeFirst() }
        }
    }

    var wantsAgain: Bool { state.withLock(\.wantsAgain) }
    var wantsEnd: Bool { state.withLock(\.wantsEnd) }
    /// Whether a browser shows the page and has not taken the report of the last run.
    var isWaitedFor: Bool {
        state.withLock { state in
            !state.isSeen && state.asked.map { ContinuousClock.now - $0 < Self.patience } ?? false
        }
    }

    private static let patience = Duration.seconds(3)

    // MARK: - What the page asks

    func data(run: Int, since revision: Int) -> Data {
        let (board, live) = state.withLock { state in
            state.asked = .now
            return (state.answer, state.run)
        }
        var answer = board
        if answer.state == .running {
            answer.actions = (live?.wishes ?? []).map(\.rawValue) + ["again"]
            answer.moment = live?.moment(since: run == answer.run ? revision : 0)
        }
        return (try? JSONEncoder().encode(answer)) ?? Data()
    }

    func report(_ run: Int) -> String? {
        state.withLock { state in
            if run == state.number { state.isSeen = true }
            return state.reports.last { $0.run == run }?.page
        }
    }

    func comparison(_ run: Int) -> String? {
        state.withLock { run == $0.number ? $0.comparison : nil }
    }

    /// The sentence that answers a button; nil: that cannot be asked now.
    func act(_ action: String) -> String? {
        let (phase, run) = state.withLock { ($0.phase, $0.run) }
        if let wish = LiveRun.Wish(rawValue: action) { return phase == .running ? run?.ask(wish) : nil }
        switch (action, phase) {
        case ("again", .running):
            state.withLock { $0.wantsAgain = true }
            _ = run?.ask(.stop)
            return "The program is started again when it has ended."
        case ("again", .ended):
            state.withLock { $0.wantsAgain = true }
            return "The program is started again."
        case ("quit", .ended):
            state.withLock { $0.wantsEnd = true }
            return "gameprof ends."
        default: return nil
        }
    }
}

extension LiveBoard.State {
    /// Without what the run says.
    fileprivate var answer: LiveBoard.Answer {
        LiveBoard.Answer(
            state: phase, sentence: sentence, run: number, reports: reports.map(\.run),
            comparison: comparison != nil && reports.count == 2, actions: phase == .ended ? ["again", "quit"] : [])
    }
}
