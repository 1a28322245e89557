/// The user's function that cost most. Standard library and generic helpers take their time on behalf of the function that calls
/// them, so that it counts as the user's nearest caller's.
struct HottestFunction {
    private struct Cost {
        var own: UInt64 = 0
        var total: UInt64 = 0
        /// By the library's function that was interrupted.
        var called: [Int: UInt64] = [:]
        /// By the line of the user's function.
        var lines: [Int: UInt64] = [:]
    }

    private let profile: Profile
    private var costs: [Int: Cost] = [:]
    private var total: UInt64 = 0

    /// Linear in samples and nodes.
    init(_ profile: Profile) {
        self.profile = profile
        var weights = [UInt64](repeating: 0, count: profile.nodes.count)
        for sample in profile.samples where sample.kind == .computing {
            weights[sample.node.index] &+= sample.weight
            total &+= sample.weight
        }
        // The user's nearest frame at or above each node; callers come before their callees.
        var nearest = [Int](repeating: 0, count: profile.nodes.count)
        for index in profile.nodes.indices.dropFirst() {
            let node = profile.nodes[index]
            let function = profile.frames[node.frame.index].function.index
            let isUsers = profile.functions[function].origin == .user && !profile.functions[function].isProgramStart
            nearest[index] = isUsers ? index : nearest[node.parent.index]
            if weights[index] > 0 { add(weights[index], to: nearest[index], in: isUsers ? nil : function) }
        }
    }

    private mutating func add(_ weight: UInt64, to node: Int, in library: Int?) {
        guard node > 0 else { return }
        let frame = profile.frames[profile.nodes[node].frame.index]
        costs[frame.function.index, default: Cost()].total &+= weight
        if let library {
            costs[frame.function.index, default: Cost()].called[library, default: 0] &+= weight
        } else {
            costs[frame.function.index, default: Cost()].own &+= weight
        }
        if let line = frame.line { costs[frame.function.index, default: Cost()].lines[line, default: 0] &+= weight }
    }

    /// Nil where no sample has a function of the user's.
    /// - Parameter share: of all samples, from nanoseconds and those of all samples.
    func row(share: (UInt64, Double) -> Double) -> Report.Hotspots.HotFunction? {
        guard
            let (index, cost) = costs.max(by: {
                ($0.value.total, profile.functions[$1.key].name) < ($1.value.total, profile.functions[$0.key].name)
            })
        else { return nil }
        let function = profile.functions[index]
        let unit = Double(max(total, 1))
        let line = cost.lines.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        var row = Report.Hotspots.HotFunction(
            function: function.name, module: function.module, file: function.file, line: line,
            share: share(cost.total, unit))
        let most = cost.called.max {
            ($0.value, profile.functions[$1.key].name) < ($1.value, profile.functions[$0.key].name)
        }
        if let most, most.value > cost.own {
            let called = profile.functions[most.key]
            row.called = .init(function: called.name, module: called.module, share: share(most.value, unit))
        }
        return row
    }
}
