/// By block: itself, or for a buffer the last block on the way up to what has it.
struct BufferHolders {
    private let ownership: HeapOwnership
    /// Of buffers in buffers, while they are few.
    private var few: [UInt32: UInt32] = [:]
    /// The same by block, where they are many.
    private var many: [UInt32] = []

    init(_ ownership: HeapOwnership) {
        self.ownership = ownership
        let (tree, count) = (ownership.tree, ownership.heap.count)
        for node in tree.preorder.dropFirst() where belongs(node) {
            let above = tree.parent[Int(node)]
            guard belongs(above) else { continue }
            let holder = self[above]
            if many.isEmpty, few.count == count / 32 {
                many = [UInt32](repeating: 0, count: count)
                for (block, holder) in few { many[Int(block)] = holder }
                few = [:]
            }
            if many.isEmpty { few[node] = holder } else { many[Int(node)] = holder }
        }
    }

    /// To the block that dominates it.
    private func belongs(_ block: UInt32) -> Bool {
        ownership.labels[Int(block)] != HeapOwnership.unnamed && ownership.names.isBuffer(block)
    }

    subscript(block: UInt32) -> UInt32 {
        guard belongs(block) else { return block }
        let above = ownership.tree.parent[Int(block)]
        guard belongs(above) else { return above }
        return many.isEmpty ? few[block] ?? above : many[Int(block)]
    }
}
