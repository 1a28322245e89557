import GameprofBasics
import GameprofTrace

/// The living objects whose paths from a root are asked for: one for each way in which those of a type are held, the nearest to
/// a root.
struct PathTargets {
    private static let (pathsOfType, targetsMost, holdersSeen, blocksOnPaths) = (10, 4096, 24, 200_000)

    /// What is asked for: the objects of a type that matches a pattern, or blocks that may be growth.
    private struct Kind: Hashable {
        var type: TypeID
        /// Position of the pattern; nil: it may be growth.
        var pattern: Int?
        var stack = StackID.none
    }

    private struct Sum {
        var (count, bytes): (UInt64, UInt64) = (0, 0)

        mutating func add(_ bytes: UInt64) {
            count += 1
            self.bytes &+= bytes
        }
    }

    private struct Target {
        var kind: Kind
        var block: Int
        var shape: Int
        var sum = Sum()
    }

    private let heap: LiveHeap
    private let types: TypeTable
    private let questions: HeapQuestions
    /// Wanted kinds in the order in which their first block was met, and their blocks.
    private var kinds: [Kind] = []
    private var sums: [Kind: Sum] = [:]
    private var isWanted: BitSet
    private(set) var wanted: [Int] = []
    private var targets: [Target] = []
    private var objects: [(object: HeapQuestions.Object, block: Int?)] = []
    /// By type: the position of the pattern that means it; nil: none does.
    private var patternsOfType: [TypeID: Int?] = [:]

    /// - Parameters:
    ///   - exact: the block that begins at an address.
    ///   - isInstance: whether an object of a class is in use: what stands in C memory of one that died there is none.
    init(
        _ questions: HeapQuestions, _ heap: LiveHeap, _ types: TypeTable, exact: (UInt64) -> Int?,
        isInstance: (Int) -> Bool
    ) {
        (self.heap, self.types, self.questions) = (heap, types, questions)
        isWanted = BitSet(count: heap.count)
        for object in questions.objects {
            let block = exact(object.address)
            objects.append((object, block))
            if let block, heap.flags[block].contains(.reachable) { want(block) }
        }
        guard !questions.patterns.isEmpty || !questions.growing.isEmpty else { return }
        for block in 0..<heap.count where heap.flags[block].contains(.reachable) {
            for kind in kindsOf(block, isInstance) {
                if sums[kind] == nil { kinds.append(kind) }
                sums[kind, default: Sum()].add(heap.sizes[block])
                want(block)
            }
        }
    }

    private mutating func want(_ block: Int) { if isWanted.insert(block) { wanted.append(block) } }

    private mutating func kindsOf(_ block: Int, _ isInstance: (Int) -> Bool) -> [Kind] {
        var result: [Kind] = []
        let type = heap.types[block]
        if !questions.growing.isEmpty {
            let stack = heap.stacks[block]
            let metadata = types.record(type)?.metadata ?? 0
            if questions.growing.contains(HeapQuestions.Growing(metadata: metadata, stack: stack)) {
                result.append(Kind(type: type, pattern: nil, stack: stack))
            }
        }
        if !questions.patterns.isEmpty, let pattern = pattern(for: type), isInstance(block) {
            result.append(Kind(type: type, pattern: pattern))
        }
        return result
    }

    private mutating func pattern(for type: TypeID) -> Int? {
        guard !type.isNone, types.kind(type) == .classInstance else { return nil }
        if let known = patternsOfType[type] { return known }
        let name = types.name(type)
        let found = questions.patterns.firstIndex { TypeName.matches(name, GlobPattern($0)) }
        patternsOfType[type] = .some(found)
        return found
    }

    // MARK: - Choosing

    /// Chooses among the wanted blocks in the order in which they were reached.
    mutating func choose(_ walk: RootWalk, isInstance: (Int) -> Bool) {
        guard !kinds.isEmpty else { return }
        var places: [Kind: [Int: Int]] = [:]
        for block in walk.order.lazy.map({ Int($0) }) where isWanted.contains(block) {
            let shape = shape(of: block, walk)
            for kind in kindsOf(block, isInstance) {
                if let place = places[kind]?[shape] {
                    targets[place].sum.add(heap.sizes[block])
                } else if places[kind]?.count ?? 0 < Self.pathsOfType, targets.count < Self.targetsMost {
                    places[kind, default: [:]][shape] = targets.count
                    targets.append(Target(kind: kind, block: block, shape: shape))
                    targets[targets.count - 1].sum.add(heap.sizes[block])
                }
            }
        }
    }

    /// The types of the nearest holders; a row of equal ones (a list, a deep tree) counts once. Numbers of types follow the
    /// order of the blocks: they are the same for the same heap.
    private func shape(of block: Int, _ walk: RootWalk) -> Int {
        var hash: UInt64 = 1
        func mix(_ word: UInt64) {
            hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 29
        }
        var (block, last) = (block, UInt64.max)
        for _ in 0..<Self.holdersSeen {
            guard let holder = walk.holder(of: block) else { break }
            block = holder
            let type = UInt64(heap.types[block].rawValue)
            if type != last { mix(type) }
            last = type
        }
        mix(walk.holder(of: block) == nil ? 1 : 0)
        return Int(truncatingIfNeeded: hash)
    }

    /// The blocks to be listed: those that were chosen, who has a reference to what died all the same, and the paths to them.
    func blocks(_ walk: RootWalk) -> [Int] {
        var left = Self.blocksOnPaths
        let holders = objects.flatMap { $0.object.cause == .dead ? $0.block.map(self.holders) ?? [] : [] }
        return (objects.compactMap(\.block) + holders + targets.map(\.block)).flatMap { walk.path(to: $0, &left) }
    }

    /// The first blocks that live and have a strong reference to a block.
    private func holders(of block: Int) -> [Int] {
        let holders = (0..<heap.count).lazy.filter { holder in
            holder != block && heap.flags[holder].contains(.reachable)
                && heap.references(of: holder).contains {
                    Int(heap.targets[$0]) == block && heap.ownership(of: $0) == .strong
                }
        }
        return Array(holders.prefix(Self.holdersSeen))
    }

    /// Whether closures, tasks or memory without a type are among the nearest holders of what may be growth: the graph says who
    /// made these. A context, what adapts it to another type, and the box of a variable may stand between them.
    func closuresHoldGrowing(_ walk: RootWalk) -> Bool {
        targets.contains { target in
            guard target.kind.pattern == nil else { return false }
            var block = target.block
            for _ in 0..<3 {
                guard let holder = walk.holder(of: block) else { return false }
                let kind = types.kind(heap.types[holder])
                if kind == nil || kind == .local || kind == .task { return true }
                if heap.references(of: holder).contains(where: { isFunction($0, to: block) }) { return true }
                block = holder
            }
            return false
        }
    }

    /// A closure with one capture has no context of its own: the object stands in its place.
    private func isFunction(_ reference: Int, to block: Int) -> Bool {
        Int(heap.targets[reference]) == block && heap.labels[Int(heap.label(of: reference))].function != 0
    }

    // MARK: - Answers

    /// - Parameter number: of a listed block.
    func answers(number: (Int) -> ObjectID) -> [HeapTarget] {
        var result: [HeapTarget] = []
        for kind in kinds {
            guard let pattern = kind.pattern, let sum = sums[kind] else { continue }
            result.append(
                HeapTarget(
                    cause: .type, type: kind.type, count: sum.count, bytes: sum.bytes,
                    label: questions.patterns[pattern]))
        }
        for (place, pattern) in questions.patterns.enumerated() where !kinds.contains(where: { $0.pattern == place }) {
            result.append(HeapTarget(cause: .type, label: pattern))
        }
        for (object, block) in objects {
            guard let block else { continue }
            result.append(
                HeapTarget(
                    cause: object.cause, object: number(block), count: 1, bytes: heap.sizes[block],
                    label: object.label))
        }
        for target in targets {
            result.append(
                HeapTarget(
                    cause: target.kind.pattern == nil ? .growth : .type, object: number(target.block),
                    type: target.kind.type, count: target.sum.count, bytes: target.sum.bytes,
                    label: target.kind.pattern.map { questions.patterns[$0] } ?? ""))
        }
        for (object, block) in objects where block == nil {
            result.append(HeapTarget(cause: object.cause, label: object.label))
        }
        return result
    }
}

extension RootWalk {
    /// A block and those on its path from a root, where that is no longer than what is `left`; otherwise the block alone.
    func path(to block: Int, _ left: inout Int) -> [Int] {
        var path = [block]
        while let holder = holder(of: path[path.count - 1]) {
            guard path.count <= left else { return [block] }
            path.append(holder)
        }
        left -= path.count - 1
        return path
    }
}
