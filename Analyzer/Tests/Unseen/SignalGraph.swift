import Foundation

class AnySignal {
    let label: String

    init(label: String) {
        self.label = label
    }
}

final class Signal<Value>: AnySignal {
    private var sinks: [Int: (Value) -> Void] = [:]
    private var nextSink = 0
    private var upstream: AnySignal?
    private(set) var value: Value

    init(_ value: Value, label: String, upstream: AnySignal? = nil) {
        self.value = value
        self.upstream = upstream
        super.init(label: label)
    }

    func send(_ newValue: Value) {
        value = newValue
        for sink in sinks.values { sink(newValue) }
    }

    @discardableResult
    func observe(_ sink: @escaping (Value) -> Void) -> Int {
        nextSink += 1
        sinks[nextSink] = sink
        sink(value)
        return nextSink
    }

    func forget(_ key: Int) {
        sinks[key] = nil
    }

    func map<Output>(_ transform: @escaping (Value) -> Output) -> Signal<Output> {
        let derived = Signal<Output>(transform(value), label: label + ".map", upstream: self)
        observe { derived.send(transform($0)) }
        return derived
    }

    func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal<Value> {
        let derived = Signal(value, label: label + ".filter", upstream: self)
        observe { [weak derived] in
            if isIncluded($0) { derived?.send($0) }
        }
        return derived
    }

    /// Calls back for the next value only.
    func once(_ body: @escaping (Value) -> Void) {
        var key: Int?
        var skippedCurrent = false
        key = observe { [weak self] next in
            guard skippedCurrent else { skippedCurrent = true; return }
            if let key { self?.forget(key) }
            body(next)
        }
    }
}

struct Thermometer {
    let celsius = Signal(20.0, label: "celsius")
}

final class AlarmPanel {
    private let armed = Signal(false, label: "armed")
    private let thermometer: Thermometer
    private var events: [String] = []
    private var limit = 60.0

    init(thermometer: Thermometer) {
        self.thermometer = thermometer
        armed.observe { isArmed in
            self.log(isArmed ? "armed" : "disarmed")
        }
        thermometer.celsius.once { [weak self] value in
            self?.log("first reading \(value)")
        }
    }

    func arm() { armed.send(true) }

    func check(_ reading: Double) {
        if armed.value, reading > limit { log("alarm at \(reading)") }
    }

    private func log(_ line: String) {
        events.append(line)
        if events.count > 30 { events.removeFirst() }
    }

    var transcript: String { events.joined(separator: ", ") }
}

func monitorBoiler() {
    let thermometer = Thermometer()
    let fahrenheit = thermometer.celsius.map { $0 * 9 / 5 + 32 }
    let high = thermometer.celsius.filter { $0 > 50 }
    let panel = AlarmPanel(thermometer: thermometer)
    panel.arm()
    for reading in [21.0, 48, 66] {
        thermometer.celsius.send(reading)
        panel.check(reading)
    }
    print(fahrenheit.value, high.value, panel.transcript)
}

monitorBoiler()
