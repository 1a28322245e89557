#if Recording
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
/// Properties are read through it without a probe. When the wrapper is deallocated and the model lives on, the report says
/// so at the next snapshot, the one at exit at the latest, with what holds the model.
@dynamicMemberLookup
public final class Instrumented<Model: AnyObject> {
    /// The model itself, for calls that shall not be measured.
    public let model: Model

    private let file: StaticString
    private let line: UInt32

    /// Stands before `model`. The place is named if the model lives on.
    public init(_ model: Model, file: StaticString = #fileID, line: UInt32 = #line) {
        self.model = model
        self.file = file
        self.line = line
    }

    deinit { Instrumentation.expectDeallocated(model, file: file, line: line) }

    /// Calls the model as the probe `name`.
    @inlinable
    public func call<Result: ~Copyable, Failure: Error>(
        _ name: StaticString, _ body: (Model) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Probe.interval(name) { () throws(Failure) -> Result in try body(model) }
    }

    /// A property of the model.
    public subscript<Value>(dynamicMember path: KeyPath<Model, Value>) -> Value { model[keyPath: path] }

    /// A property of the model.
    public subscript<Value>(dynamicMember path: ReferenceWritableKeyPath<Model, Value>) -> Value {
        get { model[keyPath: path] }
        set { model[keyPath: path] = newValue }
    }
}
#endif
