/// Stands before a model of the game: each call that goes through it is a probe, the allocations of the call are counted
/// with it, and the model is expected to die with it.
///
/// ```swift
/// extension Instrumented where Model: Board {
///     func deal(_ count: Int) { call("Board.deal(_:)") { $0.deal(count) } }
/// }
///
/// let board = Instrumented(Board())
/// board.deal(36)
/// print(board.cards.count)
/// ```
///
/// Properties are read through it without a probe. When its last copy is gone and the model lives on, the report says so at
/// the next snapshot, the one at exit at the latest, with what holds the model. Costs an allocation, and a probe for each
/// call. Without the trait `Instrumented` it is the model's reference, and a call is the call of the model.
@dynamicMemberLookup
public struct Instrumented<Model: AnyObject> {
    #if Instrumented
    @usableFromInline let life: InstrumentedLife<Model>
    #else
    @usableFromInline let held: Model
    #endif

    /// Stands before `model`. The place is named if the model lives on.
    @_alwaysEmitIntoClient @inline(__always)
    public init(_ model: Model, file: StaticString = #fileID, line: UInt32 = #line) {
        #if Instrumented
        life = InstrumentedLife(model, file: file, line: line)
        #else
        held = model
        #endif
    }

    /// The model itself, for calls that shall not be measured.
    @_alwaysEmitIntoClient @_transparent
    public var model: Model {
        #if Instrumented
        life.model
        #else
        held
        #endif
    }

    /// Calls the model as the probe `name`.
    @_alwaysEmitIntoClient @_transparent
    public func call<Result: ~Copyable, Failure: Error>(
        _ name: StaticString, _ body: (Model) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if Instrumented
        try Probe.interval(name) { () throws(Failure) -> Result in try body(model) }
        #else
        try body(held)
        #endif
    }

    /// A property of the model.
    @_alwaysEmitIntoClient
    public subscript<Value>(dynamicMember path: KeyPath<Model, Value>) -> Value {
        @_transparent get { model[keyPath: path] }
    }

    /// A property of the model.
    @_alwaysEmitIntoClient
    public subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<Model, Value>) -> Value {
        @_transparent get { model[keyPath: path] }
        @_transparent nonmutating set { model[keyPath: path] = newValue }
    }
}

#if Instrumented
/// What the copies of an `Instrumented` share. Its end is when the model is expected to die.
@usableFromInline
final class InstrumentedLife<Model: AnyObject> {
    @usableFromInline let model: Model
    private let file: StaticString
    private let line: UInt32

    @usableFromInline
    init(_ model: Model, file: StaticString, line: UInt32) {
        self.model = model
        self.file = file
        self.line = line
    }

    deinit { Instrumentation.expectDeallocated(model, file: file, line: line) }
}
#endif
