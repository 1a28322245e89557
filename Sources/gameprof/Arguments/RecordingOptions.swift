import GameprofBasics

/// Options that say how a program is recorded: they would do nothing where a heap is looked at that is there already.
enum RecordingOptions {
    /// What leaks, heap and footprint have of them.
    static let all: Set = [
        "--follow", "--propagate-exit", "--output", "-o", "--max-trace-size", "--snapshot-at", "--memory-warning-at",
        "--retains", "--arc", "--explain", "--sample", "--guard", "--fail-allocation",
    ]

    /// What a command takes besides for a program or a trace, and not for a process or a core file.
    static let notOfImages: [String: Set<String>] = [
        Instrument.leaks.rawValue: ["--why"], Instrument.heap.rawValue: ["--snapshot"],
    ]

    /// What keeps the trace that a command makes of a process or a core file too.
    static let ofImages: Set = ["--output", "-o"]

    /// - Parameter target: a trace or a core file; nil: the words may name a process.
    /// - Throws: `ToolError` for an option in the words that would do nothing.
    static func refuse(in words: [String], of command: String, lookingAt target: String?) throws {
        let looking = [.leaks, .heap, .time].map(\Instrument.rawValue) + ["footprint", "tasks"]
        guard looking.contains(command) else { return }
        let names = words.prefix { $0 != "--" }.filter { $0.hasPrefix("-") }.map { word in
            String(word.prefix { $0 != "=" })
        }
        guard target != nil || names.contains("--pid") else { return }
        let isTrace = target.map(CheckRun.isTrace) ?? false
        let refused = isTrace ? all : all.union(notOfImages[command] ?? []).subtracting(ofImages)
        guard let option = names.first(where: refused.contains) else { return }
        let what = target ?? "a process that runs already"
        throw ToolError(.wrongUsage, "\(option) controls how a program is recorded; it has no effect on \(what).")
    }
}
