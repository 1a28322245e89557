import Foundation
import Testing

/// A stretch of a test in which nothing may be lost.
final class TestScope: Sendable {
    /// What people call it: the test's name.
    let name: String
    /// Its functions stand in this file.
    let file: String
    /// `cards()` of `CardTests.cards()`.
    let function: String
    let started = Date()

    init(name: String, file: String, function: String) {
        self.name = name
        self.file = file
        self.function = function
    }

    /// What people call the test that runs: with Swift Testing its name, else that of the function.
    static func nameOfTest(or function: String) -> String {
        Test.current.map { $0.displayName ?? $0.name } ?? function
    }

    /// Whether a frame is the test's function or a closure in it.
    func owns(function frame: String, file: String?) -> Bool {
        guard let file, file == self.file || self.file.hasSuffix("/" + file) || file.hasSuffix("/" + self.file) else {
            return false
        }
        let own = function.replacingOccurrences(of: "`", with: "")
        return frame.replacingOccurrences(of: "`", with: "").contains(own)
    }
}
