import TraceFile

/// The part of a profile's call trees that can be seen.
enum CallTreeRows {
    /// Nodes of all trees together.
    static let nodeLimit = 12_000

    private struct Tree {
        var thread: String
        var kind: String
        var tree: CallTree
    }

    /// A tree for each of the busiest threads and one for the rest, for computing and for waiting. Nodes are taken from
    /// the largest down until the limit is reached; a node's callers are larger, so that no node hangs in the air.
    static func tree(of profile: Profile, limit: Int = nodeLimit) -> Report.Hotspots.CallTree {
        let trees = trees(of: profile)
        var sizes: [UInt64] = []
        for tree in trees { sizes += tree.tree.nodes.lazy.dropFirst().map(\.total) }
        sizes.sort(by: >)
        let least = sizes.count > limit ? max(sizes[limit], 1) : 1
        var result = Report.Hotspots.CallTree()
        var functions: [Int: Int] = [:]
        for tree in trees {
            var places = [Int](repeating: -1, count: tree.tree.nodes.count)
            places[0] = result.nodes.count
            result.roots.append(.init(thread: tree.thread, node: result.nodes.count, kind: tree.kind))
            result.nodes.append([-1, -1, microseconds(tree.tree.total)])
            for (index, node) in tree.tree.nodes.enumerated().dropFirst() {
                guard node.total > least || (sizes.count <= limit && node.total > 0) else {
                    result.omitted += 1
                    continue
                }
                let function = number(of: node.function, profile, &functions, &result)
                places[index] = result.nodes.count
                result.nodes.append([places[node.parent], function, microseconds(node.total)])
            }
        }
        return result
    }

    private static func trees(of profile: Profile) -> [Tree] {
        var trees: [Tree] = []
        for (kind, name) in [(SampleRecord.Kind.computing, "cpu"), (.waiting, "waiting")] {
            let shown =
                profile.threads.count <= HotspotRows.threadLimit + 1 ? profile.threads.count : HotspotRows.threadLimit
            for index in 0..<shown {
                let tree = CallTree(profile, kind: kind, thread: index)
                if tree.total > 0 { trees.append(Tree(thread: profile.threads[index].name, kind: name, tree: tree)) }
            }
            if shown < profile.threads.count {
                var rest = profile
                rest.samples.removeAll { $0.thread < shown }
                let tree = CallTree(rest, kind: kind)
                let others = "\(Quantity.count(profile.threads.count - shown)) more threads"
                if tree.total > 0 { trees.append(Tree(thread: others, kind: name, tree: tree)) }
            }
        }
        return trees
    }

    private static func number(
        of function: Profile.FunctionID, _ profile: Profile, _ known: inout [Int: Int],
        _ result: inout Report.Hotspots.CallTree
    ) -> Int {
        if let number = known[function.index] { return number }
        let described = profile.functions[function.index]
        result.functions.append(
            .init(
                name: described.name, module: described.module,
                place: SourcePlace.short(file: described.file, line: nil),
                origin: described.origin))
        known[function.index] = result.functions.count - 1
        return result.functions.count - 1
    }

    private static func microseconds(_ nanoseconds: UInt64) -> Int { Int(clamping: (nanoseconds &+ 500) / 1000) }
}
