import Foundation
import GameprofTestSupport

/// The comparing preload library and its plugins, compiled once for all tests from the sources beside them.
struct UnwindBuild {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Outcome {
        let text: String
        let counts: [String: Int]
    }

    static let shared = Result { try UnwindBuild() }

    let folder: URL
    /// What the compiler needs for the unwinder and the least of a recorder.
    private let parts: [String]
    private let root: URL
    private var programs: URL { root.appending(path: "Tests/Programs/Unwind") }

    init() throws {
        root = Repository.root
        folder = FileManager.default.temporaryDirectory.appending(path: "gameprof-unwind-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let sources =
            try RecorderSources.files(of: "Unwind") + RecorderSources.files(of: "CFI")
            + RecorderSources.files(of: "Modules") {
                $0.hasPrefix("image") || $0 == "loaded_object.c"
            }
            + ["OS/own_stack.c", "OS/recording_state.c", "OS/safe_read.c"].map(RecorderSources.file)
            + RecorderSources.files(of: "Arch") + RecorderSources.files(of: "Arch/x86_64")
        let recorder = root.appending(path: "Tests/Programs/Unwind/Recorder.c").path
        parts =
            ["-std=gnu11", "-O2", "-fno-omit-frame-pointer"] + RecorderSources.includes + sources + [recorder]
        try run(
            ["clang", "-fPIC", "-shared"] + parts
                + [programs.appending(path: "Comparison.c").path, "-o", folder.appending(path: "comparison.so").path])
        for (name, room) in [("small", 48), ("large", 400)] {
            try run([
                "clang", "-O2", "-fomit-frame-pointer", "-fPIC", "-shared", "-DROOM=\(room)",
                programs.appending(path: "Plugin.c").path, "-o", folder.appending(path: "\(name).so").path,
            ])
        }
    }

    /// Compiles one of the programs; its path.
    func compile(_ command: [String], _ source: String) throws -> URL {
        let name = (command + [source]).joined().filter { $0.isLetter || $0.isNumber }
        let program = folder.appending(path: name)
        try run(command + [programs.appending(path: source).path, "-o", program.path])
        return program
    }

    /// Unwinds through the entries of hooked functions; what went wrong.
    func unwindHooks() throws -> String {
        let program = folder.appending(path: "hooks")
        let entries = ["Arch/hook_list.c", "Arch/x86_64/hook_entries.c"].map(RecorderSources.file)
        try run(
            ["clang", "-std=gnu11", "-O2"] + RecorderSources.includes + entries
                + [programs.appending(path: "Hooks.c").path, "-o", program.path])
        return try run([program.path])
    }

    /// Compiles one of the programs together with the unwinder, which it calls itself.
    func compileWithUnwinder(_ source: String) throws -> URL {
        let program = folder.appending(path: "with-unwinder-\(source).program")
        try run(["clang"] + parts + [programs.appending(path: source).path, "-o", program.path])
        return program
    }

    /// Runs `program` under the comparing library; what it counted.
    func compare(_ program: URL) throws -> Outcome {
        try run(program, environment: ["LD_PRELOAD=\(folder.path)/comparison.so"])
    }

    /// Runs `program`; what it counted.
    func run(_ program: URL, environment: [String] = []) throws -> Outcome {
        let text = try run(["env"] + environment + [program.path, folder.path])
        let words = text.split(separator: "\n").last { $0.hasPrefix("compared ") }?.split(separator: " ") ?? []
        var counts: [String: Int] = [:]
        for index in stride(from: 0, to: words.count - 1, by: 2) {
            counts[String(words[index])] = Int(words[index + 1])
        }
        return Outcome(text: text, counts: counts)
    }

    /// Runs a command to its end; its standard error.
    @discardableResult private func run(_ command: [String]) throws -> String {
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let line = command.joined(separator: " ")
            throw Failure(description: "\(line) ended with \(process.terminationStatus): \(text)")
        }
        return text
    }
}
