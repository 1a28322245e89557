import Foundation

// Server metrics: closure based signal pipeline, a registry of counters and a load dashboard.

final class Token {
    private var undo: (() -> Void)?

    init(_ undo: @escaping () -> Void) {
        self.undo = undo
    }

    func dispose() {
        undo?()
        undo = nil
    }

    deinit { dispose() }

    func keep(in bag: inout [Token]) {
        bag.append(self)
    }
}

/// A cold description of values; nothing happens before somebody attaches.
struct Signal<Value> {
    let attach: (@escaping (Value) -> Void) -> Token

    func map<New>(_ transform: @escaping (Value) -> New) -> Signal<New> {
        Signal<New> { receive in
            attach { receive(transform($0)) }
        }
    }

    func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal<Value> {
        Signal { receive in
            attach { if isIncluded($0) { receive($0) } }
        }
    }

    func sink(_ receive: @escaping (Value) -> Void) -> Token {
        attach(receive)
    }

    func assign<Root: AnyObject>(to path: ReferenceWritableKeyPath<Root, Value>, on root: Root) -> Token {
        sink { root[keyPath: path] = $0 }
    }

    func assignWeakly<Root: AnyObject>(to path: ReferenceWritableKeyPath<Root, Value>, on root: Root) -> Token {
        sink { [weak root] in root?[keyPath: path] = $0 }
    }
}

extension Signal where Value == Double {
    func smooth(_ width: Int) -> Signal<Double> {
        Signal { receive in
            var window: [Double] = []
            return attach { value in
                window.append(value)
                if window.count > width { window.removeFirst() }
                receive(window.reduce(0, +) / Double(window.count))
            }
        }
    }
}

final class Relay<Value> {
    private var receivers: [(id: Int, call: (Value) -> Void)] = []
    private var serial = 0

    func send(_ value: Value) {
        for receiver in receivers {
            receiver.call(value)
        }
    }

    var signal: Signal<Value> {
        Signal { [weak self] receive in
            guard let self else { return Token {} }
            self.serial += 1
            let id = self.serial
            self.receivers.append((id, receive))
            return Token { [weak self] in
                self?.receivers.removeAll { $0.id == id }
            }
        }
    }
}

struct MetricKey: Hashable {
    let name: String
    let tags: [String: String]
}

final class Counter {
    private(set) var value = 0
    func increment(by amount: Int = 1) { value += amount }
}

final class MetricRegistry {
    private var counters: [MetricKey: Counter] = [:]
    private var gauges: [String: Double] = [:]

    func counter(_ name: String, _ tags: [String: String] = [:]) -> Counter {
        let key = MetricKey(name: name, tags: tags)
        if let known = counters[key] { return known }
        let counter = Counter()
        counters[key] = counter
        return counter
    }

    func gauge(_ name: String, _ value: Double) {
        gauges[name] = value
    }

    func total(_ name: String) -> Int {
        counters.filter { $0.key.name == name }.values.reduce(0) { $0 + $1.value }
    }
}

final class RequestProbe {
    private let registry: MetricRegistry
    private let durations: Relay<Double>
    private var serial = 0

    init(registry: MetricRegistry, durations: Relay<Double>) {
        self.registry = registry
        self.durations = durations
    }

    func finished(_ route: String, status: Int, duration: Double) {
        serial += 1
        registry.counter("requests", ["route": route, "request": "\(serial)"]).increment()
        registry.counter("status", ["class": "\(status / 100)xx"]).increment()
        registry.gauge("last.duration", duration)
        durations.send(duration)
    }
}

final class LoadDashboard {
    private let samples = Relay<Double>()
    private var bag: [Token] = []
    private(set) var redraws = 0
    var load = 0.0 {
        didSet { redraws += 1 }
    }

    func start(_ durations: Signal<Double>) {
        durations
            .filter { $0 >= 0 }
            .sink { [samples] in samples.send($0 * 100) }
            .keep(in: &bag)
        samples.signal
            .smooth(4)
            .assign(to: \.load, on: self)
            .keep(in: &bag)
    }

    var bar: String { String(repeating: "#", count: Int(load / 10)) }
}

final class AlarmPanel {
    private let limit: Double
    private let spikes = Relay<Double>()
    private var bag: [Token] = []
    var worst = 0.0
    private(set) var alarms = 0

    init(limit: Double) {
        self.limit = limit
    }

    func start(_ durations: Signal<Double>) {
        let limit = self.limit
        durations
            .filter { $0 > limit }
            .sink { [weak self] in self?.spikes.send($0) }
            .keep(in: &bag)
        spikes.signal
            .assignWeakly(to: \.worst, on: self)
            .keep(in: &bag)
        spikes.signal
            .map { $0 > limit * 2 }
            .sink { [weak self] severe in if severe { self?.alarms += 1 } }
            .keep(in: &bag)
    }
}

/// Collects for one measuring period and is then asked for its result.
final class Period {
    private var values: [Double] = []
    private var token: Token?

    func open(_ durations: Signal<Double>) {
        token = durations.sink { self.values.append($0) }
    }

    func finish() -> Double {
        token?.dispose()
        token = nil
        defer { values = [] }
        return values.max() ?? 0
    }
}

func shift() {
    let registry = MetricRegistry()
    let durations = Relay<Double>()
    let probe = RequestProbe(registry: registry, durations: durations)
    let dashboard = LoadDashboard()
    let alarm = AlarmPanel(limit: 0.5)
    dashboard.start(durations.signal)
    alarm.start(durations.signal)

    for round in 0..<3 {
        let period = Period()
        period.open(durations.signal)
        for request in 0..<20 {
            let duration = Double((request * 7 + round) % 13) / 10
            probe.finished(request % 2 == 0 ? "/play" : "/scores", status: request % 9 == 0 ? 500 : 200, duration: duration)
        }
        print("period \(round) max \(period.finish())")
    }
    print("requests \(registry.total("requests")), errors and ok \(registry.total("status"))")
    print("load \(dashboard.bar), worst \(alarm.worst), alarms \(alarm.alarms)")
}

shift()
