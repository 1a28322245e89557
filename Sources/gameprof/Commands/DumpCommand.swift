import ArgumentParser
import Foundation
import GameprofBasics
import GameprofTrace

struct DumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Print every record of a trace, one per line.",
        usage: "gameprof dump F.gptrace")

    @OptionGroup var trace: TraceArgument

    /// The position of each record, too: chunk, offset, thread and time. For those who work on the format.
    @Flag(name: .long, help: .hidden)
    var positions = false

    func run() throws {
        let reader = try TraceReader(path: trace.path)
        var output = LineOutput()
        try output.write(TraceDump.line(reader.header))
        try reader.readRecords { record, position in
            try output.write(positions ? TraceDump.line(record, at: position) : TraceDump.line(record))
        }
        try output.flush()
        reader.damage.sentences.forEach(StandardError.say)
        if !reader.header.isFinished { StandardError.say("The recording is incomplete.") }
        if !reader.damage.isNone { throw ExitStatus.toolFailed }
    }
}

/// Lines for standard output, written in large pieces.
private struct LineOutput {
    private var buffer: [UInt8] = []

    mutating func write(_ line: String) throws {
        buffer.append(contentsOf: PlainText.clean(line).utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count > 1 << 16 { try flush() }
    }

    mutating func flush() throws {
        try StandardOutput.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
