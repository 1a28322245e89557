import TraceFile

/// The call trees of two profiles laid over each other, functions by name: what a differential flame graph draws. A stack
/// of one profile alone stands in it too, so that nothing that went away is hidden.
public struct ComparedTree: Hashable, Sendable {
    /// A function below its caller.
    public struct Node: Hashable, Sendable {
        /// −1: the root.
        public var parent: Int
        /// An index of `functions`; −1: the root.
        public var function: Int
        /// Weight of it and all that it called.
        public var weight = ProfileComparison.Change()

        /// What its box is as wide as.
        var width: UInt64 { (weight.before &+ weight.after) / 2 }
    }

    /// Callers come first.
    public private(set) var nodes = [Node(parent: -1, function: -1)]
    public private(set) var functions: [Report.Hotspots.CallTree.Function] = []

    private struct Key: Hashable {
        var parent: Int
        var function: Int
    }

    init() {}

    /// Lays the trees of computing threads over each other. Linear in the nodes of both.
    public init(before: Profile, after: Profile) {
        var numbers: [ComparedName: Int] = [:]
        var children: [Key: Int] = [:]
        for (profile, side) in [(before, \ProfileComparison.Change.before), (after, \.after)] {
            let tree = CallTree(profile)
            var places = [Int](repeating: 0, count: tree.nodes.count)
            nodes[0].weight[keyPath: side] = tree.total
            for (index, node) in tree.nodes.enumerated().dropFirst() {
                let described = profile.functions[node.function.index]
                let name = ComparedName(described, in: profile)
                let function = numbers[name] ?? functions.count
                if function == functions.count {
                    numbers[name] = function
                    functions.append(
                        .init(
                            name: described.name, module: described.module,
                            place: SourcePlace.short(file: described.file, line: nil), origin: described.origin))
                }
                let key = Key(parent: places[node.parent], function: function)
                let place = children[key] ?? nodes.count
                if place == nodes.count {
                    children[key] = place
                    nodes.append(Node(parent: key.parent, function: function))
                }
                places[index] = place
                nodes[place].weight[keyPath: side] &+= node.total
            }
        }
    }
}
