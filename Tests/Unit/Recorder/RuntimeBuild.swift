import Foundation
import GameprofTestSupport

/// The preload library that says what the recorder recognises, compiled once for all tests, and programs that run under it.
struct RuntimeBuild {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let shared = Result { try RuntimeBuild() }

    let programs: URL
    let folder: URL

    init() throws {
        let root = Repository.root
        programs = root.appending(path: "Tests/Programs/Runtime")
        folder = FileManager.default.temporaryDirectory.appending(path: "gameprof-runtime-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let runtime =
            try ["SwiftABI", "Modules", "CFI", "Arch", "Arch/x86_64"].flatMap { try RecorderSources.files(of: $0) }
        let memory = ["OS/arena.c", "OS/mapping.c", "Trace/live_table.c"].map(RecorderSources.file)
        try Self.run(
            // What a decoder forgets to set is not zero by chance.
            [
                "clang", "-std=gnu11", "-O2", "-g", "-fno-omit-frame-pointer", "-ftrivial-auto-var-init=pattern",
                "-fPIC", "-shared",
            ]
                + RecorderSources.includes + runtime + memory
                + [programs.appending(path: "Dump.c").path, "-o", folder.appending(path: "dump.so").path])
    }

    /// What `source` prints when it is compiled by `compiler` and run under the library.
    func output(of source: String, compiledBy compiler: [String]) throws -> String {
        let program = folder.appending(path: (compiler + [source]).joined().filter { $0.isLetter || $0.isNumber })
        try Self.run(compiler + [programs.appending(path: source).path, "-o", program.path])
        return try Self.run(
            ["env", "SWIFT_DETERMINISTIC_HASHING=1", "LD_PRELOAD=\(folder.path)/dump.so", program.path])
    }

    /// Runs a command to its end; its standard output.
    @discardableResult static func run(_ command: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let line = command.joined(separator: " ")
            throw Failure(description: "\(line) ended with \(process.terminationStatus): \(text)")
        }
        return text
    }
}
