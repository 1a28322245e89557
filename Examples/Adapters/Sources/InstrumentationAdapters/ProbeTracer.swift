import GameInstrumentation
import Synchronization
public import Tracing

/// Records what a program sends to swift-distributed-tracing: spans as intervals, their events and errors as events.
///
/// ```swift
/// InstrumentationSystem.bootstrap(ProbeTracer())
/// ```
///
/// A span's operation is the probe's name; a failure is an event `operation failed`. Spans are not put into requests to
/// other processes. Costs a look-up of the name for each span, beside the probe.
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

/// A span that is an interval from where it was made to its first `end`.
public final class ProbeSpan: Span {
    private struct State {
        var operationName: String
        var attributes: SpanAttributes = [:]
        /// nil: the span has ended.
        var token: Probe.Token?
    }

    public let context: ServiceContext
    private let state: Mutex<State>

    init(_ operationName: String, context: ServiceContext) {
        self.context = context
        let token = Probe.begin(Probe.Name(operationName))
        state = Mutex(State(operationName: operationName, token: token))
    }

    /// The interval keeps the name that the span was made with.
    public var operationName: String {
        get { state.withLock { $0.operationName } }
        set { state.withLock { $0.operationName = newValue } }
    }

    public var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    public var isRecording: Bool { Probe.isRecording && state.withLock { $0.token != nil } }

    public func setStatus(_ status: SpanStatus) {}

    public func addLink(_ link: SpanLink) {}

    public func addEvent(_ event: SpanEvent) { Probe.event(Probe.Name(event.name)) }

    public func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        Probe.event(Probe.Name("\(operationName) failed"))
    }

    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let token = state.withLock { state in
            defer { state.token = nil }
            return state.token
        }
        token?.end()
    }
}
