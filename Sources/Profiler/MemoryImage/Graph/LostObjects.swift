import CTraceFormat
import GameprofTraceFile

/// The objects that nothing can reach, and their references, as a search for leaks lists them.
struct LostObjects {
    private static let limit = 1_000_000

    private(set) var objects: [HeapObject] = []
    private(set) var references: [HeapReference] = []
    /// More were found than are listed.
    private(set) var isCut = false

    /// Memory without a type is listed only where a lost Swift object holds it: what belongs to C may be named in ways that an
    /// image does not show.
    init(_ graph: BlockGraph, _ image: MemoryImage) {
        let heap = graph.heap
        var number = [UInt32](repeating: 0, count: heap.count)
        var order: [Int] = []
        func list(_ block: Int) -> Bool {
            guard number[block] == 0, !heap.flags[block].contains(.reachable) else { return false }
            order.append(block)
            number[block] = UInt32(order.count)
            return true
        }
        for block in 0..<heap.count where heap.flags[block].contains(.swift) && order.count < Self.limit {
            guard list(block) else { continue }
            var next = [block]
            while let from = next.popLast() {
                for edge in heap.rows[from]..<heap.rows[from + 1] where list(Int(heap.targets[edge])) {
                    next.append(Int(heap.targets[edge]))
                }
            }
        }
        isCut = order.count >= Self.limit
        objects.reserveCapacity(order.count)
        for (index, block) in order.enumerated() {
            let type = graph.type(of: block)
            objects.append(Self.object(index, heap.addresses[block], heap.sizes[block], type, image))
            graph.references(of: block, type) { reference, target in
                guard number[target] != 0 else { return }
                references.append(
                    Self.reference(
                        ObjectID(rawValue: UInt32(index + 1)), ObjectID(rawValue: number[target]), reference, graph))
            }
        }
    }

    private static func object(
        _ index: Int, _ address: UInt64, _ size: UInt64, _ type: ObjectType?, _ image: MemoryImage
    ) -> HeapObject {
        var object = HeapObject(
            id: ObjectID(rawValue: UInt32(index + 1)), flags: [], address: address, size: size, type: type?.id ?? .none)
        guard let type else { return object }
        let counts = ReferenceCounts(of: address, in: image)
        object.flags.insert(.swift)
        if counts.sideTable != 0 { object.flags.insert(.hasSideTable) }
        if counts.isDeiniting { object.flags.insert(.deinited) }
        if counts.isImmortal || type.kind == .task || type.kind == .job { object.flags.insert(.countUnsure) }
        (object.strong, object.unowned, object.weak) = (counts.strong, counts.unowned, counts.weak)
        return object
    }

    private static func reference(
        _ from: ObjectID, _ to: ObjectID, _ found: FoundReference?, _ graph: BlockGraph
    ) -> HeapReference {
        guard let found else { return HeapReference(from: from, to: to, kind: .raw, ownership: .conservative) }
        // The key of a dictionary's value stands in front of the path.
        let label = found.kind == .value && !found.path.isEmpty ? GP_KEY_END + found.path : found.path
        return HeapReference(
            from: from, to: to, kind: found.kind, ownership: found.ownership, label: label,
            offset: UInt32(clamping: found.offset), position: found.position, function: found.function,
            flags: found.isNotWeak ? .notWeak : [], declaredType: graph.number(ofClass: found.declaredBy))
    }
}
