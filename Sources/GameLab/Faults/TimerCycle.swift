import Foundation

/// Beats every 30 ms, when the game's loop fires its timer.
///
/// Unchecked: the timer's block, which must be sendable, runs on the main thread alone.
final class Heartbeat: @unchecked Sendable {
    static let interval = 0.03

    private var timer: Timer?
    private(set) var beats = 0

    deinit { timer?.invalidate() }

    @inline(never)
    func start() {
        // The fault: the timer keeps its block until it is invalidated, the block keeps the heartbeat, and only the
        // heartbeat's deinitializer would invalidate the timer.
        timer = Timer(timeInterval: Self.interval, repeats: true) { _ in self.beats += 1 }
    }

    /// The cure: a block that does not keep the heartbeat.
    @inline(never)
    func startWeakly() {
        timer = Timer(timeInterval: Self.interval, repeats: true) { [weak self] _ in self?.beats += 1 }
    }

    /// The game's loop, for so many beats.
    @inline(never)
    func wait(beats: Int) {
        for _ in 0..<beats {
            Thread.sleep(forTimeInterval: Self.interval)
            timer?.fire()
        }
    }
}

/// Loses a heartbeat to its own timer.
enum TimerCycle: Fault {
    static let name = "timer-cycle"
    static let summary = "A timer's block captures its owner, whose deinitializer alone would invalidate the timer."
    static let pressLimit = 1_000

    static func commit(presses: Int) {
        for _ in 0..<presses {
            let heartbeat = makeHeartbeat()
            heartbeat.start()
            heartbeat.wait(beats: 2)
            say("lost a heartbeat after \(heartbeat.beats) beats")
        }
    }

    static func commitCured(presses: Int) {
        for _ in 0..<presses {
            let heartbeat = makeHeartbeat()
            heartbeat.startWeakly()
            heartbeat.wait(beats: 2)
            say("ended a heartbeat after \(heartbeat.beats) beats")
        }
    }

    @inline(never)
    static func makeHeartbeat() -> Heartbeat { Heartbeat() }
}
