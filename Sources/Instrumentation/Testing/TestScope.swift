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
        Test.current?.fullName ?? function
    }

    /// Whether a frame is the test's function or a closure in it.
    func owns(function frame: String, file: String?) -> Bool {
        guard let file, file == self.file || self.file.hasSuffix("/" + file) || file.hasSuffix("/" + self.file) else {
            return false
        }
        let own = function.replacingOccurrences(of: "`", with: "")
        let frame = frame.replacingOccurrences(of: "`", with: "")
        // The name may be the end of a longer one.
        return frame.ranges(of: own).contains { range in
            frame[..<range.lowerBound].last.map { $0.isLetter || $0.isNumber || $0 == "_" } != true
        }
    }
}

extension Test {
    /// What people call it, behind the names of its suites: tests of two suites may have one name.
    var fullName: String {
        // Module.Suite/Inner/name()/File.swift:3:4
        let whole = String(describing: id).drop { $0 != "." }.dropFirst()
        guard let own = whole.range(of: "/\(name)/", options: .backwards) else { return displayName ?? name }
        return whole[..<own.lowerBound].replacing("/", with: ".") + "." + (displayName ?? name)
    }
}
