import Foundation
import Profiler

/// The analyzer, which is a program of its own: it is built from a package of its own, because its parser takes minutes.
enum AnalyzerTool {
    static let name = "gameprof-analyze"

    /// `GAMEPROF_ANALYZER`, else beside this executable, else where `make analyzer` leaves it in the sources of gameprof.
    static func find() throws -> String {
        if let named = ProcessInfo.processInfo.environment["GAMEPROF_ANALYZER"] {
            guard access(named, X_OK) == 0 else {
                throw ToolError(.toolFailed, "GAMEPROF_ANALYZER names \(named), which cannot be run.")
            }
            return named
        }
        var folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        var candidates = [folder.appending(path: name).path]
        for _ in 0..<4 {
            folder.deleteLastPathComponent()
            candidates.append(folder.appending(path: "Analyzer/.build/release/\(name)").path)
        }
        guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw ToolError(
                .toolFailed,
                "\(name) is missing: it should stand beside gameprof. Build it by make analyzer, or name it by "
                    + "GAMEPROF_ANALYZER.")
        }
        return found
    }

    /// Runs it on paths and reads what it prints.
    static func run(_ arguments: [String]) throws -> SuspectList {
        let result: HelperProcess.Result
        do {
            result = try HelperProcess.run(try find(), arguments)
        } catch let error as HelperProcess.NotStarted {
            throw ToolError(.toolFailed, "\(name) cannot be started: \(error).")
        }
        if let signal = result.signal {
            throw ToolError(.toolFailed, "\(name) was ended by signal \(signal).")
        }
        guard result.code == 0 else {
            // It has said why on standard error.
            throw result.code == 2 ? ExitStatus.wrongUsage : ExitStatus.toolFailed
        }
        do {
            return try SuspectListReader.read(result.output)
        } catch {
            throw ToolError(.toolFailed, "\(error)")
        }
    }
}
