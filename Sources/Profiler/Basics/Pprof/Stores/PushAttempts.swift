import Foundation

/// What came back of a request.
package enum StoreAnswer: Equatable, Sendable {
    /// HTTP status, and after how many seconds the server wants to be asked again.
    case status(Int, retryAfter: Double?)
    /// No answer came; the code is that of who sent it: curl's (7: no connection, 28: timeout …) or URLSession's.
    case failure(Int)
}

/// Repeats a request until the store has taken it, a refusal is final, or the time is over.
package struct PushAttempts {
    /// Seconds for everything together.
    package var budget: Double
    /// At most so many requests.
    package var limit = 8
    /// Whether the server may take the same request another time, by the status of its answer.
    private let isPassing: @Sendable (Int) -> Bool

    package init(
        budget: Double, isPassing: @escaping @Sendable (Int) -> Bool = { [408, 425, 429].contains($0) || $0 >= 500 }
    ) {
        (self.budget, self.isPassing) = (budget, isPassing)
    }

    package enum Outcome: Equatable {
        case delivered
        /// The store will not take it, whenever it is asked.
        case refused(Int)
        case timeOver(StoreAnswer)
        /// The store wants to be asked again after so many seconds, when the time is over.
        case postponed(status: Int, seconds: Double)

        /// Why `profile` did not arrive, as a sentence; nil: it did.
        ///
        /// - Parameters:
        ///   - limit: what the time is called.
        ///   - reason: what a code of who sent it means.
        package func problem(of profile: String, limit: String, reason: (Int) -> String) -> String? {
            switch self {
            case .delivered: nil
            case .refused(let status): "The store refused \(profile): HTTP status \(status)."
            case .timeOver(.status(let status, _)):
                "The store did not take \(profile): HTTP status \(status), in every attempt."
            case .postponed(let status, let seconds):
                "The store did not take \(profile): HTTP status \(status), and it is to be sent again in "
                    + "\(Int(exactly: seconds.rounded(.up)) ?? .max) s, when \(limit) is over."
            case .timeOver(.failure(let code)): "The store did not answer: \(reason(code))."
            }
        }
    }

    /// What stands between it and the clock, for tests.
    package struct Clock {
        package var now: () -> Double
        package var wait: (Double) -> Void
        package var random: () -> Double

        package init(
            now: @escaping () -> Double, wait: @escaping (Double) -> Void, random: @escaping () -> Double
        ) {
            (self.now, self.wait, self.random) = (now, wait, random)
        }

        package static var system: Clock {
            Clock(
                now: { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 },
                wait: { Thread.sleep(forTimeInterval: $0) }, random: { Double.random(in: 0..<1) })
        }
    }

    /// `send` gets the seconds that it may take.
    package func run(clock: Clock = .system, send: (Double) throws -> StoreAnswer) rethrows -> Outcome {
        let end = clock.now() + budget
        var attempt = 0
        while true {
            let answer = try send(max(0.1, min(30, end - clock.now())))
            attempt += 1
            switch answer {
            case .status(200..<300, _): return .delivered
            case .status(let status, _) where !isPassing(status): return .refused(status)
            default: break
            }
            let pause = pause(before: attempt, answer, random: clock.random())
            guard attempt < limit, clock.now() + pause < end else {
                if attempt < limit, case .status(let status, let wanted?) = answer, wanted == pause {
                    return .postponed(status: status, seconds: wanted)
                }
                return .timeOver(answer)
            }
            clock.wait(pause)
        }
    }

    /// Half a second, doubled each time up to half a minute, and a random part of it, so that a fleet does not come at once.
    func pause(before attempt: Int, _ answer: StoreAnswer, random: Double) -> Double {
        let doubled = min(30, 0.5 * pow(2, Double(attempt - 1)))
        let own = doubled * (0.5 + random / 2)
        guard case .status(_, let wanted?) = answer, wanted.isFinite, wanted > 0 else { return own }
        return max(own, wanted)
    }
}
