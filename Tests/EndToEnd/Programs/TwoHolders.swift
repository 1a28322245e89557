// Panels that a timer holds and, besides, a closure of their own.
import Dispatch
import Foundation

final class Knob {
    var onTurn: (() -> Void)?
}

final class Panel {
    let knob = Knob()
    var clock: DispatchSourceTimer?
    var ticks = 0

    @inline(never) func open() {
        knob.onTurn = { self.ticks = 0 }
        let clock = DispatchSource.makeTimerSource(queue: .main)
        clock.schedule(deadline: .now() + 0.01, repeating: .milliseconds(10))
        clock.setEventHandler { self.ticks += 1 }
        clock.resume()
        self.clock = clock
    }
}

@main enum Program {
    static func main() {
        for _ in 0..<8 {
            Panel().open()
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
        }
    }
}
