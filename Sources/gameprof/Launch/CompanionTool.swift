import Foundation
import GameprofBasics

/// A program of a package of its own that lies beside gameprof: who builds gameprof does not build what it depends on.
struct CompanionTool {
    /// Its executable.
    var name: String
    /// Environment variable that names another one.
    var variable: String
    /// Folder of its package in the sources of gameprof, and the target of `make` that builds it.
    var package: String
    var target: String

    static let analyzer = CompanionTool(
        name: "gameprof-analyze", variable: "GAMEPROF_ANALYZER", package: "Analyzer", target: "analyzer")
    static let history = CompanionTool(
        name: "gameprof-history", variable: "GAMEPROF_HISTORY_TOOL", package: "Fleet", target: "fleet")

    /// What `variable` names, else beside this executable, else where the sources of gameprof build it.
    func find() throws -> String {
        if let named = ProcessInfo.processInfo.environment[variable] {
            guard access(named, X_OK) == 0 else {
                throw ToolError(.toolFailed, "\(variable) is \(named), which cannot be run.")
            }
            return named
        }
        var folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        var candidates = [folder.appending(path: name).path]
        for _ in 0..<4 {
            folder.deleteLastPathComponent()
            candidates.append(folder.appending(path: "\(package)/.build/release/\(name)").path)
        }
        guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw ToolError(
                .toolFailed,
                "\(name) is missing in gameprof's folder. Install the package gameprof-companions, build it with "
                    + "make \(target), or set \(variable).")
        }
        return found
    }

    /// Runs it to its end and returns what it left.
    func run(_ arguments: [String], input: [UInt8] = []) throws -> HelperProcess.Result {
        let result: HelperProcess.Result
        do {
            result = try HelperProcess.run(try find(), arguments, input: input)
        } catch let error as HelperProcess.NotStarted {
            throw ToolError(.toolFailed, "\(name) cannot be started: \(error).")
        }
        if let signal = result.signal { throw ToolError(.toolFailed, "\(name) was ended by signal \(signal).") }
        return result
    }

    /// Becomes this program, with these arguments.
    func replaceProcess(_ arguments: [String]) throws -> Never {
        let path = try find()
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        execv(path, &words)
        throw ToolError(.toolFailed, "\(name) cannot be started: \(String(cString: strerror(errno))).")
    }
}
