import ArgumentParser
import Foundation

/// A program that runs with a recorder that waits for `gameprof attach`.
enum DormantProgram {
    /// Becomes the program. What it starts has such a recorder too.
    /// - Throws: `ToolError`: it cannot be run so.
    static func run(_ words: [String], variables: [String: String]) throws -> Never {
        guard let name = words.first, !name.isEmpty else { throw ValidationError("Name the program to run.") }
        let environment = ProcessInfo.processInfo.environment
        let file = try ProgramFile.find(name, environment: environment)
        var child = ChildEnvironment()
        child.preload(try RecordingSession.library(environment))
        child.set("GAMEPROF_DORMANT", to: "1")
        child.set("GAMEPROF_FOLLOW", to: "children")
        for (name, value) in variables { child.set(name, to: value) }
        try ChildProcess.replace(by: file, arguments: Array(words.dropFirst()), environment: child)
    }
}
