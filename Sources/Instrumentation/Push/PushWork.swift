import Foundation
import GameprofBasics
import InstrumentationServing
import Synchronization

/// The two threads: one takes profiles at their time, one sends them. They meet in a queue, so that a store that does not answer
/// delays no profile.
final class PushWork: Sendable {
    fileprivate struct Counts {
        var sent = 0
        var lost = 0
        var problem: String?
    }

    let process = getpid()
    private let destination: StoreDestination
    private let interval: Double
    private let queue = PushQueue()
    private let client = StoreClient()
    private let counts = Mutex(Counts())
    private let stopsCollecting = StopSignal()
    private let stopsSending = StopSignal()
    private let sendingEnded = DispatchSemaphore(value: 0)

    private struct Stopped: Error {}

    init(_ destination: StoreDestination, interval: Double) {
        (self.destination, self.interval) = (destination, interval)
    }

    /// `sinceProcessStart`: the first profile has what was allocated before too.
    func begin(sinceProcessStart start: Date?) {
        HelperThread.start("gameprof push") { self.collect(since: start) }
        HelperThread.start("gameprof send") {
            self.send()
            self.sendingEnded.signal()
        }
    }

    /// The first profile comes after a part of the interval, so that the processes of a fleet do not come at once.
    private func collect(since start: Date?) {
        var collector = ProfileCollector(now: start ?? Date(), leavingOutWhatWas: start == nil)
        defer { collector.end() }
        var pause = interval * Double.random(in: 0..<1)
        while stopsCollecting.pause(seconds: pause) {
            pause = interval
            guard ProfileCollector.isRecorded else {
                note(Self.nothingIsSampled)
                continue
            }
            for profile in collector.next() where !stopsCollecting.isAsked {
                if let request = try? destination.request(profile) { queue.append(request) }
            }
        }
    }

    static let nothingIsSampled =
        "Neither blocks nor CPU time are sampled in this process: start it with GAMEPROF=allocations,time GAMEPROF_SAMPLE=512k."

    private func note(_ problem: String?) { counts.withLock { $0.problem = problem } }

    private func send() {
        let clock = PushAttempts.Clock(
            now: PushAttempts.Clock.system.now, wait: { _ = self.stopsSending.pause(seconds: $0) },
            random: PushAttempts.Clock.system.random)
        // A profile that waits for long keeps newer ones waiting.
        let attempts = PushAttempts(budget: max(60, 2 * interval))
        while !stopsSending.isAsked {
            guard let request = queue.next() else { continue }
            let outcome = try? attempts.run(clock: clock) { seconds in
                guard !stopsSending.isAsked else { throw Stopped() }
                return client.post(request, seconds: seconds)
            }
            guard let outcome else { return }
            counts.withLock { $0.count(outcome) }
        }
    }

    /// Both threads end. Returns when nothing is sent any more, or after so many seconds. A profile that is being taken is
    /// finished and given up.
    func stop(seconds: Double) {
        guard getpid() == process, !stopsSending.isAsked else { return }
        stopsCollecting.ask()
        stopsSending.ask()
        queue.wake()
        client.cancel()
        _ = sendingEnded.wait(timeout: .now() + seconds)
    }

    var state: BackgroundPush.State {
        let waiting = queue.counts
        return counts.withLock {
            .init(
                sent: $0.sent, lost: $0.lost + waiting.dropped, waiting: waiting.waiting, problem: $0.problem)
        }
    }
}

extension PushWork.Counts {
    fileprivate mutating func count(_ outcome: PushAttempts.Outcome) {
        problem = outcome.problem(of: "a profile", limit: "the time for it") { "code \($0) of URLSession" }
        if problem == nil { sent += 1 } else { lost += 1 }
    }
}
