/// What each node of a tree has directly below it.
struct TreeChildren {
    private var rows: [UInt32]
    private var items: [UInt32]

    /// - Parameters:
    ///   - nodes: in the order in which they stand below their parents.
    ///   - parents: by node.
    init(of nodes: some Collection<UInt32>, parents: [UInt32]) {
        var rows = [UInt32](repeating: 0, count: parents.count + 2)
        for node in nodes { rows[Int(parents[Int(node)]) + 2] += 1 }
        for i in 2..<rows.count { rows[i] += rows[i - 1] }
        var items = [UInt32](repeating: 0, count: nodes.count)
        for node in nodes {
            let row = Int(parents[Int(node)]) + 1
            items[Int(rows[row])] = node
            rows[row] += 1
        }
        rows.removeLast()
        (self.rows, self.items) = (rows, items)
    }

    subscript(_ node: UInt32) -> ArraySlice<UInt32> { items[Int(rows[Int(node)])..<Int(rows[Int(node) + 1])] }
}
