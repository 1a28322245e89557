import GameInstrumentation
import Synchronization
public import Tracing

/// Records the spans of swift-distributed-tracing as intervals, and their events and errors as events.
///
/// ```swift
/// InstrumentationSystem.bootstrap(ProbeTracer())
/// ```
///
/// Spans are timed by the clock of the probes, whatever instants they are given, and have the name under which they were
/// started. Nothing is sent to other processes.
public struct ProbeTracer: Tracer {
    public init() {}

    public func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> ProbeSpan {
        ProbeSpan(operationName, context: context())
    }

    public func forceFlush() {}

    public func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}

    public func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {}
}

/// A span that is an interval.
public final class ProbeSpan: Span {
    private struct State {
        var name: String
        var attributes: SpanAttributes = [:]
        var token: Probe.Token?
    }

    public let context: ServiceContext
    private let state: Mutex<State>

    init(_ name: String, context: ServiceContext) {
        self.context = context
        state = Mutex(State(name: name, token: Probe.begin(Probe.Name(name))))
    }

    /// Changing it does not change the interval's name.
    public var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    /// Kept with the span; not recorded.
    public var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    public var isRecording: Bool { Probe.isRecording && state.withLock { $0.token != nil } }

    /// Not recorded.
    public func setStatus(_ status: SpanStatus) {}

    public func addEvent(_ event: SpanEvent) { Probe.event(Probe.Name(event.name)) }

    public func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        Probe.event(Probe.Name("error \(type(of: error)) in \(operationName)"))
    }

    /// Not recorded.
    public func addLink(_ link: SpanLink) {}

    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let token = state.withLock { state in
            defer { state.token = nil }
            return state.token
        }
        token?.end()
    }
}
