import CTraceFormat
import GameprofTrace

/// The objects that nothing can reach, chosen ones that live, and their references, as a search for leaks lists them.
struct LostObjects {
    private static let limit = 1_000_000

    private(set) var objects: [HeapObject] = []
    private(set) var references: [HeapReference] = []
    /// Of those that live.
    private(set) var roots: [HeapRoot] = []
    /// All that is lost, where the objects are a sample of it; empty: all are listed.
    private(set) var rows: [HeapCensusRecord] = []
    /// The numbers of the listed objects, by block.
    private var numbers: [Int: UInt32] = [:]

    mutating func mark(_ blocks: [Int], _ flag: HeapObject.Flags) {
        for block in blocks { if let number = numbers[block] { objects[Int(number) - 1].flags.insert(flag) } }
    }

    func id(of block: Int) -> ObjectID { ObjectID(rawValue: numbers[block] ?? 0) }

    /// Memory without a type is listed only where a lost Swift object holds it, for what belongs to C may be named in ways that an
    /// image does not show; of a clone all is listed.
    /// - Parameters:
    ///   - lists: whether what is lost is listed.
    ///   - living: blocks that are listed as well.
    init(_ graph: BlockGraph, _ reached: Reachability, lists: Bool = true, living: [Int], _ clone: FrozenClone? = nil) {
        var order: [BlockMap.Block] = []
        var numbers: [Int: UInt32] = [:]
        func list(_ block: BlockMap.Block) {
            guard !reached.contains(block.number), numbers[block.number] == nil else { return }
            order.append(block)
            numbers[block.number] = UInt32(order.count)
        }
        reached.visitUnreached { block in
            guard lists, clone != nil || reached.isLost(block.number) else { return }
            var next = order.count
            list(block)
            while clone == nil, next < order.count {
                graph.forEachHeld(by: order[next], graph.type(of: order[next])) { list(graph.blocks[$0]) }
                next += 1
            }
        }
        var ownedByOthers: [Int] = []
        if order.count > Self.limit {
            let sample = LostSample(graph, order.map(\.number).sorted(), clone)
            (rows, ownedByOthers) = (sample.rows, sample.ownedByOthers)
            order = sample.chosen.map { graph.blocks[$0] }
            numbers = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1.number, UInt32($0 + 1)) })
        }
        for block in living where numbers[block] == nil {
            order.append(graph.blocks[block])
            numbers[block] = UInt32(order.count)
        }
        self.numbers = numbers
        defer { mark(ownedByOthers, .countUnsure) }
        objects.reserveCapacity(order.count)
        for (index, block) in order.enumerated() {
            let type = graph.type(of: block)
            var object = Self.object(index, block, type, graph.memory)
            if reached.contains(block.number) { object.flags.insert(.reachable) }
            if let entry = clone?.entry(block) { (object.size, object.stack) = (entry.size, entry.stack) }
            objects.append(object)
            graph.forEachReference(of: block, type) { reference, target in
                guard let number = numbers[target] else { return }
                references.append(
                    Self.reference(
                        ObjectID(rawValue: UInt32(index + 1)), ObjectID(rawValue: number), reference, graph))
            }
        }
        guard !living.isEmpty else { return }
        for var root in reached.roots {
            guard let number = numbers[root.object.index - 1] else { continue }
            root.object = ObjectID(rawValue: number)
            roots.append(root)
        }
    }

    private static func object(
        _ index: Int, _ block: BlockMap.Block, _ type: ObjectType?, _ image: MemoryImage
    ) -> HeapObject {
        var object = HeapObject(
            id: ObjectID(rawValue: UInt32(index + 1)), flags: [], address: block.start,
            size: type?.requested(of: block.size) ?? block.size, type: type?.id ?? .none)
        guard let type else { return object }
        let counts = ReferenceCounts(of: block.start, in: image)
        object.flags.insert(.swift)
        if counts.sideTable != 0 { object.flags.insert(.hasSideTable) }
        if counts.isDeiniting { object.flags.insert(.deinited) }
        if counts.isImmortal || !type.isCounted { object.flags.insert(.countUnsure) }
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
            flags: found.flags.union(found.step?.last?.asLast ?? []),
            declaredType: graph.number(ofClass: found.declaredBy), owner: found.step?.last?.owner ?? "")
    }
}
