import ArgumentParser
import Foundation

struct McpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Serve an editor or an agent: record, report, why, tasks, diff as tools (Model Context Protocol).",
        discussion: """
            Speaks the protocol over standard input and output, one message a line, until standard input ends. It runs \
            programs and reads processes with the rights of the user who started it, and opens no port.
            """)

    func run() throws {
        // Frames stand where they belong in this version, so that a part of a report is whole.
        setenv("GAMEPROF_JSON_VERSION", "1", 1)
        let server = ToolServer(tools: ProfilerTool.all, version: GameProf.toolVersion)
        while let line = readLine(strippingNewline: true) {
            guard !line.isEmpty, let answer = server.answer(to: Data(line.utf8)) else { continue }
            FileHandle.standardOutput.write(answer + Data([UInt8(ascii: "\n")]))
        }
    }
}
