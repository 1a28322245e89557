#if Instrumented
public import CRecorderInterface

/// Names the parts of a program's time: intervals, moments, values and frames.
///
/// Where nothing is recorded a probe is a load and a branch (less than 2 ns). Where it is, a probe reads the processor's
/// clock and writes 16 bytes into memory of its own thread: no lock, no allocation, no system call. A name is a literal;
/// `Probe.Name` makes names while the program runs.
///
/// ```swift
/// let moved = Probe.interval("tilt") { puzzle.tilt(to: .up) }
/// ```
///
/// Probes may be nested, and used from any thread. `gameprof` shows each name's count, total, minimum, percentiles and
/// maximum, and when it was busy. An interval that is open when the program ends is counted as never ended.
public enum Probe {
    /// True while what probes say is recorded.
    @_alwaysEmitIntoClient @inline(__always)
    public static var isRecording: Bool { gp_probe_is_on() }

    /// Measures `body`. Allocations that its thread makes meanwhile are counted with it.
    @_alwaysEmitIntoClient @inline(__always)
    public static func interval<Result: ~Copyable, Failure: Error>(
        _ name: StaticString, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try interval(Name(literal: name), body)
    }

    /// Measures `body` under a name that was made while the program runs.
    @_alwaysEmitIntoClient @inline(__always)
    public static func interval<Result: ~Copyable, Failure: Error>(
        _ name: Name, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        gp_probe_begin(name.start, name.count)
        defer { gp_probe_end(name.start, name.count) }
        return try body()
    }

    /// Measures `body` with the time that it is suspended; it may go on in other threads. Its allocations are not
    /// counted with it.
    @_alwaysEmitIntoClient @inline(__always)
    public static func interval<Result: ~Copyable, Failure: Error>(
        _ name: StaticString, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let token = begin(name)
        defer { token.end() }
        return try await body()
    }

    /// Says that an interval ended just now that took `duration`, as something else measured it.
    public static func interval(_ name: Name, lasted duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
        gp_probe_lasted(name.start, name.count, UInt64(min(max(nanoseconds, 0), 1e18)))
    }

    /// Begins an interval that `Token.end()` ends, on this thread or another.
    @_alwaysEmitIntoClient @inline(__always)
    public static func begin(_ name: StaticString) -> Token { begin(Name(literal: name)) }

    /// Begins an interval under a name that was made while the program runs.
    @_alwaysEmitIntoClient @inline(__always)
    public static func begin(_ name: Name) -> Token {
        Token(name: name, ticks: gp_probe_start(name.start, name.count))
    }

    /// Marks a moment.
    @_alwaysEmitIntoClient @inline(__always)
    public static func event(_ name: StaticString) { event(Name(literal: name)) }

    /// Marks a moment under a name that was made while the program runs.
    @_alwaysEmitIntoClient @inline(__always)
    public static func event(_ name: Name) { gp_probe_event(name.start, name.count) }

    /// Says what value something has from now on. Values that are not finite are left out.
    @_alwaysEmitIntoClient @inline(__always)
    public static func counter(_ name: StaticString, _ value: Double) { counter(Name(literal: name), value) }

    /// Says what value something has from now on.
    @_alwaysEmitIntoClient @inline(__always)
    public static func counter(_ name: StaticString, _ value: some BinaryInteger) {
        counter(Name(literal: name), Double(value))
    }

    /// Says what value something has from now on, under a name that was made while the program runs.
    @_alwaysEmitIntoClient @inline(__always)
    public static func counter(_ name: Name, _ value: Double) { gp_probe_counter(name.start, name.count, value) }

    /// Ends a frame of the game loop and begins the next: call it once in each turn. The turns of a loop may run on
    /// different threads, as those of an async function do; loops that run at the same time need names of their own. The
    /// report shows the frame times, and for the slowest frames their probes and allocations, unless they ended on another
    /// thread than they began on.
    @_alwaysEmitIntoClient @inline(__always)
    public static func frame(_ name: StaticString = "frame") {
        let name = Name(literal: name)
        gp_probe_frame(name.start, name.count)
    }
}
#endif
