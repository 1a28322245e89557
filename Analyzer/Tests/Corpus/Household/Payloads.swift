import Foundation

enum Step { case idle, moving(Walker, speed: Int), resting(by: Walker) }  // suspect: payload-reference
indirect enum Tale { case end, line(String, Tale) }

final class Walker {
    private var step = Step.idle
    private var tale = Tale.end
    private var plan: Plan?
    private var context: [String: Any] = [:]  // suspect: back-reference
    private var pairs: [(Walker, Int)] = []  // suspect: back-reference

    func go() {
        step = .moving(self, speed: 3)  // a suspect where the case is declared, or here
        tale = .line("went", tale)  // no-finding: payload-reference
        plan = Plan(walker: self)
        context["walker"] = self
        pairs.append((self, 1))
        let local = Plan(walker: self)  // no-finding: payload-reference
        local.follow()
    }
}

struct Plan {
    let walker: Walker  // suspect: payload-reference
    func follow() {}
}

struct Visit {
    weak var walker: Walker?  // no-finding: payload-reference
}

/// A state that is left again.
enum Upgrade { case waiting, ready(() -> Void), done }

final class Upgrader {
    private var state = Upgrade.waiting
    private var count = 0

    func prepare() {
        state = .ready { self.count += 1 }  // no-finding: stored-closure
    }

    func finish() {
        guard case .ready(let body) = state else { return }
        state = .done
        body()
    }
}

/// A state that nothing leaves.
enum Mood { case calm, angry(() -> Void) }

final class Guest {
    private var mood = Mood.calm
    private var complaints = 0

    func complain() {
        mood = .angry { self.complaints += 1 }  // suspect: stored-closure
    }
}
