import Foundation

/// A stretch of a test in which nothing may be lost.
final class TestScope: Sendable {
    /// What people call it: the test's name.
    let name: String
    /// Its functions stand in this file.
    let file: String
    /// `cards()` of `CardTests.cards()`.
    let function: String

    init(name: String, file: String, function: String) {
        self.name = name
        self.file = file
        self.function = function
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
