import ArgumentParser
import Foundation
import GameprofTrace

@main
enum EntryPoint {
    static func main() {
        SignalForwarding.ignoreFileSizeSignal()
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs the tool and returns its exit code.
    static func run(_ arguments: [String]) -> Int32 {
        do {
            var command = try GameProf.parseAsRoot(try ProgramArguments(arguments).words)
            try command.run()
            return 0
        } catch let status as ExitStatus {
            return status.code
        } catch let error as ToolError {
            StandardError.say(error.description)
            return error.status.code
        } catch let error as TraceError {
            StandardError.say(error.description)
            return ExitStatus.wrongUsage.code
        } catch {
            return answer(error)
        }
    }

    /// Help and version are no errors; what the parser refuses is wrong usage.
    private static func answer(_ error: any Error) -> Int32 {
        let message = GameProf.fullMessage(for: error)
        if GameProf.exitCode(for: error) == .success {
            let isPrinted = (try? StandardOutput.write(message + "\n")) != nil
            return isPrinted ? 0 : ExitStatus.toolFailed.code
        }
        let isParserError = !(error is CocoaError) && !message.isEmpty
        StandardError.write(message + "\n")
        return isParserError ? ExitStatus.wrongUsage.code : ExitStatus.toolFailed.code
    }
}
