import GameprofAnalysis
import GameprofBasics

/// The text of `perf script`: a line for each sample, its stack below it, an empty line.
enum PerfScriptExport {
    static func render(_ profile: Profile) -> String {
        var text = ""
        var stacks: [Profile.NodeID: String] = [:]
        for sample in profile.samples {
            let thread = profile.threads[sample.thread]
            if stacks[sample.node] == nil { stacks[sample.node] = stack(of: sample.node, in: profile) }
            let period = sample.weight / UInt64(max(sample.count, 1))
            for time in sample.times {
                text += "\(name(thread.name)) \(thread.id) \(seconds(time)): \(period) task-clock:\n"
                text += stacks[sample.node] ?? ""
                text += "\n"
            }
        }
        return text
    }

    /// Nothing in a profile has an address: a function is given one of its own, for readers that want a number.
    private static func stack(of node: Profile.NodeID, in profile: Profile) -> String {
        profile.path(from: node).map { node in
            let frame = profile.nodes[node.index].frame
            let function = profile.functions[profile.frames[frame.index].function.index]
            let address = String((profile.frames[frame.index].function.index + 1) * 16, radix: 16)
            return "\t\(address) \(PlainText.clean(function.name)) (\(PlainText.clean(function.image)))\n"
        }.joined()
    }

    /// The reader takes the first word that is a number for the process.
    private static func name(_ text: String) -> String {
        PlainText.clean(text).replacing(" ", with: "_")
    }

    private static func seconds(_ nanoseconds: UInt64) -> String {
        let fraction = String(nanoseconds / 1000 % 1_000_000)
        return "\(nanoseconds / 1_000_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
