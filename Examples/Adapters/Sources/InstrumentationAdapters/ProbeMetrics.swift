public import CoreMetrics
import GameInstrumentation
import Synchronization

/// Records what a program sends to swift-metrics: timers as intervals, counters, meters and recorders as counters.
///
/// ```swift
/// MetricsSystem.bootstrap(ProbeMetrics())
/// ```
///
/// A label is the probe's name; dimensions are written behind it: `requests{method=get}`.
public struct ProbeMetrics: MetricsFactory {
    public init() {}

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        ProbeSum(name: Self.name(label, dimensions))
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        ProbeSum(name: Self.name(label, dimensions))
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        ProbeSum(name: Self.name(label, dimensions))
    }

    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        ProbeSum(name: Self.name(label, dimensions))
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        ProbeTimer(name: Self.name(label, dimensions))
    }

    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}

    private static func name(_ label: String, _ dimensions: [(String, String)]) -> Probe.Name {
        let pairs = dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: ",")
        return Probe.Name(pairs.isEmpty ? label : "\(label){\(pairs)}")
    }
}

/// A value that is set, or counted up and down.
private final class ProbeSum: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler {
    private let name: Probe.Name
    private let value = Mutex(0.0)

    init(name: Probe.Name) { self.name = name }

    func increment(by amount: Int64) { change(by: Double(amount)) }

    func increment(by amount: Double) { change(by: amount) }

    func decrement(by amount: Double) { change(by: -amount) }

    func set(_ value: Int64) { record(Double(value)) }

    func set(_ value: Double) { record(value) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        self.value.withLock { $0 = value }
        Probe.counter(name, value)
    }

    func reset() { record(0.0) }

    private func change(by amount: Double) {
        let sum = value.withLock { sum in
            sum += amount
            return sum
        }
        Probe.counter(name, sum)
    }
}

/// A duration that the program measured.
private final class ProbeTimer: TimerHandler {
    private let name: Probe.Name

    init(name: Probe.Name) { self.name = name }

    func recordNanoseconds(_ duration: Int64) { Probe.interval(name, lasted: .nanoseconds(duration)) }
}
