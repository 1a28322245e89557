// What grows in several storages of one declaration, and in a library's storage that several objects share.
import Foundation

@propertyWrapper
final class Tracked<Value: Comparable> {
    private var samples: [(value: Value, note: String)] = []
    var wrappedValue: Value {
        didSet { samples.append((oldValue, "changed from \(oldValue) to \(wrappedValue)")) }
    }
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

final class Room {
    @Tracked var temperature = 20.0
    @Tracked var target = 21
}

enum Hub {
    static let rooms = (0..<4).map { _ in Room() }
}

final class Quote: Sendable {
    let depth: [Double]
    init(_ number: Int) { depth = (0..<20).map { Double($0 + number) } }
}

final class Feed {
    let stream: AsyncStream<Quote>
    private let continuation: AsyncStream<Quote>.Continuation
    init() { (stream, continuation) = AsyncStream.makeStream(of: Quote.self) }
    func publish(_ number: Int) { continuation.yield(Quote(number)) }
}

let feed = Feed()
let consumer = Task.detached { [stream = feed.stream] in
    for await _ in stream { try? await Task.sleep(nanoseconds: 50_000_000) }
}
for step in 0..<1_000 {
    for room in Hub.rooms {
        room.temperature += 0.1
        room.target += 1
    }
    feed.publish(step)
    if step % 20 == 0 { usleep(2_000) }
}
print("grown")
withExtendedLifetime(consumer) {}
