import CTraceFormat
import GameprofBasics

/// Words of a recorded process that hold nothing although they may look like pointers: what whoever used the memory before has
/// left in it. Taken for pointers they would hide leaks.
struct StaleWords {
    /// Numbers of blocks that live, and hold nothing: what libdispatch keeps for later.
    private(set) var blocks: [Int] = []
    /// By address of a block of a runtime's table: where what it holds ends.
    private(set) var filledEnds: [UInt64: UInt64] = [:]
    /// By block: a word in it is no proof that something is in use. Buffers of libc's streams, and memory without a type that
    /// variables of a shared Swift runtime lead to in one or two steps. The tables of a runtime that is linked into the program
    /// look like the program's own memory.
    private(set) var room: BitSet

    private let clone: FrozenClone
    private let graph: BlockGraph
    private var memory: MemoryImage { graph.memory }

    init(_ clone: FrozenClone, _ graph: BlockGraph) {
        (self.clone, self.graph) = (clone, graph)
        room = BitSet(count: graph.blocks.count)
        for buffer in clone.buffers { if let block = graph.blocks.exact(buffer) { room.insert(block) } }
        blocks = CachedContinuations(graph).blocks(of: clone.threadPointers)
        for words in clone.words where words.kind == UInt32(GP_ROOT_GLOBAL) { findTables(words.start, words.end) }
        findRuntimeMemory()
    }

    // MARK: - Tables of the Swift runtime

    /// Looks for maps in which the runtime notes metadata and conformances (`ConcurrentReadableHashMap`): readers (u32), elements that
    /// it holds (u32), their memory, the indices. The memory has room for more elements than the map holds: what stands there
    /// was left by the memory's last owner.
    private mutating func findTables(_ start: UInt64, _ end: UInt64) {
        let (low, span) = (graph.blocks.places.low, graph.blocks.places.span)
        var found: [UInt64] = []
        memory.forEachPiece(of: start..<end) { start, bytes in
            var at = Int((start + 7) & ~7 - start) + 8
            while at + 16 <= bytes.count {
                if bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) &- low < span {
                    found.append(start + UInt64(at))
                }
                at += 8
            }
        }
        for elements in found { findTable(elements) }
    }

    private mutating func findTable(_ elements: UInt64) {
        guard let start = memory.word(elements), let readers = memory.u32(elements - 8), readers < 4096,
            let count = memory.u32(elements - 4), count > 0, let number = graph.blocks.exact(start),
            case let block = graph.blocks[number], !graph.isObject(block), let capacity = memory.u32(start),
            let indices = memory.word(elements + 8)
        else { return }
        // A capacity and the elements: exactly as many bytes were asked for.
        let asked = min(clone.entry(block).size, graph.usable(block))
        guard capacity > 0, asked > 8, (asked - 8) % (8 * UInt64(capacity)) == 0 else { return }
        let size = (asked - 8) / UInt64(capacity)
        guard size <= 64, case let filled = 8 + UInt64(count) * size, filled <= asked else { return }
        // The last of three words is zero for a conformance that a type lacks.
        let isFilled = stride(from: start + 8, to: start + filled, by: Int(size)).allSatisfy {
            memory.word($0).map { $0 != 0 } ?? false
        }
        if isFilled, usedIndices(indices) == Int(count) { filledEnds[start] = start + filled }
    }

    /// How many indices of a map are used: numbers in 4, 8, 16 or 32 bits. Few lie in the word itself; of more it names the memory,
    /// and its low bits say how wide they are. The first place holds that, or the logarithm of how many there are.
    private func usedIndices(_ word: UInt64) -> Int? {
        let mode = word & 3
        guard mode != 0 else { return stride(from: 4, to: 64, by: 4).count(where: { word >> UInt64($0) & 15 != 0 }) }
        let (start, width) = (word - mode, UInt64(1) << (mode - 1))
        guard let number = graph.blocks.exact(start), let logarithm = memory.u8(start), logarithm <= 30,
            (1 << UInt64(logarithm)) * width <= graph.usable(graph.blocks[number])
        else { return nil }
        return (1..<UInt64(1) << UInt64(logarithm)).count(where: { place in
            let address = start + place * width
            return (0..<width).contains { memory.u8(address + $0).map { $0 != 0 } ?? false }
        })
    }

    // MARK: - Memory of the Swift runtime

    private static let largestTable: UInt64 = 1 << 20

    private mutating func findRuntimeMemory() {
        let runtimes = graph.space.images.records.filter { record in
            let name = record.path.split(separator: "/").last ?? ""
            return name.hasPrefix("libswiftCore.so") || name.hasPrefix("libswift_Concurrency.so")
        }
        for mapping in memory.mappings where mapping.isReadable && mapping.isWritable {
            guard let runtime = runtimes.first(where: { $0.start <= mapping.start && mapping.start < $0.end }) else {
                continue
            }
            noteNamed(mapping.start, min(mapping.end, runtime.end & ~7), steps: 2)
        }
    }

    private mutating func noteNamed(_ start: UInt64, _ end: UInt64, steps: Int) {
        guard start < end else { return }
        var named: [UInt64] = []
        memory.forEachPiece(of: start..<end) { _, bytes in
            graph.visitPossible(bytes.baseAddress!, bytes.count / 8) { named.append($1) }
        }
        for word in named {
            guard let number = graph.blocks.exact(word), case let block = graph.blocks[number], !graph.isObject(block),
                room.insert(number)
            else { continue }
            let size = graph.usable(block)
            if steps > 1, size <= Self.largestTable { noteNamed(word, word + size, steps: steps - 1) }
        }
    }
}
