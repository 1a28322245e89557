import GameprofTrace

/// What each function, and each line of it, took: itself and with all that it called. A function that calls itself
/// counts once.
public struct FunctionTotals: Sendable {
    /// Times in nanoseconds.
    public struct Times: Hashable, Sendable {
        /// In the function itself.
        public var own: UInt64 = 0
        /// In it and all that it called.
        public var total: UInt64 = 0
    }

    /// By index of `profile.functions`.
    public private(set) var functions: [Times]
    /// By index of `profile.frames`: what a line took.
    public private(set) var lines: [Times]
    /// Nanoseconds of all samples.
    public private(set) var total: UInt64 = 0

    /// Sums up the samples of one kind. Linear in samples and nodes.
    public init(_ profile: Profile, kind: SampleRecord.Kind = .computing) {
        var weights = [UInt64](repeating: 0, count: profile.nodes.count)
        for sample in profile.samples where sample.kind == kind { weights[sample.node.index] &+= sample.weight }
        self.init(profile, own: weights)
    }

    /// Sums up what nodes weigh without what they called. Linear in nodes.
    init(_ profile: Profile, own: [UInt64]) {
        functions = Array(repeating: Times(), count: profile.functions.count)
        lines = Array(repeating: Times(), count: profile.frames.count)
        var weights = own
        total = weights.reduce(0, &+)
        for index in weights.indices.dropFirst() {
            let frame = profile.nodes[index].frame
            lines[frame.index].own &+= weights[index]
            functions[profile.frames[frame.index].function.index].own &+= weights[index]
        }
        for index in weights.indices.dropFirst().reversed() {
            weights[profile.nodes[index].parent.index] &+= weights[index]
        }
        addTotals(of: profile, weights)
    }

    /// The functions that took something, the most in themselves first, and how many the list leaves out. It is cut by what
    /// functions took themselves, and for a third by what they took with all that they called: callers of everything would
    /// otherwise be lost.
    func largest(
        of profile: Profile, limit: Int, where isListed: (Int) -> Bool = { _ in true }
    ) -> (shown: [Int], omitted: Int) {
        let used = functions.indices.filter { functions[$0].total > 0 && isListed($0) }
        let order = used.sorted {
            (functions[$1].own, functions[$1].total, profile.functions[$0].name)
                < (functions[$0].own, functions[$0].total, profile.functions[$1].name)
        }
        let byTotal = used.sorted { functions[$1].total < functions[$0].total }
        let kept = Set(order.prefix(limit * 2 / 3)).union(byTotal.prefix(limit / 3))
        let shown = order.filter(kept.contains)
        return (shown, used.count - shown.count)
    }

    /// By function, what each of its lines took. Frames of the same line are one.
    func linesOfFunctions(_ profile: Profile) -> [Int: [Int: Times]] {
        var result: [Int: [Int: Times]] = [:]
        for (index, frame) in profile.frames.enumerated() where lines[index].total > 0 {
            guard let line = frame.line else { continue }
            result[frame.function.index, default: [:]][line, default: Times()].own &+= lines[index].own
            result[frame.function.index, default: [:]][line, default: Times()].total &+= lines[index].total
        }
        return result
    }

    /// Walks the tree and gives each node's weight to its function and its line, unless a caller of it is the same.
    private mutating func addTotals(of profile: Profile, _ weights: [UInt64]) {
        var firstChild = [Int](repeating: 0, count: weights.count)
        var sibling = [Int](repeating: 0, count: weights.count)
        for index in weights.indices.dropFirst().reversed() {
            let parent = profile.nodes[index].parent.index
            sibling[index] = firstChild[parent]
            firstChild[parent] = index
        }
        var activeFunctions = [UInt32](repeating: 0, count: functions.count)
        var activeLines = [UInt32](repeating: 0, count: lines.count)
        var node = firstChild[0]
        while node != 0 {
            let line = profile.nodes[node].frame.index
            let function = profile.frames[line].function.index
            if activeFunctions[function] == 0 { functions[function].total &+= weights[node] }
            if activeLines[line] == 0 { lines[line].total &+= weights[node] }
            activeFunctions[function] += 1
            activeLines[line] += 1
            if firstChild[node] != 0 {
                node = firstChild[node]
                continue
            }
            while node != 0 {
                let line = profile.nodes[node].frame.index
                activeFunctions[profile.frames[line].function.index] -= 1
                activeLines[line] -= 1
                if sibling[node] != 0 {
                    node = sibling[node]
                    break
                }
                node = profile.nodes[node].parent.index
            }
        }
    }
}
