import Foundation
import GameprofBasics
import GameprofTrace

/// The file of the program to record, found as `execvp` finds it and checked before it is run.
struct ProgramFile {
    /// What the user wrote.
    let name: String
    /// Path of the file.
    let path: String

    /// - Throws: `ToolError` with one sentence when the program cannot be started or not be recorded.
    static func find(_ name: String, environment: [String: String]) throws -> ProgramFile {
        let path = try locate(name, environment)
        var status = stat()
        guard stat(path, &status) == 0 else { throw refusal("\(name) cannot be run: \(systemReason()).") }
        if status.st_mode & S_IFMT == S_IFDIR { throw refusal("\(name) is a folder, not a program.") }
        if status.st_mode & S_IFMT != S_IFREG { throw refusal("\(name) is not a regular file.") }
        if access(path, X_OK) != 0 { throw refusal("\(name) is not executable.") }
        try check(path, name: name, mode: status.st_mode)
        return ProgramFile(name: name, path: path)
    }

    /// - Throws: `ToolError` when the program contains a recorder, which sees no files: as its symbols say. A stripped program says so
    ///   once it has run.
    func checkSeesFiles() throws {
        guard let file = try? ELFFile(path: path),
            !ELFSymbols(file, of: .variables).addresses(of: ["gp_files_instrument"]).isEmpty
        else { return }
        throw Self.refusal(
            "\(name) contains the linked recorder, which does not see files; build it without --traits Profiling.")
    }

    /// What ends like the files of this tool is a mistyped command, not a program of the search path.
    private static let ownEndings = [".gptrace", ".json", ".html", ".yml", ".yaml", ".sarif"]

    private static func locate(_ name: String, _ environment: [String: String]) throws -> String {
        if name.contains("/") {
            if access(name, F_OK) != 0, errno == ENOENT || errno == ENOTDIR {
                // What stood there in place of a byte that is none of UTF-8.
                let isRepaired = name.unicodeScalars.contains("\u{FFFD}")
                throw refusal(
                    isRepaired ? "\(name) is a path that is not UTF-8, or does not exist." : "\(name) does not exist.")
            }
            return name
        }
        if ownEndings.contains(where: name.hasSuffix) {
            throw ToolError(.wrongUsage, "\(name) is not a program; write ./\(name) to run a program with that name.")
        }
        let folders = (environment["PATH"] ?? "/bin:/usr/bin").split(separator: ":", omittingEmptySubsequences: false)
        var unusable: String?
        for folder in folders {
            let path = folder.isEmpty ? "./\(name)" : "\(folder)/\(name)"
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            if access(path, X_OK) == 0 { return path }
            unusable = unusable ?? path
        }
        if let unusable { return unusable }
        let isHere = access(name, F_OK) == 0
        throw refusal(
            "\(name) does not exist on the search path\(isHere ? "; write ./\(name) for the one in this folder" : "").")
    }

    /// Scripts that the kernel runs by each other (`exec_binprm`).
    private static let interpretersMost = 5

    /// Refuses what a preloaded recorder cannot enter. A script is run; its interpreter is what gets recorded.
    private static func check(_ path: String, name: String, mode: mode_t, scripts: Int = 0) throws {
        if let interpreter = interpreter(ofScript: path) {
            guard scripts < interpretersMost else {
                throw refusal("\(name) is a script whose chain of interpreter scripts is too long for the kernel.")
            }
            guard access(interpreter, X_OK) == 0 else {
                throw refusal("\(name) is a script whose interpreter \(interpreter) cannot be run.")
            }
            return try check(interpreter, name: interpreter, mode: 0, scripts: scripts + 1)
        }
        let linked = "link the GameInstrumentation product of GameProfiler into the program instead"
        let file: ELFFile
        do {
            file = try ELFFile(path: path)
        } catch ELFFile.Problem.unreadable(let reason) {
            throw refusal("\(name) cannot be read: \(reason).")
        } catch ELFFile.Problem.notLittleEndian64 {
            throw refusal("\(name) is not a 64-bit program, so it cannot be recorded.")
        } catch {
            throw refusal("\(name) is not a program: it is neither an ELF file nor a script.")
        }
        guard file.machine == ELFFile.ownMachine else {
            throw refusal("\(name) was built for another processor, so it cannot be recorded.")
        }
        if mode & (S_ISUID | S_ISGID) != 0 {
            throw refusal("\(name) is setuid or setgid, so nothing can be preloaded into it; \(linked).")
        }
        guard file.interpreter != nil else {
            throw refusal("\(name) is fully static, so nothing can be preloaded into it; \(linked).")
        }
    }

    /// The interpreter of a file that begins with `#!`.
    private static func interpreter(ofScript path: String) -> String? {
        guard let start = RegularFile.prefix(path, count: 256), start.prefix(2) == Data("#!".utf8) else { return nil }
        let line = start.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\t" }).first
            .map(String.init) ?? ""
    }

    private static func refusal(_ sentence: String) -> ToolError { ToolError(.programNotStarted, sentence) }
}
