import GameprofBasics
import GameprofTrace

/// Which blocks name the tasks that wait, and who holds their continuations. A continuation is the address of its task, as is a job in
/// the queue of an executor; the checked continuation stands in an object of its own (`CheckedContinuationCanary`).
struct ContinuationHolders {
    private let graph: BlockGraph
    private let heap: LiveHeap
    private let reached: Reachability
    private let tasks: [AsyncTask]
    /// By block: the task whose memory it is.
    private var owners: [Int: Int] = [:]
    /// By block: tasks of `async let` that lie in it, in the memory of their parents.
    private var inner: [Int: [(task: Int, range: Range<UInt64>)]] = [:]
    /// By task: the blocks of its memory.
    private var memory: [Int: [Int]] = [:]
    /// By block of a task's memory: where what it holds ends.
    private var ends: [Int: UInt64] = [:]
    /// Places at which a task is named because it is a relative.
    private var links: Set<UInt64> = []
    /// Among these, where a task that is in the queue of an executor names the next one.
    private var queueLinks: Set<UInt64> = []
    /// Tasks that are in the queue of an executor.
    private let queued: Set<Int>
    private var found: [Int: Found] = [:]
    private var roots: [Int: HeapRoot] = [:]
    /// By block, those that hold it, where they were asked for.
    private var incoming: [Int: [Int]] = [:]

    /// Blocks that hold nothing.
    private let stale: Set<Int>

    /// Levels from a continuation up to the property that holds it: its object, storage of a collection, boxes, a closure.
    private static let levels = 8

    /// - Parameters:
    ///   - ended: tasks that have ended, and stay.
    ///   - queued: tasks that are in the queue of an executor.
    init(
        _ graph: BlockGraph, _ heap: LiveHeap, _ reached: Reachability, _ tasks: [AsyncTask], ended: [AsyncTask],
        queued: Set<Int>, stale: Set<Int>
    ) {
        (self.graph, self.heap, self.reached, self.tasks) = (graph, heap, reached, tasks)
        (self.stale, self.queued) = (stale, queued)
        for task in ended { links.formUnion(task.links.map(\.place)) }
        let numbers = Dictionary(tasks.enumerated().map { ($1.address, $0) }) { first, _ in first }
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
            if queued.contains(position) { queueLinks.formUnion(task.queueLinks) }
            guard graph.blocks.exact(task.address) == nil, let block = graph.blocks.inside(task.address) else {
                continue
            }
            inner[block, default: []].append((position, task.ownRange))
            // It may use whatever its parent has.
            memory[position, default: []] += task.parent.flatMap { numbers[$0] }.flatMap { memory[$0] } ?? [block]
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
        /// All blocks that name the task, but for relatives and handles.
        var names: Set<Int> = []
        /// Blocks that point into its memory.
        var pointers: Set<Int> = []
        /// Blocks that hold handles of the task.
        var handles: Set<Int> = []
    }

    /// The blocks of a task's own memory.
    func memory(of task: Int) -> [Int] { memory[task] ?? [] }

    /// What lets a task go on, as far as words of the heap and the roots say it.
    /// - Parameter isNamed: whoever has its address can resume it; otherwise only who has its memory may do so.
    func wait(of task: Int, isNamed: Bool) -> ResumableTasks.Wait {
        let known = found[task] ?? Found()
        var wait = ResumableTasks.Wait(memory: memory(of: task), names: known.pointers, handles: known.handles)
        guard isNamed else { return wait }
        wait.names.formUnion(known.names)
        wait.isFree = wait.memory.isEmpty || wait.memory.contains { roots[$0] != nil } || tasks[task].hasHandlers
        return wait
    }

    /// Looks for what names these tasks.
    mutating func find(_ waiting: [Int]) { found = findNames(waiting) }

    /// Who holds the continuations of these tasks, which were looked for.
    mutating func holders(of waiting: [Int]) -> [Int: TaskFacts.Holder] {
        // It is changed task by task: a copy would be made for each.
        var found = found
        self.found = [:]
        defer { self.found = found }
        let wanted = Set(waiting)
        var open = found.filter { wanted.contains($0.key) }.mapValues(\.blocks)
        for _ in 0..<Self.levels {
            open = open.filter { !$0.value.isEmpty && found[$0.key]?.property == nil }
            guard !open.isEmpty else { break }
            findHolders(of: Set(open.values.joined()))
            for (task, blocks) in open { open[task] = rise(&found[task, default: Found()], from: blocks, task) }
        }
        return Dictionary(uniqueKeysWithValues: waiting.map { ($0, holder(found[$0] ?? Found(), of: $0)) })
    }

    /// The block that names the task as a continuation: one that lives and has a type, if there is one; nil: none is known.
    func holder(of task: Int) -> Int? {
        guard let found = found[task] else { return nil }
        let names = found.names.filter { reached.contains($0) && owners[$0] == nil }
        return names.intersection(found.blocks).min() ?? names.min()
    }

    func isReached(_ task: Int) -> Bool {
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
            var places: [(place: UInt64, task: Int)] = []
            lazy var filled = graph.filled(block, graph.type(of: block))
            let end = max(block.start, min(ends[block.number] ?? .max, block.start + block.size))
            graph.memory.forEachPiece(of: block.start..<end) { start, bytes in
                guard let base = bytes.baseAddress else { return }
                graph.visitPossible(base, bytes.count / 8) { index, word in
                    let (place, address) = (start + 8 * UInt64(index), word & ObjectReferences.addressBits & ~7)
                    guard let target = graph.named(by: word), isWanted.contains(target),
                        filled?.holds(place - block.start) ?? true
                    else { return }
                    if let task = wanted[address] {
                        places.append((place, task))
                    } else if let task = owner(of: address, in: target), task != owner(of: place, in: block.number),
                        task != owners[block.number], !links.contains(place)
                    {
                        found[task, default: Found()].isPointedInto = true
                        found[task, default: Found()].pointers.insert(block.number)
                    }
                }
            }
            if !places.isEmpty { note(places, in: block, &found) }
        }
        return found
    }

    /// The task in whose memory a word of a block is; nil: it is no task's.
    private func owner(of place: UInt64, in block: Int) -> Int? {
        inner[block]?.first { $0.range.contains(place) }?.task ?? owners[block]
    }

    private func note(_ places: [(place: UInt64, task: Int)], in block: BlockMap.Block, _ found: inout [Int: Found]) {
        let isOfTask = owners[block.number] != nil
        let type = graph.type(of: block)
        var references: [UInt64: FoundReference] = [:]
        if let type, type.kind != .task {
            graph.forEachReference(of: block, type) { reference, _ in
                if let reference { references[reference.offset] = reference }
            }
        }
        for (place, task) in places where owner(of: place, in: block.number) != task {
            if links.contains(place) {
                if queueLinks.contains(place), queued.contains(task) {
                    found[task, default: Found()].names.insert(block.number)
                }
                continue
            }
            let reference = references[place - block.start]
            // A handle of the task, Task<Success, Failure>.
            if let reference, reference.ownership == .strong {
                found[task, default: Found()].handles.insert(block.number)
                continue
            }
            found[task, default: Found()].names.insert(block.number)
            // What stands where no type tells it may be left from before.
            guard let type, !isOfTask, reference != nil || isCheck(type) else {
                found[task, default: Found()].isUnsure = true
                continue
            }
            found[task, default: Found()].blocks.insert(block.number)
            if let reference, let property = property(reference, of: type) {
                keep(property, &found[task, default: Found()])
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
                var (isProperty, isTold) = (false, false)
                graph.forEachReference(of: block, type) { reference, held in
                    guard held == target, let reference else { return }
                    isTold = true
                    guard let property = property(reference, of: type) else { return }
                    keep(property, &found)
                    isProperty = true
                }
                found.isUnsure = found.isUnsure || !isTold
                if isTold, !isProperty { next.insert(holder) }
            }
        }
        found.blocks.formUnion(next)
        return next
    }

    // MARK: - Encoded addresses

    /// Those of the tasks whose addresses a program has encoded.
    /// - Parameter ranges: memory outside of the heap.
    func encoded(_ living: [Int], _ ranges: [Range<UInt64>]) -> [Int] {
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
