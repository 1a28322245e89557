import GameprofBasics
import GameprofTrace

/// All about the living objects of some types: references to and from them, their retaining paths, what they retain.
struct HeapDetails {
    private static let typeLimit = 20
    private static let shortRowLimit = 12
    private static let shortPathLimit = 4
    private static let fewObjects = 20_000
    /// Blocks on a path whose names make two paths equal, counted from the object.
    private static let shapeLimit = 24

    private var rowLimit = 40
    private var pathLimit = 10
    /// Of how many objects of a type the paths are looked at.
    private var pathObjects = Int.max

    private let ownership: HeapOwnership
    private let paths: Paths
    private let types: TypeTable
    private let rootNames: RootNames
    private let begin: HeapBeginRecord
    private var heap: LiveHeap { ownership.heap }

    /// Made when they are first needed.
    private final class Paths {
        private let make: () -> RetainingPathTree
        private(set) lazy var tree = make()

        init(_ make: @escaping () -> RetainingPathTree) { self.make = make }
    }

    init(_ ownership: HeapOwnership, types: TypeTable, rootNames: RootNames, begin: HeapBeginRecord) {
        self.ownership = ownership
        self.types = types
        self.rootNames = rootNames
        self.begin = begin
        paths = Paths { RetainingPathTree(ownership, order: rootNames.order, isLibcs: rootNames.isLibcs) }
    }

    /// The details of the last snapshot; nil: its graph is not known.
    init?(ofLastIn recording: Recording, symbolicator: any Symbolicating) {
        guard let snapshot = recording.heapSnapshots.last, let heap = snapshot.graph else { return nil }
        let names = RootNames(
            symbolicator: symbolicator, threads: recording.threadNames,
            main: ThreadID(UInt32(clamping: recording.program?.pid ?? 0)))
        self.init(
            HeapOwnership(heap, types: recording.types), types: recording.types, rootNames: names,
            begin: snapshot.begin)
    }

    /// The types that match the patterns, those that retain the most first; of each pattern so many.
    func details(of patterns: [String], progress: (Double) -> Void = { _ in }) -> [Report.LiveHeap.Detail] {
        var names: [(asked: String, name: Int32)] = []
        for pattern in patterns {
            let glob = GlobPattern(pattern)
            names += (0..<Int32(ownership.names.count)).filter {
                TypeName.matches(ownership.names.text($0), glob)
            }.map { (pattern, $0) }
        }
        let sorted = details(names, progress).sorted { $0.retainedBytes > $1.retainedBytes }
        var left: [String: Int] = [:]
        return sorted.filter { detail in
            left[detail.asked, default: Self.typeLimit] -= 1
            return left[detail.asked, default: 0] >= 0
        }
    }

    /// For each type of these names that lives, with shorter lists and with the paths of `pathObjects` of its objects.
    func shortDetails(
        ofTypes texts: [String], progress: (Double) -> Void = { _ in }
    ) -> [String: Report.LiveHeap.Detail] {
        var short = self
        (short.rowLimit, short.pathLimit, short.pathObjects) = (
            Self.shortRowLimit, Self.shortPathLimit, Self.fewObjects
        )
        let wanted = Set(texts)
        let names = (0..<Int32(ownership.names.count)).filter { wanted.contains(ownership.names.text($0)) }
        let all = short.details(names.map { (ownership.names.text($0), $0) }, progress)
        return Dictionary(all.map { ($0.type, $0) }) { first, _ in first }
    }

    private func details(
        _ names: [(asked: String, name: Int32)], _ progress: (Double) -> Void
    ) -> [Report.LiveHeap.Detail] {
        var members: [Int32: BlockList] = [:]
        var isWanted = [Bool](repeating: false, count: ownership.names.count)
        for name in names { isWanted[Int(name.name)] = true }
        var counts = [Int](repeating: 0, count: ownership.names.count)
        for block in 0..<UInt32(heap.count) { counts[Int(ownership.names.number(block))] += 1 }
        var found = counts.indices.map { BlockList(room: isWanted[$0] ? counts[$0] : 0) }
        for block in 0..<UInt32(heap.count) {
            let name = Int(ownership.names.number(block))
            if isWanted[name], ownership.isLiving(block) { found[name].append(block) }
        }
        for (name, blocks) in found.enumerated() where blocks.count > 0 { members[Int32(name)] = blocks }
        found = []
        let groups = members.keys.sorted()
        let lists = groups.compactMap { members[$0] }
        // Names are looked up by one of the two alone.
        let ((incoming, outgoing), retained) = sideBySide(
            where: isShared(blocks: heap.count), { (references(groups, lists), paths.tree).0 },
            { lists.map(sumsRetained) })
        let sums = Dictionary(uniqueKeysWithValues: zip(groups, retained))
        return names.enumerated().compactMap { place, named in
            let (asked, name) = named
            progress(0.4 + 0.6 * Double(place) / Double(names.count))
            return members[name].map { objects in
                var result = Report.LiveHeap.Detail(
                    asked: asked, type: ownership.names.text(name), count: objects.count)
                result.shallowBytes = objects.reduce(0) { $0 &+ heap.sizes[Int($1)] }
                (result.incoming, result.incomingOmitted) = limited(incoming[name] ?? [])
                (result.outgoing, result.outgoingOmitted) = limited(outgoing[name] ?? [])
                if objects.count > pathObjects {
                    result.ways = heldBy(Self.spread(objects, most: pathObjects))
                    result.wayObjects = pathObjects
                } else {
                    result.ways = heldBy(objects)
                }
                guard let sums = sums[name] else { return result }
                result.retainedBytes = sums.bytes
                (result.retained, result.retainedOmitted) = rows(sums)
                return result
            }
        }
    }

    private func references(
        _ groups: [Int32], _ members: [BlockList]
    ) -> (incoming: [Int32: [Report.LiveHeap.ReferenceRow]], outgoing: [Int32: [Report.LiveHeap.ReferenceRow]]) {
        let rows = HeapReferenceRows(ownership, rootNames: rootNames)
        return (
            Dictionary(uniqueKeysWithValues: zip(groups, rows.incoming(to: members))),
            Dictionary(uniqueKeysWithValues: zip(groups, rows.outgoing(of: members)))
        )
    }

    /// As many of the objects, at equal distances.
    private static func spread(_ objects: BlockList, most: Int) -> [UInt32] {
        var result: [UInt32] = []
        for (place, block) in objects.enumerated()
        where result.count < most && place == result.count * objects.count / most {
            result.append(block)
        }
        return result
    }

    private func limited(_ rows: [Report.LiveHeap.ReferenceRow]) -> ([Report.LiveHeap.ReferenceRow], Int) {
        let sorted = rows.sorted {
            ($0.count, $1.type, $1.field ?? "", $1.ownership) > ($1.count, $0.type, $0.field ?? "", $0.ownership)
        }
        return (Array(sorted.prefix(rowLimit)), max(0, sorted.count - rowLimit))
    }

    // MARK: - Retaining paths

    /// The paths to the living objects of a type, most objects first.
    func heldBy(type: String) -> [HeldBy] {
        let names = ownership.names
        guard let name = (0..<Int32(names.count)).first(where: { names.text($0) == type }) else { return [] }
        return heldBy(ownership.living.filter { names.number($0) == name })
    }

    private struct Shape: Hashable {
        var names: [Int32]
        var root: UInt64
    }

    /// The paths to objects, those of equal names together. Of each object the last blocks are looked at.
    func heldBy(_ members: some Sequence<UInt32>) -> [HeldBy] {
        var groups: [Shape: (first: UInt32, length: Int, count: Int, bytes: UInt64)] = [:]
        for member in members {
            let length = paths.tree.depth(of: member)
            guard length > 0 else { continue }
            var names: [Int32] = []
            for block in paths.tree.upwards(from: member, most: Self.shapeLimit)
            where names.last != ownership.names.number(block) {
                names.append(ownership.names.number(block))
            }
            let root = ownership.roots[paths.tree.top(of: member)].map { $0.kind == .stack ? $0.pc : $0.address } ?? 0
            var group = groups[Shape(names: names, root: root)] ?? (member, length, 0, 0)
            group.count += 1
            group.bytes &+= heap.sizes[Int(member)]
            if length < group.length { (group.first, group.length) = (member, length) }
            groups[Shape(names: names, root: root)] = group
        }
        let chosen = groups.values.sorted { ($0.count, $1.first) > ($1.count, $0.first) }.prefix(pathLimit)
        let words = RetainingPathWords(
            paths.tree, to: chosen.map { $0.first }, of: heap, begin, types: types, rootNames: rootNames)
        return chosen.compactMap { words.path(to: $0.first, instances: $0.count, bytes: $0.bytes) }
    }

    // MARK: - Retained

    /// What one block retains, itself included.
    func retained(by block: UInt32) -> [Report.LiveHeap.RetainedRow] {
        var blocks = BlockList()
        blocks.append(block)
        return rows(sumsRetained(by: blocks)).rows
    }

    /// What some objects retain, by the stack that allocated it.
    private struct RetainedSums {
        struct OfStack {
            var bytes: UInt64 = 0
            /// The type that has the most of them.
            var name: Int32 = 0
            var most: UInt64 = 0
        }

        var bytes: UInt64 = 0
        var counts: [UInt64: UInt64] = [:]
        var stacks: [StackID: OfStack] = [:]
    }

    /// Each block once.
    private func sumsRetained(by members: BlockList) -> RetainedSums {
        var (counts, sizes) = (SumsByKey(), SumsByKey())
        let (heap, names) = (heap, ownership.names)
        var result = RetainedSums()
        ownership.forEachRetained(by: members) { block in
            let size = heap.sizes[Int(block)]
            result.bytes &+= size
            let stack = UInt64(heap.stacks[Int(block)].rawValue)
            counts.add(1, to: stack)
            sizes.add(size, to: stack << 32 | UInt64(names.number(block)))
        }
        for (key, size) in sizes.all() {
            let (stack, name) = (StackID(UInt32(truncatingIfNeeded: key >> 32)), Int32(truncatingIfNeeded: key))
            var sum = result.stacks[stack] ?? RetainedSums.OfStack(name: name)
            sum.bytes &+= size
            if (size, sum.name) > (sum.most, name) { (sum.most, sum.name) = (size, name) }
            result.stacks[stack] = sum
        }
        result.counts = counts.all()
        return result
    }

    private func rows(_ sums: RetainedSums) -> (rows: [Report.LiveHeap.RetainedRow], omitted: Int) {
        let sorted = sums.stacks.sorted { ($0.value.bytes, $1.key) > ($1.value.bytes, $0.key) }
        let shown = sorted.prefix(rowLimit)
        rootNames.symbolicator.prepare(stacks: Set(shown.map { $0.key }), addresses: [])
        let rows = shown.map { stack, totals in
            Report.LiveHeap.RetainedRow(
                type: ownership.names.text(totals.name),
                count: Int(clamping: sums.counts[UInt64(stack.rawValue)] ?? 0),
                bytes: totals.bytes, allocatedBy: CallStack(rootNames.symbolicator.stack(stack)))
        }
        return (rows, sorted.count - shown.count)
    }
}
