import GameprofBasics
import GameprofTrace

/// Who holds the continuations for which tasks wait. A continuation is the address of its task; the checked one stands in an object
/// of its own (`CheckedContinuationCanary`).
struct ContinuationHolders {
    private let graph: BlockGraph
    private let heap: LiveHeap
    private let reached: Reachability
    private let tasks: [AsyncTask]
    /// By block: the task whose memory it is.
    private var owners: [Int: Int] = [:]
    /// By task: the blocks of its memory.
    private var memory: [Int: [Int]] = [:]
    /// By block of a task's memory: where what it holds ends.
    private var ends: [Int: UInt64] = [:]
    /// Places at which a task is named because it is a relative.
    private var links: Set<UInt64> = []
    private var roots: [Int: HeapRoot] = [:]
    /// By block, those that hold it, where they were asked for.
    private var incoming: [Int: [Int]] = [:]

    /// Blocks that hold nothing.
    private let stale: Set<Int>

    /// Levels from a continuation up to the property that holds it: its object, storage of a collection, boxes, a closure.
    private static let levels = 8

    init(_ graph: BlockGraph, _ heap: LiveHeap, _ reached: Reachability, _ tasks: [AsyncTask], stale: Set<Int>) {
        (self.graph, self.heap, self.reached, self.tasks) = (graph, heap, reached, tasks)
        self.stale = stale
        for (position, task) in tasks.enumerated() {
            for place in [task.address] + task.slabs {
                guard let block = graph.blocks.exact(place), owners[block] == nil else { continue }
                owners[block] = position
                memory[position, default: []].append(block)
            }
            // The first slab of most tasks lies in the block of the task itself, that of an `async let` in its parent's memory.
            for slab in task.slabs {
                guard let block = graph.blocks.inside(slab) else { continue }
                ends[block] = max(ends[block] ?? 0, task.filledEnd(ofSlab: slab))
            }
            links.formUnion((task.links + task.children).map(\.place))
            // Queues of waiting tasks and of executors.
            links.formUnion([task.address + 16, task.address + 24])
        }
        roots = Dictionary(heap.roots.map { ($0.object.index - 1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// What is known of one continuation.
    private struct Found {
        /// Blocks that name the task, or hold what does.
        var blocks: Set<Int> = []
        var property: (type: String, name: String)?
        /// A word names it of which it is not known what it is.
        var isUnsure = false
        /// A word points into the memory of the task, where it may keep the continuation itself, as a sleep does.
        var isPointedInto = false
    }

    /// - Parameter ranges: memory outside of the heap.
    mutating func find(_ waiting: [Int], _ ranges: [Range<UInt64>]) -> [Int: TaskFacts.Holder] {
        guard !waiting.isEmpty else { return [:] }
        var found = findNames(waiting)
        var open = found.mapValues(\.blocks)
        for _ in 0..<Self.levels {
            open = open.filter { !$0.value.isEmpty && found[$0.key]?.property == nil }
            guard !open.isEmpty else { break }
            findHolders(of: Set(open.values.joined()))
            for (task, blocks) in open { open[task] = rise(&found[task, default: Found()], from: blocks, task) }
        }
        var result: [Int: TaskFacts.Holder] = [:]
        for task in waiting { result[task] = holder(found[task] ?? Found(), of: task) }
        // A search for leaks looks for encoded addresses of what nothing reaches.
        let living = waiting.filter { result[$0] == .nobody && isReached($0) }
        for task in encoded(living, ranges) { result[task] = .unknown }
        return result
    }

    private func isReached(_ task: Int) -> Bool {
        graph.blocks.inside(tasks[task].address).map(reached.contains) ?? true
    }

    private func holder(_ found: Found, of task: Int) -> TaskFacts.Holder {
        if let property = found.property { return .property(type: property.type, name: property.name) }
        let own = graph.blocks.exact(tasks[task].address)
        let named = found.blocks.union(own.map { [$0] } ?? []).compactMap { block in roots[block].map { (block, $0) } }
        let variables = named.filter { $0.1.kind == .global }.map { (isSure: $0.0 != own, address: $0.1.address) }
        if let variable = variables.filter(\.isSure).min(by: { $0.address < $1.address }) {
            return .variable(address: variable.address, isSure: true)
        }
        if !isReached(task) { return .nobody }
        guard !found.isUnsure, found.blocks.isEmpty else { return .unknown }
        if let variable = variables.first { return .variable(address: variable.address, isSure: false) }
        let isNamed = memory[task]?.contains { roots[$0] != nil } ?? true
        return isNamed || found.isPointedInto || own == nil || tasks[task].hasHandlers ? .unknown : .nobody
    }

    // MARK: - Words that name tasks

    private func findNames(_ waiting: [Int]) -> [Int: Found] {
        let wanted = Dictionary(waiting.map { (tasks[$0].address, $0) }) { first, _ in first }
        var isWanted = BitSet(count: heap.count)
        for task in waiting {
            for block in memory[task] ?? [] { isWanted.insert(block) }
            if let block = graph.blocks.inside(tasks[task].address) { isWanted.insert(block) }
        }
        var found: [Int: Found] = [:]
        graph.blocks.visitAll { requested in
            let block = graph.whole(requested, graph.type(of: requested))
            guard !stale.contains(block.number) else { return }
            let owner = owners[block.number]
            var places: [(place: UInt64, task: Int)] = []
            let end = max(block.start, min(ends[block.number] ?? .max, block.start + block.size))
            graph.memory.forEachPiece(of: block.start..<end) { start, bytes in
                guard let base = bytes.baseAddress else { return }
                graph.visitPossible(base, bytes.count / 8) { index, word in
                    guard let target = graph.named(by: word), isWanted.contains(target) else { return }
                    if let task = wanted[word & ObjectReferences.addressBits & ~7] {
                        places.append((start + 8 * UInt64(index), task))
                    } else if let task = owners[target], task != owner {
                        found[task, default: Found()].isPointedInto = true
                    }
                }
            }
            if !places.isEmpty { note(places, in: block, &found) }
        }
        return found
    }

    private func note(_ places: [(place: UInt64, task: Int)], in block: BlockMap.Block, _ found: inout [Int: Found]) {
        let owner = owners[block.number]
        let type = graph.type(of: block)
        var references: [UInt64: FoundReference] = [:]
        if let type, type.kind != .task {
            graph.forEachReference(of: block, type) { reference, _ in
                if let reference { references[reference.offset] = reference }
            }
        }
        let filled = graph.filled(block, type)
        for (place, task) in places
        where owner != task && !links.contains(place) && filled?.holds(place - block.start) ?? true {
            guard let type, owner == nil else {
                found[task, default: Found()].isUnsure = true
                continue
            }
            let reference = references[place - block.start]
            // A handle of the task, Task<Success, Failure>.
            if let reference, reference.ownership == .strong { continue }
            found[task, default: Found()].blocks.insert(block.number)
            if let reference, let property = property(reference, of: type) {
                keep(property, &found[task, default: Found()])
            } else if reference == nil, !isCheck(type) {
                found[task, default: Found()].isUnsure = true
            }
        }
    }

    private func isCheck(_ type: ObjectType) -> Bool {
        graph.types.name(type.id).hasSuffix(".CheckedContinuationCanary")
    }

    /// Of a user's object, where the reference is of a stored property.
    private func property(_ reference: FoundReference, of type: ObjectType) -> (type: String, name: String)? {
        guard reference.kind == .field, !reference.path.isEmpty, type.kind == .classInstance else { return nil }
        let own = graph.types.name(type.id)
        guard TypeName.isUsers(own) else { return nil }
        let declared = graph.types.name(graph.number(ofClass: reference.declaredBy))
        return (declared.isEmpty ? own : declared, FieldName.property(of: reference.path))
    }

    private func keep(_ property: (type: String, name: String), _ found: inout Found) {
        if let known = found.property, (known.type, known.name) <= property { return }
        found.property = property
    }

    // MARK: - Who holds these

    private mutating func findHolders(of blocks: Set<Int>) {
        var wanted = BitSet(count: heap.count)
        for block in blocks where incoming[block] == nil {
            wanted.insert(block)
            incoming[block] = []
        }
        for block in 0..<heap.count {
            for reference in heap.references(of: block) where wanted.contains(Int(heap.targets[reference])) {
                let ownership = heap.ownership(of: reference)
                guard ownership == .strong || ownership == .conservative || ownership == .unmanaged else { continue }
                incoming[Int(heap.targets[reference])]?.append(block)
            }
        }
    }

    /// - Returns: blocks that hold those that were found last.
    private func rise(_ found: inout Found, from blocks: Set<Int>, _ task: Int) -> Set<Int> {
        var next: Set<Int> = []
        for target in blocks.sorted() {
            for holder in incoming[target] ?? [] where owners[holder] != task && !found.blocks.contains(holder) {
                let block = graph.blocks[holder]
                guard owners[holder] == nil, let type = graph.type(of: block) else {
                    found.isUnsure = true
                    continue
                }
                var isProperty = false
                graph.forEachReference(of: block, type) { reference, held in
                    guard held == target, let reference, let property = property(reference, of: type) else { return }
                    keep(property, &found)
                    isProperty = true
                }
                if !isProperty { next.insert(holder) }
            }
        }
        found.blocks.formUnion(next)
        return next
    }

    // MARK: - Encoded addresses

    /// Those of the tasks whose addresses a program has encoded.
    private func encoded(_ living: [Int], _ ranges: [Range<UInt64>]) -> [Int] {
        let addresses = living.map { tasks[$0].address }
        guard let low = addresses.min(), let high = addresses.max() else { return [] }
        let pairs = living.compactMap { task in graph.blocks.exact(tasks[task].address).map { ($0, task) } }
        let blocks = Dictionary(pairs) { first, _ in first }
        let search = EncodedReferences(graph, low...high) { blocks[$0] != nil }
        graph.blocks.visitAll { block in
            let whole = graph.whole(block, graph.type(of: block))
            if owners[block.number] == nil { search.read(whole.start, whole.size, of: block.number) }
        }
        for range in ranges { search.read(range.lowerBound, UInt64(range.count), of: nil) }
        return search.takeFound().compactMap { blocks[$0.block] }
    }
}
