#if Instrumented
extension Instrumentation {
    /// Runs `body` so many times and takes a heap snapshot after each: the report warns of what every repetition leaves
    /// behind. The first repetition is warm-up; at least five are needed for a verdict. `body` receives the number of the
    /// repetition, from 1.
    public static func scenario(
        _ name: String, repetitions: Int = 10, _ body: (Int) throws -> Void
    ) rethrows {
        for number in 1...max(1, repetitions) {
            try body(number)
            snapshot("\(name) #\(number)")
        }
    }

    /// As above, for a body that waits.
    public static func scenario(
        _ name: String, repetitions: Int = 10, isolation: isolated (any Actor)? = #isolation,
        _ body: (Int) async throws -> Void
    ) async rethrows {
        for number in 1...max(1, repetitions) {
            try await body(number)
            snapshot("\(name) #\(number)")
        }
    }
}
#endif
