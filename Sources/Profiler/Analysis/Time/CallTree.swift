import GameprofTrace

/// The samples of a profile summed up by stacks of functions: what a flame graph draws. Lines are not told apart.
public struct CallTree: Sendable {
    /// A function below its caller.
    public struct Node: Hashable, Sendable {
        public var parent: Int
        /// None for the root.
        public var function: Profile.FunctionID
        /// Nanoseconds in the function itself.
        public var own: UInt64
        /// Nanoseconds in it and all that it called.
        public var total: UInt64
    }

    /// The first is the root. Parents come before their children.
    public private(set) var nodes = [Node(parent: -1, function: Profile.FunctionID(-1), own: 0, total: 0)]
    /// The node of each node of the profile; −1: no sample stands below it.
    private(set) var places: [Int]
    private var children: [Key: Int] = [:]

    private struct Key: Hashable {
        var parent: Int
        var function: Profile.FunctionID
    }

    /// Sums up the samples of one kind, of one thread (its index in `profile.threads`) or of all. Linear in samples and
    /// nodes.
    public init(_ profile: Profile, kind: SampleRecord.Kind = .computing, thread: Int? = nil) {
        places = Array(repeating: -1, count: profile.nodes.count)
        places[0] = 0
        for sample in profile.samples where sample.kind == kind && (thread == nil || sample.thread == thread) {
            let place = place(of: sample.node, in: profile)
            nodes[place].own &+= sample.weight
        }
        for index in nodes.indices { nodes[index].total = nodes[index].own }
        for index in nodes.indices.dropFirst().reversed() {
            nodes[nodes[index].parent].total &+= nodes[index].total
        }
    }

    private mutating func place(of node: Profile.NodeID, in profile: Profile) -> Int {
        var missing: [Int] = []
        var next = node.index
        while places[next] < 0 {
            missing.append(next)
            next = profile.nodes[next].parent.index
        }
        var place = places[next]
        for index in missing.reversed() {
            let function = profile.frames[profile.nodes[index].frame.index].function
            place = child(of: place, function)
            places[index] = place
        }
        return place
    }

    private mutating func child(of parent: Int, _ function: Profile.FunctionID) -> Int {
        let key = Key(parent: parent, function: function)
        if let known = children[key] { return known }
        nodes.append(Node(parent: parent, function: function, own: 0, total: 0))
        children[key] = nodes.count - 1
        return nodes.count - 1
    }

    /// Nanoseconds of all samples.
    public var total: UInt64 { nodes[0].total }
}
