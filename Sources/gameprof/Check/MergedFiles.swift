import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofCheck
import GameprofReport

/// Reads the files that are to be joined, one at a time.
struct MergedFiles {
    var output: ReportOutput

    private struct Head: Decodable { var schema: String }

    private static func contents(_ path: String) throws -> Data {
        guard let data = InputFile.contents(path) else {
            throw ToolError(.wrongUsage, "\(path) cannot be read.")
        }
        return data
    }

    /// A trace or a report; false: the result of a check.
    static func isReport(_ path: String) throws -> Bool {
        guard access(path, R_OK) == 0 else { throw ToolError(.wrongUsage, "\(path) cannot be read.") }
        if CheckRun.isTrace(path) { return true }
        let data = try contents(path)
        if data.isEmpty { throw ToolError(.wrongUsage, "\(path) is empty.") }
        switch (try? JSONDecoder().decode(Head.self, from: data))?.schema {
        case "gameprof-report": return true
        case "gameprof-check": return false
        default: throw ToolError(.wrongUsage, "\(path) is not a trace, a report or a result of gameprof check.")
        }
    }

    static func checkResult(_ path: String) throws -> CheckResult {
        let data = try contents(path)
        if let number = JSONNumbers.excessive(in: String(decoding: data, as: UTF8.self)) {
            throw ToolError(.wrongUsage, "\(path): the number \(number) is not valid in a result.")
        }
        guard let result = try? JSONDecoder().decode(CheckResult.self, from: data), result.version == 1 else {
            throw ToolError(.wrongUsage, "\(path) is damaged, or not a result of this version of gameprof check.")
        }
        return result
    }

    /// The joined report. A file that is named twice is an error: its findings would count twice.
    func merge(_ paths: [String]) throws -> Report {
        var names: Set<String> = []
        var merged = MergedReport()
        // In the order of the names, so that of several bad files always the same is named.
        for path in paths.sorted() {
            guard names.insert(path).inserted else { throw ToolError(.wrongUsage, "\(path) is named twice.") }
            merged.add(try read(path), named: path)
        }
        guard let report = merged.report else { throw ToolError(.wrongUsage, "There is nothing to join.") }
        guard JSONNumbers.excessive(in: try JSONReport.render(report)) == nil else {
            throw ToolError(.wrongUsage, "The files cannot be joined, because a sum of their numbers is out of range.")
        }
        return report
    }

    private func read(_ path: String) throws -> Report {
        if CheckRun.isTrace(path) {
            var options = ReportOptions()
            options.heapSnapshot = .last
            options.typeRows = 5_000
            options.allocationRows = 2_000
            options.functionRows = 2_000
            return try output.build(from: path, reportOptions: options)
        }
        do {
            return try JSONReport.read(String(decoding: try Self.contents(path), as: UTF8.self))
        } catch let error as ToolError {
            throw error
        } catch let error as ReportError {
            throw ToolError(.wrongUsage, "\(path): \(error)")
        } catch {
            throw ToolError(.wrongUsage, "\(path) is a damaged report.")
        }
    }
}
