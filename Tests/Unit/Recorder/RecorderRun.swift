import Foundation
import GameprofTestSupport
import RecorderLibrary

/// Runs `Tests/Programs/Recorder/Allocations.c`, or another program of that folder, bare or recorded.
struct RecorderRun {
    enum Failure: Error {
        case noLibrary
        case notCompiled(String)
    }

    struct Ending: Equatable {
        var status: Int32
        var signal: Bool
        var output: String
        var errors: String
    }

    static let program = Result { try compile("Allocations.c") }

    let ending: Ending
    let trace: URL

    /// `variables` are added to an environment of PATH alone, and allocations are recorded unless they name instruments.
    /// `prepare` receives the path where the trace will stand.
    init(
        _ arguments: [String], of program: Result<URL, any Error> = Self.program, recorded: Bool = true,
        variables: [String: String] = [:], prepare: (URL) throws -> Void = { _ in }
    ) throws {
        let program = try program.get()
        trace = program.deletingLastPathComponent().appending(path: "\(UUID().uuidString).gptrace")
        try prepare(trace)
        var environment = ["PATH": "/usr/bin:/bin"].merging(variables) { $1 }
        if recorded {
            guard let library = RecorderLibrary.url else { throw Failure.noLibrary }
            environment["GAMEPROF_TRACE"] = trace.path
            environment["GAMEPROF_INSTRUMENTS"] = environment["GAMEPROF_INSTRUMENTS"] ?? "allocations"
            let others = environment["LD_PRELOAD"].map { ":\($0)" } ?? ""
            environment["LD_PRELOAD"] = library.path + others
        }
        ending = try Self.run(program.path, arguments, environment)
    }

    func read() throws -> RecorderTrace {
        try RecorderTrace(trace)
    }

    static func compile(_ file: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gameprof-recorder-\(getpid())/\(file)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = folder.appending(path: "allocations")
        let source = Repository.file("Tests/Programs/Recorder/\(file)").path
        let ending = try run(
            "/usr/bin/env", ["clang", "-O1", "-g", "-D_GNU_SOURCE", "-pthread", source, "-o", program.path], nil)
        guard ending.status == 0 else { throw Failure.notCompiled(ending.errors) }
        return program
    }

    private static func run(
        _ program: String, _ arguments: [String], _ environment: [String: String]?
    ) throws -> Ending {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let outputText = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errorText = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Ending(
            status: process.terminationStatus, signal: process.terminationReason == .uncaughtSignal,
            output: outputText, errors: errorText)
    }
}
