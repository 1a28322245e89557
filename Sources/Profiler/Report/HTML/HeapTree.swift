import GameprofAnalysis
import GameprofBasics

/// The dominator tree of a live heap as a list of rows, holders before what they hold.
struct HeapTree {
    struct Row {
        var holder: Report.LiveHeap.Holder
        /// −1: a root keeps it, or several objects do.
        var parent: Int
        var depth: Int
        var children: [Int] = []
    }

    /// Objects of one type that are held in the same way.
    struct HolderOfType {
        /// Nil: no single object holds them.
        var type: String?
        var field: String?
        var root: String?
        var count = 0
        var bytes: UInt64 = 0

        /// `Board.cards`, `Game.shared`, `several objects`
        func path(names: ShortNames) -> String {
            guard let type else { return root ?? "no single object" }
            return field.map { "\(names[type]).\($0)" } ?? names[type]
        }
    }

    static let kind = "heap"

    private(set) var rows: [Row] = []
    private(set) var tops: [Int] = []
    private var rowsOfType: [String: [Int]] = [:]

    init(_ heap: Report.LiveHeap) {
        // Row by row: the tree of a hostile file may be deep.
        var open = heap.holders.reversed().map { (holder: $0, parent: -1, depth: 0) }
        while let (holder, parent, depth) = open.popLast() {
            let index = rows.count
            var own = holder
            own.children = []
            rows.append(Row(holder: own, parent: parent, depth: depth))
            rowsOfType[holder.type, default: []].append(index)
            if parent < 0 { tops.append(index) } else { rows[parent].children.append(index) }
            open += holder.children.reversed().map { ($0, index, depth + 1) }
        }
    }

    /// By row, whether it is among those of the most retained bytes. No row is without its holder, which retains no less.
    func largest(_ limit: Int) -> [Bool] {
        let sorted = rows.indices.sorted { left, right in
            let (a, b) = (rows[left], rows[right])
            if a.holder.retainedBytes != b.holder.retainedBytes {
                return a.holder.retainedBytes > b.holder.retainedBytes
            }
            return (a.depth, left) < (b.depth, right)
        }
        var kept = [Bool](repeating: false, count: rows.count)
        for index in sorted.prefix(limit) { kept[index] = true }
        return kept
    }

    /// What holds the objects of a type, the most retained bytes first.
    func holders(of type: String) -> [HolderOfType] {
        struct Key: Hashable {
            var type: String?
            var field: String?
            var root: String?
        }
        var known: [Key: HolderOfType] = [:]
        for index in rowsOfType[type] ?? [] {
            let row = rows[index]
            let above = row.parent < 0 ? nil : rows[row.parent].holder.type
            let key = Key(type: above, field: row.holder.field, root: row.holder.root)
            var holder = known[key] ?? HolderOfType(type: above, field: row.holder.field, root: row.holder.root)
            holder.count += row.holder.count
            holder.bytes &+= row.holder.retainedBytes
            known[key] = holder
        }
        return known.values.sorted { ($1.bytes, $1.count, $0.field ?? "") < ($0.bytes, $0.count, $1.field ?? "") }
    }

    /// The tree as the drawing of stacks reads one: a function for each field and type.
    func callTree(names: ShortNames, bytes: UInt64) -> Report.Hotspots.CallTree {
        struct Key: Hashable {
            var field: String?
            var type: String
        }
        var tree = Report.Hotspots.CallTree(nodes: [[-1, -1, Int(clamping: bytes)]])
        tree.roots = [.init(thread: "heap", node: 0, kind: Self.kind)]
        var numbers: [Key: Int] = [:]
        for row in rows {
            let key = Key(field: row.holder.field, type: row.holder.type)
            let number = numbers[key] ?? tree.functions.count
            if number == tree.functions.count {
                numbers[key] = number
                let short = names[key.type]
                tree.functions.append(
                    .init(
                        name: key.field.map { "\($0): \(short)" } ?? short, module: TypeName.module(of: key.type) ?? "",
                        origin: Self.origin(of: key.type)))
            }
            tree.nodes.append([row.parent + 1, number, Int(clamping: row.holder.retainedBytes)])
        }
        return tree
    }

    private static func origin(of type: String) -> FrameOrigin {
        if TypeName.isUsers(type) { return .user }
        guard let module = TypeName.module(of: type) else { return .runtime }
        return SystemModules.runtime.contains(module) ? .runtime : .library
    }
}
