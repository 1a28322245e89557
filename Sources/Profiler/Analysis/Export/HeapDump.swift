import GameprofBasics
import GameprofTrace

/// The whole heap of a snapshot with its names, as formats of heap viewers need it. Blocks are named by their position:
/// 0, 1, 2 … in ascending order of address; so are references.
public struct HeapDump {
    /// What keeps a block alive from outside.
    public struct Root {
        public var block: Int
        public var kind: HeapRoot.Kind
        /// What a report calls it: the variable, or where it stands.
        public var name: String
        /// Name or number of the thread; nil: it belongs to none.
        public var thread: String?
        /// False: the word is stale or only borrows, typed references explain the whole reference count.
        public var holds: Bool
    }

    /// A call of an allocation stack.
    public struct Frame: Hashable, Sendable {
        public var function: String
        /// Module of the function, or the image's file name.
        public var module: String
        /// Path of the source file; empty: not known.
        public var file: String
        /// From 1; 0: not known.
        public var line: Int

        public init(function: String, module: String = "", file: String = "", line: Int = 0) {
            self.function = function
            self.module = module
            self.file = file
            self.line = line
        }
    }

    public let heap: LiveHeap
    /// Number and name of the snapshot.
    public let snapshot: Int
    public let snapshotName: String
    /// Nanoseconds between the start of recording and the snapshot.
    public let time: UInt64
    /// Names of types, by the numbers that `type(of:)` gives.
    public let typeNames: [String]
    /// By label: `cards`, `[…].owner`; empty where the reference has no name.
    public let labels: [String]
    public let roots: [Root]
    /// By block, and what would be freed with it, in bytes; 0: no root reaches it.
    public let retained: RetainedBytes

    private let names: LiveHeapNames
    private let graph: HeldGraph
    private let tree: DominatorTree
    private let symbolicator: any Symbolicating

    /// - Parameter snapshot: its number; nil: the last sound one.
    /// - Returns: nil when there is no such snapshot, or it has no graph.
    public init?(_ recording: Recording, snapshot number: Int? = nil, symbolicator: any Symbolicating) {
        let chosen = recording.heapSnapshots.last { snapshot in
            guard let number else { return snapshot.unsoundReason == nil && snapshot.graph != nil }
            return snapshot.begin.snapshot.rawValue == number
        }
        guard let chosen, let heap = chosen.graph else { return nil }
        let rootNames = RootNames(
            symbolicator: symbolicator, threads: recording.threadNames,
            main: ThreadID(UInt32(clamping: recording.program?.pid ?? 0)))
        self.init(heap, of: chosen.begin, types: recording.types, rootNames: rootNames)
    }

    init(_ heap: LiveHeap, of snapshot: HeapBeginRecord, types: TypeTable, rootNames: RootNames) {
        self.heap = heap
        self.snapshot = Int(snapshot.snapshot.rawValue)
        snapshotName = snapshot.name
        time = snapshot.time
        symbolicator = rootNames.symbolicator
        let names = LiveHeapNames(heap, types: types)
        self.names = names
        typeNames = (0..<names.count).map { PlainText.clean(names.text(Int32($0))) }
        labels = heap.labels.map { PlainText.clean(Self.name(of: $0)) }
        let graph = HeldGraph(heap)
        self.graph = graph
        tree = DominatorTree(graph)
        retained = tree.retained(heap.sizes)
        let held = Set(graph.references(of: graph.entry).compactMap(graph.target))
        roots = heap.roots.map { record in
            let root = rootNames.root(record)
            let block = record.object.index - 1
            return Root(
                block: block, kind: record.kind, name: PlainText.clean(root.name),
                thread: root.thread.map(PlainText.clean), holds: held.contains(UInt32(block)))
        }
    }

    private static func name(of label: HeapLabelRecord) -> String {
        let path = FieldName.clean(label.path)
        switch label.kind {
        case .element, .value: return FieldName.inside("[…]", path)
        case .key: return FieldName.inside("[key]", path)
        case .none, .field, .capture, .box, .raw, .task: return path
        }
    }

    public var count: Int { heap.count }

    public func type(of block: Int) -> Int { Int(names.number(UInt32(block))) }

    /// Storage, a closure context, a box or memory without a type: it belongs to what holds it.
    public func isBuffer(_ block: Int) -> Bool { names.isBuffer(UInt32(block)) }

    /// Whether a reference keeps what it names alive: it is strong, or a word without a type that the reference counts need.
    public func holds(_ reference: Int) -> Bool { graph.target(reference) != nil }

    public func label(of reference: Int) -> String { labels[Int(heap.label(of: reference))] }

    public func kind(of reference: Int) -> HeapReference.Kind { heap.labels[Int(heap.label(of: reference))].kind }

    /// Whether a root reaches it through references that hold.
    public func isHeld(_ block: Int) -> Bool { tree.parent[block] != DominatorTree.none }

    /// The block without which this one would be freed; nil: no single one.
    public func dominator(of block: Int) -> Int? {
        let above = tree.parent[block]
        return above == DominatorTree.none || above == UInt32(count) ? nil : Int(above)
    }

    /// By block: the nearest one above it in the tree that is no buffer; `none`: none is.
    public func owners() -> [UInt32] {
        var result = [UInt32](repeating: Self.none, count: count + 1)
        for node in tree.preorder.dropFirst() {
            let above = tree.parent[Int(node)]
            guard above != UInt32(count) else { continue }
            result[Int(node)] = names.isBuffer(above) ? result[Int(above)] : above
        }
        result.removeLast()
        return result
    }

    /// No block.
    public static let none = UInt32.max

    /// The stacks that allocated the blocks, in ascending order. Their symbols are looked up at once.
    public func stacks() -> [StackID] {
        let used = Set(heap.stacks).subtracting([.none])
        symbolicator.prepare(stacks: used, addresses: [])
        return used.sorted { $0.rawValue < $1.rawValue }
    }

    /// Innermost first, without frames of reference counting and allocation.
    public func frames(of stack: StackID) -> [Frame] {
        let all = symbolicator.stack(stack).frames
        let kept = all.filter { !$0.isRuntimeSupport }
        return (kept.isEmpty ? all : kept).map { frame in
            Frame(
                function: PlainText.clean(FunctionName.display(frame.function)),
                module: PlainText.clean(frame.module.isEmpty ? frame.image : frame.module),
                file: PlainText.clean(frame.file ?? ""), line: frame.line ?? 0)
        }
    }
}
