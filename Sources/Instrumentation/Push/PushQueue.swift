import Dispatch
import GameprofBasics
import Synchronization

/// Requests that wait to be sent: a few, the oldest of which gives way to a new one.
final class PushQueue: Sendable {
    /// Of all together, so that a store that is gone costs the program no more.
    static let bytesMost = 16 << 20
    /// Four times three profiles.
    static let countMost = 12

    private struct State {
        var waiting: [StoreRequest] = []
        var dropped = 0
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    func append(_ request: StoreRequest) {
        state.withLock { state in
            state.waiting.append(request)
            var bytes = state.waiting.reduce(0) { $0 + $1.body.count }
            while state.waiting.count > Self.countMost || bytes > Self.bytesMost {
                bytes -= state.waiting.removeFirst().body.count
                state.dropped += 1
            }
        }
        arrival.signal()
    }

    /// The oldest; nil: there is none. Waits until one comes or `wake` is called.
    func next() -> StoreRequest? {
        arrival.wait()
        return state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }

    func wake() { arrival.signal() }

    var counts: (waiting: Int, dropped: Int) { state.withLock { ($0.waiting.count, $0.dropped) } }
}
