import GameprofBasics
import GameprofTrace

/// The part of a profile's call trees that can be seen.
enum CallTreeRows {
    /// Nodes of all trees together.
    static let nodeLimit = 12_000

    /// Equal parts of the run for which weights are kept.
    private static let parts = 4096

    private struct Tree {
        var thread: String
        var kind: SampleRecord.Kind
        var tree: CallTree
        var profile: Profile
        /// Nil: all.
        var index: Int?
    }

    /// A tree for each of the busiest threads and one for the rest, for computing and for waiting. Nodes are taken from
    /// the largest down until the limit is reached; a node's callers are larger, so that no node hangs in the air.
    static func tree(of profile: Profile, limit: Int = nodeLimit) -> Report.Hotspots.CallTree {
        let trees = trees(of: profile)
        var sizes: [UInt64] = []
        for tree in trees { sizes += tree.tree.nodes.lazy.dropFirst().map(\.total) }
        sizes.sort(by: >)
        let least = sizes.count > limit ? max(sizes[limit], 1) : 1
        let width = profile.wall / UInt64(parts) + 1
        var writer = CallTreeWriter(profile)
        writer.result.moments.seconds = Double(width) / 1e9
        for tree in trees {
            let places = writer.add(
                tree.tree, thread: tree.thread, kind: tree.kind == .computing ? "cpu" : "waiting",
                weights: { [microseconds(tree.tree.nodes[$0].total)] },
                isKept: { node in
                    let total = tree.tree.nodes[node].total
                    return total > least || (sizes.count <= limit && total > 0)
                })
            addMoments(of: tree, places, width: width, to: &writer.result)
        }
        return writer.result
    }

    private static func addMoments(
        of tree: Tree, _ places: [Int], width: UInt64, to result: inout Report.Hotspots.CallTree
    ) {
        var weights: [MomentKey: UInt64] = [:]
        for sample in tree.profile.samples
        where sample.kind == tree.kind && (tree.index == nil || sample.thread == tree.index) {
            let node = places[tree.tree.places[sample.node.index]]
            let each = sample.weight / UInt64(max(sample.count, 1))
            for time in sample.times {
                let part = Int(clamping: min(time / width, UInt64(parts - 1)))
                weights[MomentKey(node: node, part: part), default: 0] &+= each
            }
        }
        result.moments.entries += weights.sorted { $0.key < $1.key }.map {
            [$0.key.node, $0.key.part, microseconds($0.value)]
        }
    }

    private static func trees(of profile: Profile) -> [Tree] {
        var trees: [Tree] = []
        for kind in [SampleRecord.Kind.computing, .waiting] {
            let shown =
                profile.threads.count <= HotspotSectionBuilder.threadLimit + 1
                ? profile.threads.count : HotspotSectionBuilder.threadLimit
            for index in 0..<shown {
                let tree = CallTree(profile, kind: kind, thread: index)
                guard tree.total > 0 else { continue }
                trees.append(
                    Tree(thread: profile.threads[index].name, kind: kind, tree: tree, profile: profile, index: index))
            }
            if shown < profile.threads.count {
                var rest = profile
                rest.samples.removeAll { $0.thread < shown }
                let tree = CallTree(rest, kind: kind)
                let others = "\(NumberFormat.count(profile.threads.count - shown, "more thread"))"
                if tree.total > 0 { trees.append(Tree(thread: others, kind: kind, tree: tree, profile: rest)) }
            }
        }
        return trees
    }

    private static func microseconds(_ nanoseconds: UInt64) -> Int { Int(clamping: (nanoseconds &+ 500) / 1000) }
}

/// A node in a part of the run.
struct MomentKey: Hashable, Comparable {
    var node: Int
    var part: Int

    static func < (left: Self, right: Self) -> Bool { (left.part, left.node) < (right.part, right.node) }
}

/// Writes the nodes of call trees that can be seen.
struct CallTreeWriter {
    private let profile: Profile
    private var functions: [Int: Int] = [:]
    var result = Report.Hotspots.CallTree()

    init(_ profile: Profile) { self.profile = profile }

    /// Adds the nodes of a tree that are kept, and returns the place of each in the result: of one that is left out its
    /// caller's. `weights`: of a node with all that it called.
    mutating func add(
        _ tree: CallTree, thread: String, kind: String, weights: (Int) -> [Int], isKept: (Int) -> Bool
    ) -> [Int] {
        var places = [Int](repeating: -1, count: tree.nodes.count)
        var isIn = [Bool](repeating: false, count: tree.nodes.count)
        (places[0], isIn[0]) = (result.nodes.count, true)
        result.roots.append(.init(thread: thread, node: result.nodes.count, kind: kind))
        result.nodes.append([-1, -1] + weights(0))
        for (index, node) in tree.nodes.enumerated().dropFirst() {
            guard isIn[node.parent], isKept(index) else {
                result.omitted += 1
                places[index] = places[node.parent]
                continue
            }
            let function = number(of: node.function)
            (places[index], isIn[index]) = (result.nodes.count, true)
            result.nodes.append([places[node.parent], function] + weights(index))
        }
        return places
    }

    private mutating func number(of function: Profile.FunctionID) -> Int {
        if let known = functions[function.index] { return known }
        let described = profile.functions[function.index]
        result.functions.append(
            .init(
                name: described.name, module: described.module,
                place: SourceLocation.short(file: described.file, line: nil),
                origin: described.origin))
        functions[function.index] = result.functions.count - 1
        return result.functions.count - 1
    }
}
