// Memory warnings in a build without the trait Instrumented.
#if !Instrumented
internal import CInstrumentationOff

extension Instrumentation {
    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public static func onMemoryWarning(_ handler: @escaping @Sendable () -> Void) -> MemoryWarningHandler { .init() }

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func sendMemoryWarning() {}

    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public static func sendMemoryWarnings(at limit: UInt64? = nil) {}
}

extension Instrumentation.MemoryWarningHandler {
    /// Does nothing.
    @_alwaysEmitIntoClient @inline(__always)
    public func remove() {}
}
#endif
