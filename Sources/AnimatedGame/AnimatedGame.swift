#if Recording
import Foundation
import GameInstrumentation

/// Plays the puzzle and the cards as an animation of 60 frames a second, with probes: `AnimatedGame FRAMES`. Every 24th frame
/// waits for a picture that another thread decodes.
@main
enum AnimatedGame {
    static func main() throws {
        let frames = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 120
        let loader = PictureLoader()
        let scene = try Scene(loader: loader)
        var clock = FrameClock()
        Probe.frame()
        for frame in 0..<max(0, frames) {
            Probe.interval("simulate") { scene.simulate(frame) }
            Probe.interval("draw") { scene.draw() }
            Probe.interval("present") { clock.waitForNextFrame() }
            Probe.counter("sprites", scene.sprites.count)
            Probe.frame()
        }
        loader.stop()
        print("\(frames) frames, \(scene.puzzlesSolved) puzzles solved, \(scene.pairsFound) pairs found")
    }
}

/// Waits for the next of 60 moments in a second, as a display does.
struct FrameClock {
    private static let interval = 1.0 / 60
    private var next = ProcessInfo.processInfo.systemUptime + interval

    mutating func waitForNextFrame() {
        let rest = next - ProcessInfo.processInfo.systemUptime
        if rest > 0 { Thread.sleep(forTimeInterval: rest) }
        next = max(next, ProcessInfo.processInfo.systemUptime) + Self.interval
    }
}
#else
@main
enum AnimatedGame {
    static func main() { print("AnimatedGame was built without the trait Recording.") }
}
#endif
