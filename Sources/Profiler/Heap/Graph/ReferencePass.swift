import GameprofTrace

/// Looks at each block of a heap once, in ascending order of addresses, and visits what it holds. An object whose type holds
/// nothing weakly, or memory without a type, is read in place: about 20 ns, and 20 ns a word that names a block. All others are
/// left to `BlockGraph`. Words wait in a short queue while the processor fetches what the map says of them.
final class ReferencePass {
    /// What is said of the objects with one first word.
    struct Shape {
        fileprivate var word = UInt64.max
        /// Of the object without what lies behind it.
        fileprivate var size: UInt64 = 0
        fileprivate var ownSize: UInt64 = 0
        fileprivate var largestBlock: UInt64 = 0
        fileprivate var isClass = false
        fileprivate(set) var isSwift = false
        fileprivate var isPlain = false
        /// Where the elements of an array's storage begin, and the bytes of each; 0: the object is no array's storage.
        fileprivate var (first, stride): (UInt64, UInt64) = (0, 0)
        fileprivate var isText = false

        init() {}

        init(_ word: UInt64, _ type: ObjectType) {
            (self.word, size, isSwift, isPlain) = (word, type.instanceSize, true, type.isPlain)
            (ownSize, largestBlock) = (type.ownSize ?? 0, type.largestBlock)
            isClass = type.kind == .classInstance
            switch type.storage {
            case .array: (first, stride) = (type.firstElement, type.elementStride)
            case .dictionary, .set: isPlain = false
            case .string: isText = true
            case nil: break
            }
        }

        /// Where what an object holds ends. In front of `size` for an array with room for more elements.
        /// - Parameter isFilling: a function may be adding elements to an array.
        @inline(__always)
        fileprivate func filledEnd(_ object: UnsafeRawPointer, _ size: UInt64, isFilling: Bool) -> UInt64 {
            guard stride > 0, first <= size, !isFilling || stride < 8 else { return size }
            let count = object.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
            return count <= (size - first) / stride ? first + count * stride : size
        }

        /// How many bytes of a block were asked for.
        @inline(__always)
        func requested(of usable: UInt64) -> UInt64 { usable <= largestBlock ? min(ownSize, usable) : usable }
    }

    /// Blocks as long as this are read in pieces.
    static let large: UInt64 = 1 << 18
    private static let shapeCount = 1024

    private let graph: BlockGraph
    private let memory: MemoryImage
    private let places: BlockMap.Places
    private let isExact: Bool
    @exclusivity(unchecked) private var window = MemoryImage.Window()
    private let shapes: UnsafeMutablePointer<Shape>

    /// A word that may name a block, and the block in which it stands.
    private struct Pending {
        var word: UInt64
        var block: Int
    }

    private static let pendingCount = 32
    /// A ring: the next place holds the word that has waited longest; 0: none.
    private let pending: UnsafeMutablePointer<Pending>
    @exclusivity(unchecked) private var place = 0

    init(_ graph: BlockGraph) {
        (self.graph, memory) = (graph, graph.memory)
        (places, isExact) = (graph.blocks.places, graph.blocks.isExact && graph.blocks.hasHeaders)
        shapes = .allocate(capacity: Self.shapeCount)
        shapes.initialize(repeating: Shape(), count: Self.shapeCount)
        pending = .allocate(capacity: Self.pendingCount)
        pending.initialize(repeating: Pending(word: 0, block: 0), count: Self.pendingCount)
    }

    deinit {
        shapes.deallocate()
        pending.deallocate()
    }

    /// Visits what waits, and gives back what was taken for the pass.
    func end(_ visit: (Int, Int) -> Void) {
        flush(visit)
        window = MemoryImage.Window()
        memory.endPass()
    }

    func shape(of block: BlockMap.Block) -> Shape { graph.type(of: block).map { Shape(0, $0) } ?? Shape() }

    /// Visits the blocks that a block holds on to, or that those before it do: a block, and what it holds.
    @inline(__always)
    func read(_ block: BlockMap.Block, _ visit: (Int, Int) -> Void) -> Shape {
        // What the allocator says of a block stands in front of it.
        let bytes = look(block.start - 16, min(block.size, Self.large) + 16)
        guard let object = bytes.map({ $0 + 16 }), block.size >= 16 else { return readElsewhere(block, visit) }
        let word = object.loadUnaligned(as: UInt64.self)
        var shape = shapes[Self.slot(word)]
        if shape.word != word || shape.size > block.size { shape = find(word, block) }
        guard shape.isSwift else {
            let sixth = block.size >= 48 ? object.loadUnaligned(fromByteOffset: 40, as: UInt64.self) : nil
            guard graph.isBare(block, word, sixth) else {
                visitHeld(by: block, nil, visit)
                return shape
            }
            scan(block, object, from: 0, to: block.size, visit)
            return shape
        }
        guard shape.isPlain else {
            visitHeld(by: block, graph.type(of: block), visit)
            return shape
        }
        var size = block.size
        if isExact, shape.isClass, size >= shape.size + 8 {
            size = BlockGraph.extent(size, chunk: (object - 8).loadUnaligned(as: UInt64.self))
        }
        let counts = object.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        if shape.isText, let text = text(object, size) {
            scan(block, object, from: 32, to: text.end, visit)
            if let place = text.breadcrumbs { scan(block, object, from: place, to: place + 8, visit) }
        } else {
            let end = shape.filledEnd(object, size, isFilling: graph.filling.contains(block.number))
            scan(block, object, from: 16, to: end, visit)
        }
        if counts >> 62 == 3, let table = graph.sideTable(of: block) {
            flush(visit)
            visit(block.number, table)
        }
        return shape
    }

    @inline(__always)
    private func text(_ object: UnsafeRawPointer, _ size: UInt64) -> StoredText? {
        guard size >= 32 else { return nil }
        return StoredText(
            capacity: object.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
            count: object.loadUnaligned(fromByteOffset: 24, as: UInt64.self), size: size)
    }

    @inline(__always)
    private func look(_ start: UInt64, _ count: UInt64) -> UnsafeRawPointer? {
        window.pointer(start, count) ?? move(start, count)
    }

    @inline(never)
    private func move(_ start: UInt64, _ count: UInt64) -> UnsafeRawPointer? {
        window = memory.pass(start, count: count) ?? MemoryImage.Window()
        return window.pointer(start, count)
    }

    private func readElsewhere(_ block: BlockMap.Block, _ visit: (Int, Int) -> Void) -> Shape {
        let type = graph.type(of: block)
        visitHeld(by: block, type, visit)
        return type.map { Shape(0, $0) } ?? Shape()
    }

    @inline(never)
    private func visitHeld(by block: BlockMap.Block, _ type: ObjectType?, _ visit: (Int, Int) -> Void) {
        flush(visit)
        graph.forEachHeld(by: block, type) { visit(block.number, $0) }
    }

    private static func slot(_ word: UInt64) -> Int { Int((word >> 4 ^ word >> 14) & UInt64(shapeCount - 1)) }

    @inline(never)
    private func find(_ word: UInt64, _ block: BlockMap.Block) -> Shape {
        guard let type = graph.type(of: block) else { return Shape() }
        let shape = Shape(word, type)
        shapes[Self.slot(word)] = shape
        return shape
    }

    /// - Parameter bytes: the block's, at least `large` where it has as many.
    @inline(__always)
    private func scan(
        _ block: BlockMap.Block, _ bytes: UnsafeRawPointer, from start: UInt64, to end: UInt64,
        _ visit: (Int, Int) -> Void
    ) {
        let first = min(block.size, Self.large)
        words(bytes + Int(start), Int(min(end, first)) - Int(start), block.number, visit)
        if end > first { scanBehind(block, max(first, start), end, visit) }
    }

    @inline(never)
    private func scanBehind(_ block: BlockMap.Block, _ first: UInt64, _ end: UInt64, _ visit: (Int, Int) -> Void) {
        var at = first & ~7
        while at < end {
            // A large block may be a reservation of which most was never touched.
            let touched = memory.next(from: block.start + at)
            guard touched < block.start + end else { return }
            at = (touched - block.start) & ~7
            let count = min(end - at, Self.large)
            if let bytes = look(block.start + at, count) {
                words(bytes, Int(count), block.number, visit)
            } else {
                memory.forEachPiece(of: block.start + at..<block.start + at + count) {
                    words($1.baseAddress!, $1.count, block.number, visit)
                }
            }
            at += count
        }
    }

    /// 1 ns a word that is no address in the heap.
    @inline(__always)
    private func words(_ bytes: UnsafeRawPointer, _ count: Int, _ block: Int, _ visit: (Int, Int) -> Void) {
        var at = 0
        while at + 8 <= count {
            let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            at += 8
            if word &- places.low < places.span {
                if places.fetch(word) { push(word, block, visit) }
            } else if word >> 48 != 0, graph.named(by: word) != nil {
                push(word, block, visit)
            }
        }
    }

    @inline(__always)
    private func push(_ word: UInt64, _ block: Int, _ visit: (Int, Int) -> Void) {
        let oldest = pending[place]
        pending[place] = Pending(word: word, block: block)
        place = (place + 1) & (Self.pendingCount - 1)
        if oldest.word != 0 { take(oldest, visit) }
    }

    @inline(__always)
    private func take(_ pending: Pending, _ visit: (Int, Int) -> Void) {
        let target = places.inside(pending.word) ?? graph.named(by: pending.word)
        if let target, target != pending.block { visit(pending.block, target) }
    }

    private func flush(_ visit: (Int, Int) -> Void) { for _ in 0..<Self.pendingCount { push(0, 0, visit) } }
}
