import GameprofTrace

/// The stacks of a recording's allocations as a profile, and its call tree for the page.
enum AllocationTree {
    /// Nodes that a page can show.
    static let nodeLimit = 6_000

    /// One sample for each of `rows`, the stacks that are named, in their order. Nil: a stack is not in the recording.
    static func profile(
        of recording: Recording, rows: [StackAllocations], symbolicator: any Symbolicating
    ) -> Profile? {
        let thread = ThreadID(0)
        var sampled = recording
        sampled.samples = SampleTable()
        sampled.threadNames = [thread: "allocations"]
        sampled.threadTimes = []
        // The time keeps the rows in their order.
        for (index, row) in rows.enumerated() {
            sampled.samples.add(SampleRecord(stack: row.stack, time: UInt64(index)), thread: thread)
        }
        let profile = ProfileBuilder.build(sampled, symbolicator: symbolicator)
        return profile.samples.count == rows.count ? profile : nil
    }

    /// Linear in the frames of `rows`.
    static func tree(
        of recording: Recording, _ profile: Profile, rows: [StackAllocations]
    ) -> Report.Hotspots.CallTree {
        let tree = CallTree(profile)
        let places = profile.samples.map { tree.places[$0.node.index] }
        let weights = weights(of: tree, rows, places)
        let totals = weights[0].map { Double(max($0, 1)) }
        // By the measure in which it is largest.
        let sizes = weights.map { zip($0, totals).map { Double($0) / $1 }.max() ?? 0 }
        let sorted = sizes.dropFirst().sorted(by: >)
        let least = sorted.count > nodeLimit ? sorted[nodeLimit] : 0
        var writer = CallTreeWriter(profile)
        let kept = writer.add(
            tree, thread: "allocations", kind: "allocations", weights: { weights[$0].map { Int(clamping: $0) } },
            isKept: { sizes[$0] > least })
        addMoments(of: recording, rows, places.map { kept[$0] }, to: &writer.result)
        return writer.result
    }

    private static func weights(of tree: CallTree, _ rows: [StackAllocations], _ places: [Int]) -> [[UInt64]] {
        var weights = [[UInt64]](repeating: [0, 0, 0, 0, 0], count: tree.nodes.count)
        for (row, place) in zip(rows, places) {
            let counts = row.counts
            let own = [counts.bytes, counts.allocations, counts.liveBytes, counts.atPeakBytes, counts.temporary]
            for column in own.indices { weights[place][column] &+= own[column] }
        }
        for index in tree.nodes.indices.dropFirst().reversed() {
            for column in 0..<5 { weights[tree.nodes[index].parent][column] &+= weights[index][column] }
        }
        return weights
    }

    private static func addMoments(
        of recording: Recording, _ rows: [StackAllocations], _ nodes: [Int],
        to result: inout Report.Hotspots.CallTree
    ) {
        let moments = recording.allocations.moments
        let nodeOfStack = Dictionary(zip(rows.map(\.stack), nodes), uniquingKeysWith: { first, _ in first })
        var weights: [MomentKey: (bytes: UInt64, count: UInt64)] = [:]
        for entry in moments.entries {
            guard let node = nodeOfStack[entry.stack] else { continue }
            let key = MomentKey(node: node, part: Int(entry.part))
            weights[key, default: (0, 0)].bytes &+= entry.bytes
            weights[key, default: (0, 0)].count &+= entry.count
        }
        result.moments.seconds = Double(moments.width) / 1e9
        result.moments.entries = weights.sorted { $0.key < $1.key }.map {
            [$0.key.node, $0.key.part, Int(clamping: $0.value.bytes), Int(clamping: $0.value.count)]
        }
    }
}
