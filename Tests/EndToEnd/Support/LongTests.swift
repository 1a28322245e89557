import Foundation

/// Which long tests were asked for, by `make field-test` and `make soak`: `.enabled(if: LongTests.field)`.
enum LongTests {
    /// Other people's programs, viewers and schemas.
    static let field = asked("field")

    /// Repetitions under load.
    static let soak = asked("soak")

    private static func asked(_ kind: String) -> Bool {
        ProcessInfo.processInfo.environment["GAMEPROF_LONG_TESTS"] == kind
    }
}
