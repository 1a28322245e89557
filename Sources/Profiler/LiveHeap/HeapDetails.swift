import Basics
import Recording
import ReportModel
import Symbolication
import TraceFile

/// All about the living objects of some types: references to and from them, the ways that hold them, what they retain.
struct HeapDetails {
    private static let rowLimit = 40
    private static let wayLimit = 10
    private static let typeLimit = 20
    /// Names on a way that make two ways equal, counted from the object.
    private static let shapeLimit = 24

    private let ownership: HeapOwnership
    private let ways: HeapWays
    private let types: TypeTable
    private let rootNames: RootNames
    private let begin: HeapBeginRecord
    private var heap: LiveHeap { ownership.heap }

    init(_ ownership: HeapOwnership, types: TypeTable, rootNames: RootNames, begin: HeapBeginRecord) {
        self.ownership = ownership
        self.types = types
        self.rootNames = rootNames
        self.begin = begin
        ways = HeapWays(ownership, isLibcs: rootNames.isLibcs)
    }

    /// For each pattern the types that match it, those that retain the most first.
    func details(of patterns: [String]) -> [Report.LiveHeap.Detail] {
        var names: [(asked: String, name: Int32)] = []
        for pattern in patterns {
            let glob = GlobPattern(pattern)
            names += (0..<Int32(ownership.names.count)).filter {
                TypeName.matches(ownership.names.text($0), glob)
            }.map { (pattern, $0) }
        }
        var members: [Int32: [UInt32]] = [:]
        let wanted = Set(names.map { $0.name })
        for block in ownership.living where wanted.contains(ownership.names.number(block)) {
            members[ownership.names.number(block), default: []].append(block)
        }
        return names.compactMap { asked, name in
            members[name].map { detail(asked, name, $0.sorted()) }
        }.sorted { $0.retainedBytes > $1.retainedBytes }.prefix(Self.typeLimit).map { $0 }
    }

    private func detail(_ asked: String, _ name: Int32, _ members: [UInt32]) -> Report.LiveHeap.Detail {
        var result = Report.LiveHeap.Detail(asked: asked, type: ownership.names.text(name), count: members.count)
        result.shallowBytes = members.reduce(0) { $0 &+ heap.sizes[Int($1)] }
        (result.incoming, result.incomingOmitted) = Self.limited(incoming(members))
        (result.outgoing, result.outgoingOmitted) = Self.limited(outgoing(members))
        result.ways = heldBy(members)
        (result.retained, result.retainedOmitted) = retained(by: members, &result.retainedBytes)
        return result
    }

    private static func limited(_ rows: [Report.LiveHeap.ReferenceRow]) -> ([Report.LiveHeap.ReferenceRow], Int) {
        let sorted = rows.sorted { ($0.count, $1.type, $1.field ?? "") > ($1.count, $0.type, $0.field ?? "") }
        return (Array(sorted.prefix(rowLimit)), max(0, sorted.count - rowLimit))
    }

    // MARK: - References

    private struct RowKey: Hashable {
        var type: String
        var field: String?
        var ownership: Ownership
    }

    private struct Rows {
        var counts: [RowKey: Int] = [:]
        var objects: [RowKey: Set<UInt32>] = [:]

        mutating func add(_ key: RowKey, _ object: UInt32) {
            counts[key, default: 0] += 1
            objects[key, default: []].insert(object)
        }

        var all: [Report.LiveHeap.ReferenceRow] {
            counts.map { key, count in
                Report.LiveHeap.ReferenceRow(
                    type: key.type, field: key.field, ownership: "\(key.ownership)", count: count,
                    objects: objects[key]?.count ?? 0)
            }
        }
    }

    /// References of all kinds, weak ones too.
    private func incoming(_ members: [UInt32]) -> [Report.LiveHeap.ReferenceRow] {
        var rows = Rows()
        var isMember = [Bool](repeating: false, count: heap.count)
        for member in members { isMember[Int(member)] = true }
        let heap = heap
        for source in ownership.living {
            for edge in heap.rows[Int(source)]..<heap.rows[Int(source) + 1] where isMember[Int(heap.targets[edge])] {
                let (type, field) = holder(source, Self.path(heap.labels[Int(heap.labelNumbers[edge])]))
                rows.add(RowKey(type: type, field: field, ownership: heap.ownerships[edge]), heap.targets[edge])
            }
        }
        for member in members {
            guard let root = ownership.roots[member] else { continue }
            let key = RowKey(type: rootNames.root(root).name, ownership: root.kind == .global ? .strong : .conservative)
            rows.add(key, member)
        }
        return rows.all
    }

    private func outgoing(_ members: [UInt32]) -> [Report.LiveHeap.ReferenceRow] {
        var rows = Rows()
        for member in members {
            var open: [(block: UInt32, path: String)] = [(member, "")]
            var seen = Set<UInt32>()
            while let (block, path) = open.popLast() {
                for edge in heap.rows[Int(block)]..<heap.rows[Int(block) + 1] {
                    let target = heap.targets[edge]
                    let field = Self.join(path, Self.path(heap.labels[Int(heap.labelNumbers[edge])]))
                    let holds = heap.ownerships[edge] == .strong
                    if holds, ownership.names.isBuffer(target), ownership.tree.parent[Int(target)] == block {
                        if seen.insert(target).inserted { open.append((target, field)) }
                        continue
                    }
                    let type = ownership.names.text(ownership.names.number(target))
                    let shown = field.isEmpty ? nil : field
                    rows.add(RowKey(type: type, field: shown, ownership: heap.ownerships[edge]), member)
                }
            }
        }
        return rows.all
    }

    /// The object that has a buffer, and the path from it: what refers to something from storage, a box or a context.
    private func holder(_ source: UInt32, _ path: String) -> (type: String, field: String?) {
        var (block, path) = (source, path)
        while ownership.names.isBuffer(block) {
            let above = ownership.tree.parent[Int(block)]
            guard above != ownership.entry else {
                let root = ownership.roots[block].map { rootNames.root($0).name }
                return (root ?? ownership.names.text(ownership.names.number(block)), path.isEmpty ? nil : path)
            }
            guard let label = label(from: above, to: block) else { break }
            path = Self.join(Self.path(label), path)
            block = above
        }
        return (ownership.names.text(ownership.names.number(block)), path.isEmpty ? nil : path)
    }

    private func label(from block: UInt32, to target: UInt32) -> HeapLabelRecord? {
        let graph = ownership.graph
        for reference in graph.rows[Int(block)]..<graph.rows[Int(block) + 1] where graph.targets[reference] == target {
            return ownership.label(reference)
        }
        return nil
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

    // MARK: - Ways

    /// The ways that hold the living objects of a type, most objects first.
    func heldBy(type: String) -> [HeldBy] {
        heldBy(ownership.living.filter { ownership.names.text(ownership.names.number($0)) == type })
    }

    /// The ways that hold objects, those of equal names together.
    func heldBy(_ members: [UInt32]) -> [HeldBy] {
        struct Shape: Hashable {
            var names: [Int32]
            var root: UInt64
        }
        var groups: [Shape: (first: UInt32, length: Int, count: Int, bytes: UInt64)] = [:]
        for member in members {
            let way = ways.way(to: member)
            guard let top = way.first else { continue }
            var names: [Int32] = []
            for block in way.suffix(Self.shapeLimit) where names.last != ownership.names.number(block) {
                names.append(ownership.names.number(block))
            }
            let root = ownership.roots[top].map { $0.kind == .stack ? $0.pc : $0.address } ?? 0
            var group = groups[Shape(names: names, root: root)] ?? (member, way.count, 0, 0)
            group.count += 1
            group.bytes &+= heap.sizes[Int(member)]
            if way.count < group.length { (group.first, group.length) = (member, way.count) }
            groups[Shape(names: names, root: root)] = group
        }
        let chosen = groups.values.sorted { ($0.count, $1.first) > ($1.count, $0.first) }.prefix(Self.wayLimit)
        let worded = HeapAnalysis(
            snapshot: ways.excerpt(to: chosen.map { $0.first }, of: begin), types: types, rootNames: rootNames)
        return chosen.compactMap {
            worded.way(toObjectAt: heap.addresses[Int($0.first)], instances: $0.count, bytes: $0.bytes)
        }
    }

    // MARK: - Retained

    /// What the objects retain, each block once, by the stack that allocated it. `bytes`: receives the sum.
    private func retained(
        by members: [UInt32], _ bytes: inout UInt64
    ) -> (rows: [Report.LiveHeap.RetainedRow], omitted: Int) {
        struct Totals {
            var count = 0
            var bytes: UInt64 = 0
            var names: [Int32: UInt64] = [:]
        }
        var seen = Set<UInt32>()
        var totals: [StackID: Totals] = [:]
        for member in members {
            var open = [member]
            while let block = open.popLast() {
                guard seen.insert(block).inserted else { continue }
                let size = heap.sizes[Int(block)]
                bytes &+= size
                totals[heap.stacks[Int(block)], default: Totals()].count += 1
                totals[heap.stacks[Int(block)], default: Totals()].bytes &+= size
                totals[heap.stacks[Int(block)], default: Totals()].names[ownership.names.number(block), default: 0] &+=
                    size
                open += ownership.children[block]
            }
        }
        let sorted = totals.sorted { ($0.value.bytes, $1.key) > ($1.value.bytes, $0.key) }
        let shown = sorted.prefix(Self.rowLimit)
        rootNames.symbolicator.prepare(stacks: Set(shown.map { $0.key }), addresses: [])
        let rows = shown.map { stack, totals in
            let name = totals.names.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
            return Report.LiveHeap.RetainedRow(
                type: name.map(ownership.names.text) ?? "", count: totals.count, bytes: totals.bytes,
                allocatedBy: CallStack(rootNames.symbolicator.stack(stack)))
        }
        return (Array(rows), sorted.count - shown.count)
    }
}
