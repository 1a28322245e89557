import GameprofBasics
import GameprofRecording
import GameprofReportModel
import GameprofTraceFile

/// References to and from objects of some types, equal ones together. What storage, a box or a context refers to counts for
/// the object that has it.
struct HeapReferenceRows {
    private static let unnamed: Int32 = -1

    private let ownership: HeapOwnership
    private let rootNames: RootNames
    private var heap: LiveHeap { ownership.heap }
    /// By block: the label by which its dominator refers to it.
    private let labels: [Int32]
    /// By block: itself, or for a buffer the last block on the way up to what has it.
    private let holders: [UInt32]
    /// By label.
    private let paths: [String]

    init(_ ownership: HeapOwnership, rootNames: RootNames) {
        self.ownership = ownership
        self.rootNames = rootNames
        let (heap, graph, tree) = (ownership.heap, ownership.graph, ownership.tree)
        var labels = [Int32](repeating: Self.unnamed, count: heap.count)
        graph.visitAll { node, reference, target in
            guard node != graph.entry, tree.parent[Int(target)] == node, labels[Int(target)] == Self.unnamed else {
                return
            }
            labels[Int(target)] = Int32(heap.labelNumbers[reference])
        }
        var holders = (0..<UInt32(heap.count)).map { $0 }
        for node in tree.preorder.dropFirst()
        where ownership.names.isBuffer(node) && labels[Int(node)] != Self.unnamed
            && tree.parent[Int(node)] != ownership.entry
        {
            holders[Int(node)] = holders[Int(tree.parent[Int(node)])]
        }
        (self.labels, self.holders) = (labels, holders)
        paths = heap.labels.map(Self.path)
    }

    /// A reference by what refers and by what label; strings are made for different ones only.
    private struct EdgeKey: Hashable {
        var group: Int32
        /// A number of a holder, of a path in `outgoing`.
        var from: Int32
        var label: UInt16
        /// A number of a name, in `outgoing`.
        var target: Int32 = 0
        var ownership: Ownership
    }

    /// The rows of edges, the last one at hand: neighbours are mostly alike.
    private struct EdgeRows {
        private var rows: [EdgeKey: Int] = [:]
        private var last: (key: EdgeKey, row: Int)?

        mutating func row(_ key: EdgeKey, make: () -> Int) -> Int {
            if let last, last.key == key { return last.row }
            if let row = rows[key] {
                last = (key, row)
                return row
            }
            let row = make()
            rows[key] = row
            last = (key, row)
            return row
        }
    }

    private struct Holder: Hashable {
        var type: String
        var path: String
    }

    /// References of all kinds to each group of objects, weak ones too. One pass over all references.
    func incoming(to groups: [[UInt32]]) -> [[Report.LiveHeap.ReferenceRow]] {
        let (heap, names) = (heap, ownership.names)
        var group = [Int32](repeating: -1, count: heap.count)
        for (number, members) in groups.enumerated() {
            for member in members { group[Int(member)] = Int32(number) }
        }
        var holders: [Holder] = (0..<names.count).map { Holder(type: names.text(Int32($0)), path: "") }
        var known: [Holder: Int32] = [:]
        var (tally, rows) = (ReferenceTally(groups: groups.count, blocks: heap.count), EdgeRows())
        for source in ownership.living {
            var holder: Int32 = -1
            for edge in heap.references(of: Int(source)) {
                let target = heap.targets[edge]
                let number = group[Int(target)]
                guard number >= 0 else { continue }
                if holder < 0, !names.isBuffer(source) { holder = names.number(source) }
                if holder < 0 {
                    let found = self.holder(source)
                    holder = known[found] ?? Int32(holders.count)
                    if Int(holder) == holders.count {
                        known[found] = holder
                        holders.append(found)
                    }
                }
                let (label, kind) = (heap.labelNumbers[edge], heap.ownerships[edge])
                let row = rows.row(EdgeKey(group: number, from: holder, label: label, ownership: kind)) {
                    let holder = holders[Int(holder)]
                    let field = Self.join(holder.path, paths[Int(label)])
                    return tally.row(.init(type: holder.type, field: field, ownership: kind), in: Int(number))
                }
                tally.add(1, of: target, to: row, in: Int(number))
            }
        }
        for (number, members) in groups.enumerated() {
            for member in members {
                guard let root = ownership.roots[member] else { continue }
                let kind: Ownership = root.kind == .global ? .strong : .conservative
                let row = tally.row(.init(type: rootNames.root(root).name, field: "", ownership: kind), in: number)
                tally.add(1, of: member, to: row, in: number)
            }
        }
        return tally.all
    }

    /// References of all kinds from each group of objects.
    func outgoing(of groups: [[UInt32]]) -> [[Report.LiveHeap.ReferenceRow]] {
        let (heap, names) = (heap, ownership.names)
        var (tally, rows) = (ReferenceTally(groups: groups.count, blocks: heap.count), EdgeRows())
        var opened = BlockMarks(count: heap.count)
        var joined = JoinedPaths(paths)
        for (group, members) in groups.enumerated() {
            for member in members {
                opened.begin()
                var open: [(block: UInt32, path: Int32)] = [(member, JoinedPaths.empty)]
                while let (block, path) = open.popLast() {
                    for edge in heap.references(of: Int(block)) {
                        let (target, label, kind) = (heap.targets[edge], heap.labelNumbers[edge], heap.ownerships[edge])
                        if kind == .strong, names.isBuffer(target), ownership.tree.parent[Int(target)] == block {
                            if opened.insert(target) { open.append((target, joined.join(path, label))) }
                            continue
                        }
                        let name = names.number(target)
                        let key = EdgeKey(group: Int32(group), from: path, label: label, target: name, ownership: kind)
                        let row = rows.row(key) {
                            let field = joined.join(path, label)
                            return tally.row(
                                .init(type: names.text(name), field: joined.text(field), ownership: kind), in: group)
                        }
                        tally.add(1, of: member, to: row, in: group)
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
        private var texts = [""]
        private var lengths = [0]
        private var numbers: [Step: Int32] = [:]

        /// `labels`: the paths of labels.
        init(_ labels: [String]) { self.labels = labels }

        func text(_ path: Int32) -> String { texts[Int(path)] }

        mutating func join(_ path: Int32, _ label: UInt16) -> Int32 {
            guard lengths[Int(path)] < longestPath else { return path }
            let step = Step(path: path, label: label)
            if let known = numbers[step] { return known }
            let number = Int32(texts.count)
            numbers[step] = number
            lengths.append(lengths[Int(path)] + 1)
            texts.append(HeapReferenceRows.join(texts[Int(path)], labels[Int(label)]))
            return number
        }
    }

    /// The object that has a buffer, and the path from it. Its cost does not grow with the depth of a chain of boxes.
    private func holder(_ source: UInt32) -> Holder {
        let holder = holders[Int(source)]
        var (block, path, length) = (source, "", 0)
        while block != holder, length < Self.longestPath {
            path = Self.join(paths[Int(labels[Int(block)])], path)
            (block, length) = (ownership.tree.parent[Int(block)], length + 1)
        }
        let name = ownership.names.text(ownership.names.number(holder))
        let isRoots = ownership.names.isBuffer(holder) && ownership.tree.parent[Int(holder)] == ownership.entry
        let root = isRoots ? ownership.roots[holder].map { rootNames.root($0).name } : nil
        return Holder(type: root ?? name, path: path)
    }

    private static func path(_ label: HeapLabelRecord) -> String {
        let path = FieldName.clean(label.path)
        switch label.kind {
        case .element, .value: return path.isEmpty ? "[…]" : "[…].\(path)"
        case .key: return path.isEmpty ? "[key]" : "[key].\(path)"
        case .field, .task, .box: return path
        case .capture, .none, .raw: return ""
        }
    }

    private static func join(_ left: String, _ right: String) -> String {
        if left.isEmpty || right.isEmpty { return left + right }
        return right.hasPrefix("[") ? left + right : "\(left).\(right)"
    }
}
