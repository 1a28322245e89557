import Foundation

enum Settled<Value> {
    case success(Value)
    case failure(any Error)
}

struct Cancelled: Error {}

/// A single-assignment result.
final class Deferred<Value> {
    private enum State {
        case waiting([(Settled<Value>) -> Void])
        case settled(Settled<Value>)
    }

    private var state = State.waiting([])
    private var onCancel: (() -> Void)?

    init() {}

    init(value: Value) {
        state = .settled(.success(value))
    }

    func settle(_ result: Settled<Value>) {
        guard case .waiting(let callbacks) = state else { return }
        state = .settled(result)
        onCancel = nil
        for callback in callbacks { callback(result) }
    }

    func whenSettled(_ callback: @escaping (Settled<Value>) -> Void) {
        switch state {
        case .waiting(let callbacks):
            state = .waiting(callbacks + [callback])
        case .settled(let result):
            callback(result)
        }
    }

    func cancel() {
        let action = onCancel
        onCancel = nil
        action?()
        settle(.failure(Cancelled()))
    }

    func then<Next>(_ transform: @escaping (Value) throws -> Deferred<Next>) -> Deferred<Next> {
        let next = Deferred<Next>()
        next.onCancel = { self.cancel() }
        whenSettled { result in
            switch result {
            case .success(let value):
                do {
                    try transform(value).whenSettled(next.settle)
                } catch {
                    next.settle(.failure(error))
                }
            case .failure(let error):
                next.settle(.failure(error))
            }
        }
        return next
    }

    func map<Next>(_ transform: @escaping (Value) throws -> Next) -> Deferred<Next> {
        then { Deferred<Next>(value: try transform($0)) }
    }

    static func all(_ parts: [Deferred<Value>]) -> Deferred<[Value]> {
        let combined = Deferred<[Value]>()
        var values: [Int: Value] = [:]
        for (index, part) in parts.enumerated() {
            part.whenSettled { result in
                switch result {
                case .success(let value):
                    values[index] = value
                    if values.count == parts.count {
                        combined.settle(.success(values.sorted { $0.key < $1.key }.map(\.value)))
                    }
                case .failure(let error):
                    combined.settle(.failure(error))
                }
            }
        }
        return combined
    }
}

final class ReplyQueue {
    private var pending: [() -> Void] = []

    func reply<Value>(_ value: Value) -> Deferred<Value> {
        let deferred = Deferred<Value>()
        pending.append { deferred.settle(.success(value)) }
        return deferred
    }

    func deliver() {
        while !pending.isEmpty {
            let batch = pending
            pending.removeAll()
            batch.forEach { $0() }
        }
    }
}

struct Weather { let city: String; let celsius: Int }

final class ForecastScreen {
    private let queue: ReplyQueue
    private var request: Deferred<String>?
    private(set) var headline = "loading"

    init(queue: ReplyQueue) {
        self.queue = queue
    }

    func load(_ cities: [String]) {
        let readings = cities.map { city in
            queue.reply(city.count * 2).map { Weather(city: city, celsius: $0) }
        }
        let request = Deferred.all(readings)
            .then { [queue] weathers in queue.reply(weathers.max { $0.celsius < $1.celsius }!) }
            .map { "\($0.city) is warmest at \($0.celsius)" }
        self.request = request
        request.whenSettled { result in
            if case .success(let text) = result { self.headline = text }
            self.request = nil
        }
    }
}

func showForecast(_ cities: [String]) {
    let queue = ReplyQueue()
    let screen = ForecastScreen(queue: queue)
    screen.load(cities)
    queue.deliver()
    print(screen.headline)
}

showForecast(["Rome", "Reykjavik", "Oslo"])
showForecast(["Lima"])
