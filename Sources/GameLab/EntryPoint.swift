import ArgumentParser
import Foundation

/// Where `gamelab` starts and ends: 0 when it did what was asked, 2 for wrong usage, 1 for a game that failed.
@main
enum Main {
    static func main() {
        do {
            var command = try GameLabCommand.parseAsRoot()
            try command.run()
        } catch {
            leave(because: error)
        }
    }

    private static func leave(because error: any Error) -> Never {
        if GameLabCommand.exitCode(for: error) == .validationFailure {
            FileHandle.standardError.write(Data((GameLabCommand.fullMessage(for: error) + "\n").utf8))
            exit(2)
        }
        GameLabCommand.exit(withError: error)
    }
}
