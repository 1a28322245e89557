import Foundation

struct GeoPoint: Sendable, Equatable {
    var latitude: Double
    var longitude: Double

    func distance(to other: GeoPoint) -> Double {
        let dLat = (latitude - other.latitude) * 111_320
        let dLon = (longitude - other.longitude) * 111_320 * cos(latitude * .pi / 180)
        return (dLat * dLat + dLon * dLon).squareRoot()
    }
}

struct Fence: Sendable, Identifiable {
    let id: String
    let center: GeoPoint
    let radius: Double

    func contains(_ point: GeoPoint) -> Bool { center.distance(to: point) <= radius }
}

enum FenceEvent: Sendable, Equatable {
    case entered(String)
    case left(String)
}

final class GeofenceTracker: @unchecked Sendable {
    private let lock = NSLock()
    private let fences: [Fence]
    private var inside: Set<String> = []
    private var continuation: AsyncStream<FenceEvent>.Continuation?
    private var hasConsumer = false
    private var path: [GeoPoint] = []

    private(set) lazy var events = AsyncStream<FenceEvent> { continuation in
        self.continuation = continuation
        self.hasConsumer = true
        continuation.onTermination = { _ in
            self.consumerWentAway()
        }
    }

    init(fences: [Fence]) {
        self.fences = fences
    }

    deinit {
        continuation?.finish()
    }

    func moved(to point: GeoPoint) {
        let changes: [FenceEvent] = lock.withLock {
            path.append(point)
            if path.count > 100 { path.removeFirst(50) }
            let now = Set(fences.filter { $0.contains(point) }.map(\.id))
            defer { inside = now }
            return now.subtracting(inside).sorted().map(FenceEvent.entered)
                + inside.subtracting(now).sorted().map(FenceEvent.left)
        }
        guard hasConsumer else { return }
        changes.forEach { continuation?.yield($0) }
    }

    private func consumerWentAway() {
        lock.withLock { hasConsumer = false }
    }
}

/// Emits speed samples; every consumer gets its own stream.
final class Speedometer: @unchecked Sendable {
    private let lock = NSLock()
    private var outputs: [Int: AsyncStream<Double>.Continuation] = [:]
    private var nextOutput = 0
    private var last: GeoPoint?

    deinit {
        outputs.values.forEach { $0.finish() }
    }

    func samples() -> AsyncStream<Double> {
        AsyncStream(bufferingPolicy: .bufferingNewest(8)) { continuation in
            let key = self.lock.withLock {
                self.nextOutput += 1
                self.outputs[self.nextOutput] = continuation
                return self.nextOutput
            }
            continuation.onTermination = { [weak self] _ in
                guard let self else { return }
                self.lock.withLock { self.outputs[key] = nil }
            }
        }
    }

    func moved(to point: GeoPoint, seconds: Double) {
        let speed = last.map { $0.distance(to: point) / seconds } ?? 0
        last = point
        let current = lock.withLock { Array(outputs.values) }
        current.forEach { $0.yield(speed) }
    }
}

func walk(_ latitudes: [Double]) async {
    let tracker = GeofenceTracker(fences: [
        Fence(id: "home", center: GeoPoint(latitude: 48.0, longitude: 11.5), radius: 150),
        Fence(id: "cafe", center: GeoPoint(latitude: 48.01, longitude: 11.5), radius: 80),
    ])
    let speedometer = Speedometer()
    let events = tracker.events
    let speeds = speedometer.samples()
    for latitude in latitudes {
        let point = GeoPoint(latitude: latitude, longitude: 11.5)
        tracker.moved(to: point)
        speedometer.moved(to: point, seconds: 60)
    }
    var seen = 0
    for await event in events {
        print(event)
        seen += 1
        if seen == 2 { break }
    }
    for await speed in speeds.prefix(2) { print(Int(speed)) }
}

await walk([48.0, 48.005, 48.01])
await walk([48.01, 48.0])
