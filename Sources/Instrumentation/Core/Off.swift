// Instrumentation in a build without the trait Instrumented: the same calls, and nothing of them is left in the program.
#if !Instrumented
// Members of imported C types are seen only where their module is imported (MemberImportVisibility), which a client cannot do.
@_exported public import CInstrumentationOff

extension Probe {
    /// Calls `body`.
    @_alwaysEmitIntoClient @inline(__always)
    public static func interval<Result: ~Copyable, Failure: Error>(
        _ name: StaticString, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body()
    }

    /// Calls `body`.
    @_alwaysEmitIntoClient @inline(__always)
    public static func interval<Result: ~Copyable, Failure: Error>(
        _ name: Name, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body()
    }

    /// Calls `body`.
    @_alwaysEmitIntoClient @inline(__always)
    public static func interval<Result: ~Copyable, Failure: Error>(
        _ name: StaticString, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await body()
    }

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func interval(_ name: Name, lasted duration: Duration) {}

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func begin(_ name: StaticString) -> Token { Token() }

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func begin(_ name: Name) -> Token { Token() }

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func event(_ name: StaticString) {}

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func event(_ name: Name) {}

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func counter(_ name: StaticString, _ value: Double) {}

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func counter(_ name: StaticString, _ value: some BinaryInteger) {}

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func counter(_ name: Name, _ value: Double) {}

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func frame(_ name: StaticString = "frame") {}
}

extension Probe.Name {
    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public init(_ text: String) { self.init() }
}

extension Probe.Token {
    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public func end() {}
}

extension Instrumentation {
    /// None is thrown; a type of the library's own would leave a symbol in the release.
    public typealias StartError = CancellationError

    /// Nil.
    @_alwaysEmitIntoClient @inline(__always)
    public static func tracePath() -> String? { nil }

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func start(path: String, instruments: Instruments = .allocations) throws(StartError) {}

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func stop() {}

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func onFinding(_ handler: (@Sendable (Finding) -> Void)?) {}

    /// Does nothing and returns false.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func snapshot(_ name: String) -> Bool { false }

    /// Runs `body` so many times.
    @_alwaysEmitIntoClient @inline(__always)
    public static func scenario(
        _ name: String, repetitions: Int = 10, _ body: (Int) throws -> Void
    ) rethrows {
        for number in 1...max(1, repetitions) { try body(number) }
    }

    /// Runs `body` so many times.
    @_alwaysEmitIntoClient @inline(__always)
    public static func scenario(
        _ name: String, repetitions: Int = 10, isolation: isolated (any Actor)? = #isolation,
        _ body: (Int) async throws -> Void
    ) async rethrows {
        for number in 1...max(1, repetitions) { try await body(number) }
    }

    /// Does nothing and returns false.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func mark(_ name: String) -> Bool { false }

    /// Does nothing and returns false.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func expectDeallocated(
        _ object: AnyObject, file: StaticString = #fileID, line: UInt32 = #line
    ) -> Bool { false }
}

extension Instrumentation.StartError {
    /// Empty.
    @_alwaysEmitIntoClient @inline(__always)
    public var description: String { "" }
}

extension Instrumentation.Finding {
    /// Empty.
    @_alwaysEmitIntoClient @inline(__always)
    public var type: String { "" }

    /// Empty.
    @_alwaysEmitIntoClient @inline(__always)
    public var file: String { "" }

    /// Empty.
    @_alwaysEmitIntoClient @inline(__always)
    public var description: String { "" }
}

/// No tree: an array of nothing, since a conformance of the library's own would leave a symbol in the release.
public typealias ObjectTree = [ObjectTreeNode]

extension [ObjectTreeNode] {
    /// Of what a tree holds.
    public typealias Node = ObjectTreeNode

    /// Reads nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public init(_ object: AnyObject, depth: Int = 12, limit: Int = 1000) { self.init() }

    /// All of it is empty.
    @_alwaysEmitIntoClient @inline(__always)
    public var root: Node { Node() }

    /// Finds nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public func search(_ name: String) -> [String] { [] }

    /// Finds nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public func search<Class: AnyObject>(_ type: Class.Type, subclasses: Bool = true) -> [String] { [] }
}

extension ObjectTree.Node {
    /// Empty.
    @_alwaysEmitIntoClient @inline(__always)
    public var field: String { "" }

    /// Empty.
    @_alwaysEmitIntoClient @inline(__always)
    public var ownership: String { "" }

    /// Empty.
    @_alwaysEmitIntoClient @inline(__always)
    public var type: String { "" }

    /// None.
    @_alwaysEmitIntoClient @inline(__always)
    public var children: [Self] { [] }
}

extension LogLevel {
    /// Nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static var debug: Self { Self() }

    /// Nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static var info: Self { Self() }

    /// Nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static var warning: Self { Self() }

    /// Nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static var error: Self { Self() }
}

extension LogDestination {
    /// Nowhere.
    @_alwaysEmitIntoClient @inline(__always)
    public static var standardError: Self { Self() }

    /// Nowhere.
    @_alwaysEmitIntoClient @inline(__always)
    public static var off: Self { Self() }

    /// Nowhere.
    @_alwaysEmitIntoClient @inline(__always)
    public static func file(_ path: String) -> LogDestination { Self() }
}

extension Instrumentation {
    /// Does nothing and returns false.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func log(to destination: LogDestination, from level: LogLevel = .debug) -> Bool { false }
}

/// Does nothing.
@_alwaysEmitIntoClient @inline(__always)
public func printObjectTree(_ object: AnyObject, depth: Int = 12) {}
#endif
