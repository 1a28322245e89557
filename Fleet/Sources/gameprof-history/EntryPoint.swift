import ArgumentParser
import Foundation
import HistoryModel
import HistoryStore

@main
enum EntryPoint {
    static func main() {
        signal(SIGXFSZ, SIG_IGN)
        exit(run())
    }

    /// Exit codes are those of gameprof.
    private static func run() -> Int32 {
        do {
            var command = try HistoryTool.parseAsRoot()
            try command.run()
            return 0
        } catch let status as ToolStatus {
            return status.code
        } catch let error as ResultFileError {
            return fail(error.description, .wrongUsage)
        } catch let error as HistoryFileError {
            return fail(error.description, error.kind == .unreadable ? .wrongUsage : .failed)
        } catch let error as ToolFailure {
            return fail(error.description, error.status)
        } catch {
            let message = HistoryTool.fullMessage(for: error)
            if HistoryTool.exitCode(for: error) == .success {
                print(message)
                return 0
            }
            FileHandle.standardError.write(Data((message + "\n").utf8))
            return ToolStatus.wrongUsage.code
        }
    }

    private static func fail(_ sentence: String, _ status: ToolStatus) -> Int32 {
        FileHandle.standardError.write(Data("gameprof: \(sentence)\n".utf8))
        return status.code
    }
}

/// The exit codes of gameprof.
struct ToolStatus: Error {
    var code: Int32

    static let findings = ToolStatus(code: 1)
    static let wrongUsage = ToolStatus(code: 2)
    static let failed = ToolStatus(code: 4)
}

/// A failure as one sentence.
struct ToolFailure: Error, CustomStringConvertible {
    var status: ToolStatus
    var description: String

    init(_ status: ToolStatus, _ sentence: String) { (self.status, description) = (status, sentence) }
}
