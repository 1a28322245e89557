#if Instrumented
import Foundation
import GameInstrumentation
import InstrumentationServing

/// Plays the puzzle and the cards as an animation of 60 frames a second, with probes: `AnimatedGame FRAMES`. Every 24th frame
/// waits for a picture that another thread decodes. `--serve PORT` and `--serve PATH` offer its figures while it runs, at a
/// port of 127.0.0.1 (0: a free one) or a socket file, and print where.
@main
enum AnimatedGame {
    static func main() throws {
        let frames = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 120
        let listener = FigureAddress(CommandLine.arguments)?.listen()
        defer { listener?.stop() }
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

/// Where the figures are offered.
struct FigureAddress {
    var address: EndpointListener.Address

    init?(_ arguments: [String]) {
        guard let option = arguments.firstIndex(of: "--serve"), option + 1 < arguments.count else { return nil }
        let place = arguments[option + 1]
        address = UInt16(place).map { .loopback(port: $0) } ?? .unixSocket(path: place)
    }

    /// The game is played also where it cannot listen.
    func listen() -> EndpointListener? {
        do {
            let listener = try EndpointListener(at: address)
            switch listener.address {
            case .loopback(let port): say("serving at http://127.0.0.1:\(port)")
            case .unixSocket(let path): say("serving at \(path)")
            }
            return listener
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return nil
        }
    }
}

/// Prints a line at once, also into a pipe.
private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

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
    static func main() { print("AnimatedGame was built without the trait Instrumented.") }
}
#endif
