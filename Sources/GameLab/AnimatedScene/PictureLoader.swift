#if Instrumented
import Foundation
import GameInstrumentation

/// Decodes pictures on a thread of its own.
final class PictureLoader: Sendable {
    private final class Exchange: @unchecked Sendable {
        let lock = NSCondition()
        /// Guarded by `lock`.
        var asked: Int?
        var picture: [UInt8]?
        var isStopped = false
    }

    private static let pixels = 160 * 90
    private static let rounds = 24
    private let exchange = Exchange()

    init() {
        let exchange = exchange
        let thread = Thread { Self.serve(exchange) }
        thread.name = "loader"
        thread.start()
    }

    /// Waits until the picture is decoded.
    func picture(number: Int) -> [UInt8] {
        exchange.lock.lock()
        defer { exchange.lock.unlock() }
        exchange.asked = number
        exchange.lock.broadcast()
        while exchange.picture == nil { exchange.lock.wait() }
        defer { exchange.picture = nil }
        return exchange.picture ?? []
    }

    /// Waits until the thread has taken its leave.
    func stop() {
        exchange.lock.lock()
        exchange.isStopped = true
        exchange.lock.broadcast()
        while exchange.isStopped { exchange.lock.wait() }
        exchange.lock.unlock()
    }

    private static func serve(_ exchange: Exchange) {
        exchange.lock.lock()
        while !exchange.isStopped {
            guard let number = exchange.asked else {
                exchange.lock.wait()
                continue
            }
            exchange.asked = nil
            exchange.lock.unlock()
            let picture = Probe.interval("decode") { decode(number) }
            exchange.lock.lock()
            exchange.picture = picture
            exchange.lock.broadcast()
        }
        exchange.isStopped = false
        exchange.lock.broadcast()
        exchange.lock.unlock()
    }

    /// Each round makes a picture of the one before.
    private static func decode(_ number: Int) -> [UInt8] {
        var picture = [UInt8](repeating: UInt8(truncatingIfNeeded: number * 31), count: pixels)
        for round in 0..<rounds {
            picture = picture.indices.map { index in
                let neighbours = Int(picture[index]) + Int(picture[(index + 1) % pixels]) + index * round
                return UInt8(truncatingIfNeeded: neighbours / 2)
            }
        }
        return picture
    }
}
#endif
