import GameprofAnalysis
import GameprofBasics

/// One line for each stack of each thread: its functions from the outermost inwards, and how many samples (or bytes)
/// it stands for.
enum CollapsedStacks {
    static func render(_ profile: Profile) -> String {
        var weights: [Place: UInt64] = [:]
        for sample in profile.samples {
            let weight = profile.unit == .bytes ? sample.weight : UInt64(sample.count)
            weights[Place(thread: sample.thread, node: sample.node), default: 0] &+= weight
        }
        let lines = weights.map { place, weight in
            ([name(profile.threads[place.thread].name)] + stack(of: place.node, in: profile)).joined(separator: ";")
                + " \(weight)\n"
        }
        return lines.sorted().joined()
    }

    private struct Place: Hashable {
        var thread: Int
        var node: Profile.NodeID
    }

    private static func stack(of node: Profile.NodeID, in profile: Profile) -> [String] {
        profile.path(from: node).reversed().compactMap { profile.function(of: $0).map { name($0.name) } }
    }

    /// The format's own signs cannot be quoted.
    private static func name(_ text: String) -> String {
        PlainText.clean(text).replacing(";", with: ":")
    }
}
