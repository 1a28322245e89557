import GameprofBasics
import GameprofTrace

/// References to and from objects of some types, equal ones together. What storage, a box or a context refers to counts for
/// the object that has it.
struct HeapReferenceRows {
    private let ownership: HeapOwnership
    private let rootNames: RootNames
    private var heap: LiveHeap { ownership.heap }
    private let holders: BufferHolders
    /// By label.
    private let paths: [String]

    init(_ ownership: HeapOwnership, rootNames: RootNames) {
        self.ownership = ownership
        self.rootNames = rootNames
        holders = BufferHolders(ownership)
        paths = ownership.heap.labels.map(Self.path)
    }

    private struct Holder: Hashable {
        var type: String
        var path: String
    }

    /// Of a buffer what has it, in numbers: the name of that, and the path.
    private struct HolderNumbers: Hashable {
        var name: Int32
        var path: Int32
    }

    /// Equal references from one holder, by its number, to a group.
    private static func numbers(_ group: Int32, _ holder: Int32, _ label: UInt16, _ kind: Ownership)
        -> ReferenceTally.Numbers
    {
        ReferenceTally.Numbers(
            high: UInt64(UInt32(bitPattern: group)) << 32 | UInt64(UInt32(bitPattern: holder)),
            low: UInt64(label) << 8 | UInt64(kind.rawValue))
    }

    /// References of all kinds to each group of objects, weak ones too. One pass over all references.
    func incoming(to groups: [BlockList]) -> [[Report.LiveHeap.ReferenceRow]] {
        let (heap, names) = (heap, ownership.names)
        let most = Int(UInt16.max)
        guard groups.count < most else {
            return incoming(to: Array(groups.prefix(most - 1))) + incoming(to: Array(groups.dropFirst(most - 1)))
        }
        // By block: the number of its group and 1.
        let group = LargeColumn<UInt16>(repeating: 0, count: heap.count)
        defer { group.deallocate() }
        for (number, members) in groups.enumerated() {
            for member in members { group[Int(member)] = UInt16(number + 1) }
        }
        // Those of objects that are no buffers have their names' numbers.
        var holders: [Holder] = (0..<names.count).map { Holder(type: names.text(Int32($0)), path: "") }
        var known: [HolderNumbers: Int32] = [:]
        var byText: [Holder: Int32] = [:]
        var joined = JoinedPaths(paths)
        var tally = ReferenceTally(groups: groups.count, blocks: heap.count)
        let last = heap.targets.count - 1
        for source in 0..<heap.count where ownership.isLiving(UInt32(source)) {
            var holder: Int32 = -1
            for edge in heap.references(of: source) {
                let ahead = heap.targets[min(edge + 16, last)]
                group.fetch(Int(ahead))
                tally.fetch(ahead)
                let target = heap.targets[edge]
                let number = Int32(group[Int(target)]) - 1
                guard number >= 0 else { continue }
                if holder < 0 {
                    holder =
                        names.isBuffer(UInt32(source))
                        ? self.holder(UInt32(source), &holders, &known, &byText, &joined)
                        : names.number(UInt32(source))
                }
                let (label, kind) = (heap.label(of: edge), heap.ownership(of: edge))
                let row = tally.row(Self.numbers(number, holder, label, kind), in: Int(number)) {
                    let holder = holders[Int(holder)]
                    let field = FieldName.joined(holder.path, paths[Int(label)])
                    return .init(type: holder.type, field: field, ownership: kind)
                }
                tally.add(target, to: row)
            }
        }
        for (number, members) in groups.enumerated() {
            for member in members {
                guard let root = ownership.roots[member] else { continue }
                let kind: Ownership = root.kind == .global ? .strong : .conservative
                let row = tally.row(.init(type: rootNames.root(root).name, field: "", ownership: kind), in: number)
                tally.add(member, to: row)
            }
        }
        return tally.all
    }

    /// References of all kinds from each group of objects.
    func outgoing(of groups: [BlockList]) -> [[Report.LiveHeap.ReferenceRow]] {
        let (heap, names) = (heap, ownership.names)
        var tally = ReferenceTally(groups: groups.count, blocks: heap.count)
        var opened = BlockMarks(count: heap.count)
        var joined = JoinedPaths(paths)
        var open: [(block: UInt32, path: Int32)] = []
        let last = heap.targets.count - 1
        for (group, members) in groups.enumerated() {
            for member in members {
                opened.begin()
                open.append((member, JoinedPaths.empty))
                while let (block, path) = open.popLast() {
                    for edge in heap.references(of: Int(block)) {
                        names.fetch(heap.targets[min(edge + 16, last)])
                        let (target, label, kind) = (heap.targets[edge], heap.label(of: edge), heap.ownership(of: edge))
                        if kind == .strong, names.isBuffer(target), ownership.tree.parent[Int(target)] == block {
                            if opened.insert(target) { open.append((target, joined.join(path, label))) }
                            continue
                        }
                        let name = names.number(target)
                        var key = Self.numbers(Int32(group), path, label, kind)
                        key.low |= UInt64(UInt32(bitPattern: name)) << 32
                        let row = tally.row(key, in: group) {
                            let field = joined.join(path, label)
                            return .init(type: names.text(name), field: joined.text(field), ownership: kind)
                        }
                        tally.add(member, to: row)
                    }
                }
            }
        }
        return tally.all
    }

    /// Parts of a path. Those of deeper blocks (an indirect enum is a chain of boxes) are left out.
    private static let longestPath = 24

    /// Paths by number, so that equal ones are joined once.
    private struct JoinedPaths {
        static let empty: Int32 = 0

        private struct Step: Hashable {
            var path: Int32
            var label: UInt16
        }

        private let labels: [String]
        /// By label: the path of one step; 0: none yet.
        private var first: [Int32]
        private var texts = [""]
        private var lengths = [0]
        private var numbers: [Step: Int32] = [:]

        /// `labels`: the paths of labels.
        init(_ labels: [String]) {
            self.labels = labels
            first = [Int32](repeating: 0, count: labels.count)
        }

        func text(_ path: Int32) -> String { texts[Int(path)] }

        mutating func join(_ path: Int32, _ label: UInt16) -> Int32 {
            if path == Self.empty, first[Int(label)] != 0 { return first[Int(label)] }
            guard lengths[Int(path)] < longestPath else { return path }
            let step = Step(path: path, label: label)
            if let known = numbers[step] { return known }
            let number = Int32(texts.count)
            numbers[step] = number
            if path == Self.empty { first[Int(label)] = number }
            lengths.append(lengths[Int(path)] + 1)
            texts.append(FieldName.joined(texts[Int(path)], labels[Int(label)]))
            return number
        }
    }

    /// The number of the object that has a buffer, and the path from it. Its cost does not grow with the depth of a chain of boxes.
    private func holder(
        _ source: UInt32, _ holders: inout [Holder], _ known: inout [HolderNumbers: Int32],
        _ byText: inout [Holder: Int32], _ joined: inout JoinedPaths
    ) -> Int32 {
        let holder = self.holders[source]
        let parents = ownership.tree.parent
        let path: Int32
        if source != holder, parents[Int(source)] == holder {
            path = joined.join(JoinedPaths.empty, ownership.labels[Int(source)])
        } else {
            var (block, labels): (UInt32, [UInt16]) = (source, [])
            while block != holder, labels.count < Self.longestPath {
                labels.append(ownership.labels[Int(block)])
                block = parents[Int(block)]
            }
            path = labels.reversed().reduce(JoinedPaths.empty) { joined.join($0, $1) }
        }
        let name = ownership.names.number(holder)
        let isRoots = ownership.names.isBuffer(holder) && parents[Int(holder)] == ownership.entry
        let root = isRoots ? ownership.roots[holder].map { rootNames.root($0).name } : nil
        let numbers = HolderNumbers(name: name, path: path)
        if root == nil, let number = known[numbers] { return number }
        let text = Holder(type: root ?? ownership.names.text(name), path: joined.text(path))
        let number = byText[text] ?? Int32(holders.count)
        if Int(number) == holders.count {
            byText[text] = number
            holders.append(text)
        }
        if root == nil { known[numbers] = number }
        return number
    }

    private static func path(_ label: HeapLabelRecord) -> String {
        let path = FieldName.clean(label.path)
        switch label.kind {
        case .element, .value: return FieldName.inside("[…]", path)
        case .key: return FieldName.inside("[key]", path)
        case .field, .task, .box: return path
        case .capture, .none, .raw: return ""
        }
    }
}
