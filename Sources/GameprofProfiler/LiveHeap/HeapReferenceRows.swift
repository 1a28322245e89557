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
    /// By label.
    private let paths: [String]

    init(_ ownership: HeapOwnership, rootNames: RootNames) {
        self.ownership = ownership
        self.rootNames = rootNames
        let (heap, graph, tree) = (ownership.heap, ownership.graph, ownership.tree)
        var labels = [Int32](repeating: Self.unnamed, count: heap.count)
        for node in 0..<heap.count {
            for position in graph.rows[node]..<graph.rows[node + 1] {
                let target = Int(graph.targets[position])
                guard tree.parent[target] == UInt32(node), labels[target] == Self.unnamed else { continue }
                labels[target] = Int32(bitPattern: heap.labelNumbers[graph.edges[position]])
            }
        }
        self.labels = labels
        paths = heap.labels.map(Self.path)
    }

    private struct RowKey: Hashable {
        var type: String
        var field: String?
        var ownership: Ownership
    }

    private struct Row {
        var count = 0
        var objects: Set<UInt32> = []
    }

    private static func rows(_ rows: [RowKey: Row]) -> [Report.LiveHeap.ReferenceRow] {
        rows.map { key, row in
            Report.LiveHeap.ReferenceRow(
                type: key.type, field: key.field, ownership: "\(key.ownership)", count: row.count,
                objects: row.objects.count)
        }
    }

    /// A reference by what refers and by what label; strings are made for different ones only.
    private struct EdgeKey: Hashable {
        var holder: Int32
        var label: UInt32
        var ownership: Ownership
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
        var edges = [[EdgeKey: Row]](repeating: [:], count: groups.count)
        for source in ownership.living {
            var holder: Int32 = -1
            for edge in heap.rows[Int(source)]..<heap.rows[Int(source) + 1] {
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
                let key = EdgeKey(holder: holder, label: heap.labelNumbers[edge], ownership: heap.ownerships[edge])
                edges[Int(number)][key, default: Row()].count += 1
                edges[Int(number)][key, default: Row()].objects.insert(target)
            }
        }
        return zip(groups, edges).map { members, edges in
            var rows: [RowKey: Row] = [:]
            for (key, row) in edges {
                let holder = holders[Int(key.holder)]
                let field = Self.join(holder.path, paths[Int(key.label)])
                let name = RowKey(type: holder.type, field: field.isEmpty ? nil : field, ownership: key.ownership)
                rows[name, default: Row()].count += row.count
                rows[name, default: Row()].objects.formUnion(row.objects)
            }
            addRoots(of: members, to: &rows)
            return Self.rows(rows)
        }
    }

    private func addRoots(of members: [UInt32], to rows: inout [RowKey: Row]) {
        for member in members {
            guard let root = ownership.roots[member] else { continue }
            let key = RowKey(type: rootNames.root(root).name, ownership: root.kind == .global ? .strong : .conservative)
            rows[key, default: Row()].count += 1
            rows[key, default: Row()].objects.insert(member)
        }
    }

    /// References of all kinds from the objects.
    func outgoing(of members: [UInt32]) -> [Report.LiveHeap.ReferenceRow] {
        let (heap, names) = (heap, ownership.names)
        var rows: [RowKey: Row] = [:]
        for member in members {
            var open: [(block: UInt32, path: String)] = [(member, "")]
            var seen = Set<UInt32>()
            while let (block, path) = open.popLast() {
                // The elements of a collection are mostly alike.
                var last: (label: UInt32, name: Int32, ownership: Ownership)?
                var alike = 0
                func flush() {
                    guard let last, alike > 0 else { return }
                    let field = Self.join(path, paths[Int(last.label)])
                    let key = RowKey(
                        type: names.text(last.name), field: field.isEmpty ? nil : field, ownership: last.ownership)
                    rows[key, default: Row()].count += alike
                    rows[key, default: Row()].objects.insert(member)
                    alike = 0
                }
                for edge in heap.rows[Int(block)]..<heap.rows[Int(block) + 1] {
                    let (target, label) = (heap.targets[edge], heap.labelNumbers[edge])
                    let holds = heap.ownerships[edge] == .strong
                    if holds, names.isBuffer(target), ownership.tree.parent[Int(target)] == block {
                        if seen.insert(target).inserted {
                            open.append((target, Self.join(path, paths[Int(label)])))
                        }
                        continue
                    }
                    let present = (label, names.number(target), heap.ownerships[edge])
                    if last.map({ $0 != present }) ?? true {
                        flush()
                        last = present
                    }
                    alike += 1
                }
                flush()
            }
        }
        return Self.rows(rows)
    }

    /// The object that has a buffer, and the path from it.
    private func holder(_ source: UInt32) -> Holder {
        var (block, path) = (source, "")
        while ownership.names.isBuffer(block) {
            let above = ownership.tree.parent[Int(block)]
            guard above != ownership.entry else {
                let root = ownership.roots[block].map { rootNames.root($0).name }
                return Holder(type: root ?? ownership.names.text(ownership.names.number(block)), path: path)
            }
            guard labels[Int(block)] != Self.unnamed else { break }
            path = Self.join(paths[Int(labels[Int(block)])], path)
            block = above
        }
        return Holder(type: ownership.names.text(ownership.names.number(block)), path: path)
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
