#if Instrumented
internal import CRecorderInterface

/// What a living object holds, drawn as a tree: fields, who owns what, reference counts, cycles.
///
/// ```
/// Puzzle  strong 2
/// ├─ undoManager  weak → UndoManager  strong 1, weak 1
/// │  └─ undoStack  strong → _ContiguousArrayStorage<Action>  strong 1
/// │     ├─ [0].handler  strong → closure  strong 1
/// │     └─ [0].target  strong → Puzzle  ↺ cycle
/// └─ grid  strong → Grid  strong 1
/// ```
///
/// The tree is read once, when it is made, from the objects' memory, as Swift's reflection describes their fields: a dead
/// unowned reference does no harm. What a closure captures is not described, and is left out: a recording
/// (`gameprof leaks`) shows it. Other threads must not change the objects meanwhile. Costs some microseconds for
/// each object. The counts include the references that the caller itself holds.
public struct ObjectTree: CustomStringConvertible, Sendable {
    /// An object of the tree.
    public struct Node: Sendable {
        /// How it is called in what holds it; empty for the root.
        public let field: String
        /// `strong`, `weak`, `unowned` or `unmanaged`; empty for the root.
        public let ownership: String
        /// Without module; `memory` for what is no Swift object.
        public let type: String
        /// How many strong references there are to it; 0 for what is no Swift object, as with the two below.
        public let strong: UInt32
        /// How many unowned references there are to it.
        public let unowned: UInt32
        /// How many weak references there are to it.
        public let weak: UInt32
        /// The object is one of those that hold it here, by strong references alone.
        public let isCycle: Bool
        /// The object stands elsewhere in the tree with what it holds.
        public internal(set) var isRepeated: Bool
        /// What it holds, in the order of its fields.
        public internal(set) var children: [Node]
        /// Address of its class; 0: it is no object of a class.
        var metadata: UInt
    }

    /// The object that the tree was made of.
    public let root: Node

    /// Reads what `object` holds, `depth` references deep and `limit` objects at most.
    public init(_ object: AnyObject, depth: Int = 12, limit: Int = 1000) {
        var reader = ObjectTreeReader(depth: depth, limit: limit)
        root = withExtendedLifetime(object) {
            reader.read(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()), field: "", ownership: "")
        }
    }

    public var description: String {
        var lines = [Self.title(root)]
        Self.draw(root.children, indent: "", into: &lines)
        return lines.joined(separator: "\n")
    }

    /// The ways from the root to each object whose type has `name` in its name: `Puzzle.undoManager → UndoManager`.
    public func search(_ name: String) -> [String] {
        var found: [String] = []
        Self.search(root, path: root.type, into: &found) { $0.type.contains(name) }
        return found
    }

    /// The ways from the root to each object of a class, with those of its subclasses or without.
    public func search<Class: AnyObject>(_ type: Class.Type, subclasses: Bool = true) -> [String] {
        let exactly = unsafeBitCast(type, to: UInt.self)
        var found: [String] = []
        Self.search(root, path: root.type, into: &found) { node in
            if node.metadata == 0 || node.metadata == exactly { return node.metadata != 0 }
            return subclasses && unsafeBitCast(node.metadata, to: AnyClass.self) is Class.Type
        }
        return found
    }

    private static func search(
        _ node: Node, path: String, into found: inout [String], _ matches: (Node) -> Bool
    ) {
        for child in node.children {
            let longer = "\(path).\(child.field) → \(child.type)"
            if matches(child) { found.append(longer) }
            search(child, path: longer, into: &found, matches)
        }
    }

    private static func draw(_ nodes: [Node], indent: String, into lines: inout [String]) {
        for (index, node) in nodes.enumerated() {
            let isLast = index == nodes.count - 1
            lines.append("\(indent)\(isLast ? "└─" : "├─") \(node.field)  \(node.ownership) → \(title(node))")
            draw(node.children, indent: indent + (isLast ? "   " : "│  "), into: &lines)
        }
    }

    private static func title(_ node: Node) -> String {
        if node.isCycle { return "\(node.type)  ↺ cycle" }
        if node.isRepeated { return "\(node.type)  (as above)" }
        let counts = [("strong", node.strong), ("unowned", node.unowned), ("weak", node.weak)]
        return ([node.type] + [counts.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")])
            .filter { !$0.isEmpty }.joined(separator: "  ")
    }
}

/// Prints what `object` holds on standard output: `ObjectTree`.
public func printObjectTree(_ object: AnyObject, depth: Int = 12) {
    print(ObjectTree(object, depth: depth))
}

/// Reads an `ObjectTree`. All of its calls into C stand here.
struct ObjectTreeReader {
    let depth: Int
    var limit: Int
    private var fields = ObjectFields()
    private var seen: Set<UnsafeRawPointer> = []
    /// The objects from the root to the one that is read, and whether each is owned by the one before.
    private var path: [(object: UnsafeRawPointer, isOwned: Bool)] = []

    init(depth: Int, limit: Int) {
        self.depth = depth
        self.limit = limit
    }

    mutating func read(
        _ object: UnsafeRawPointer, field: String, ownership: String, isOwned: Bool = true
    ) -> ObjectTree.Node {
        let name = Self.typeName(object)
        let counts = name.isEmpty ? gp_object_counts() : gp_object_count(object)
        var node = ObjectTree.Node(
            field: field, ownership: ownership, type: name.isEmpty ? "memory" : Self.withoutModule(name),
            strong: counts.strong, unowned: counts.unowned, weak: counts.weak,
            isCycle: isOwned && holdsItself(object), isRepeated: false, children: [],
            metadata: name.isEmpty ? 0 : Self.classOf(object))
        node.isRepeated = !node.isCycle && !seen.insert(object).inserted
        guard !node.isCycle, !node.isRepeated, !name.isEmpty, path.count < depth, limit > 0 else { return node }
        path.append((object, isOwned))
        for reference in fields.references(of: object) where limit > 0 {
            limit -= 1
            node.children.append(
                read(
                    reference.target, field: reference.field, ownership: reference.ownership.rawValue,
                    isOwned: reference.ownership == .strong))
        }
        path.removeLast()
        return node
    }

    /// Address of the metadata of an object's class; 0: it is a closure's context or a box, whose kinds are small numbers.
    static func classOf(_ object: UnsafeRawPointer) -> UInt {
        let metadata = object.load(as: UInt.self)
        guard let kind = UnsafeRawPointer(bitPattern: metadata)?.load(as: UInt.self) else { return 0 }
        return kind == 0 || kind > 0x7ff ? metadata : 0
    }

    /// Whether every reference from an object of the path to its end owns what it leads to.
    private func holdsItself(_ object: UnsafeRawPointer) -> Bool {
        guard let place = path.firstIndex(where: { $0.object == object }) else { return false }
        return path[(place + 1)...].allSatisfy(\.isOwned)
    }

    static func typeName(_ object: UnsafeRawPointer) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { name in
            gp_object_type_name(object, name.baseAddress, name.count) > 0
                ? name.baseAddress.map { String(cString: $0) } ?? "" : ""
        }
    }

    private static func withoutModule(_ name: String) -> String {
        let head = name.prefix { $0 != "<" }
        guard let dot = head.firstIndex(of: ".") else { return name }
        return String(name[name.index(after: dot)...])
    }
}
#endif
