import CTraceFormat
import GameprofTrace

@testable import GameprofHeap

/// The frozen copy of a process that has a thread, variables, and blocks with the headers of malloc: made by hand.
final class FakeClone {
    static let (variables, heap): (UInt64, UInt64) = (0x7f00_0000_0000, 0x5000_0000_0000)
    static let (thread, pointer): (UInt32, UInt64) = (77, 0x7f00_0000_7f00)
    private var words = [UInt64](repeating: 0, count: 512)
    private var data = [UInt64](repeating: 0, count: 4096)
    private var blocks: [gp_search_block] = []
    private var others: [(start: UInt64, words: [UInt64])] = []
    private var rows: [gp_search_words] = []
    /// What it says beside that.
    var messages: [HeapImageRecord] = []

    init() {
        add(GP_ROOT_GLOBAL, Self.variables, Self.variables + 8 * UInt64(data.count))
        add(GP_WORDS_THREAD, Self.pointer, 0, thread: Self.thread)
    }

    /// The address of a new block.
    func block(_ size: Int, _ contents: [UInt64] = [], flags: UInt32 = 0) -> UInt64 {
        let start = blocks.last.map { ($0.address + $0.size + 23) & ~15 } ?? Self.heap + 16
        let first = Int(start - Self.heap) / 8
        words[first - 1] = UInt64((size + 23) & ~15) | 1
        for (index, word) in contents.enumerated() { words[first + index] = word }
        blocks.append(gp_search_block(address: start, size: UInt64(size), maker: flags, type: 0))
        return start
    }

    subscript(_ address: UInt64) -> UInt64 {
        get { words[Int(address - Self.heap) / 8] }
        set { words[Int(address - Self.heap) / 8] = newValue }
    }

    /// Variables, from some word on.
    func variables(_ first: Int, _ words: [UInt64]) {
        for (index, word) in words.enumerated() { data[first + index] = word }
    }

    /// Memory that the program mapped; of a block that malloc mapped by itself the size.
    func map(_ words: [UInt64], at start: UInt64, block size: UInt64? = nil) {
        others.append((start, words))
        if let size { blocks.append(gp_search_block(address: start + 16, size: size, maker: 0, type: 0)) }
    }

    func add(_ kind: Int, _ start: UInt64, _ end: UInt64, thread: UInt32 = 0) {
        rows.append(gp_search_words(kind: UInt32(kind), thread: thread, start: start, end: end))
    }

    func frozen() throws -> FrozenClone {
        let parts = [(Self.heap, words), (Self.variables, data)] + others
        let image = MemoryImage(
            mappings: parts.map { start, words in
                MemoryImage.Mapping(start: start, end: start + 8 * UInt64(words.count), isWritable: true)
            }, threads: [], machine: 62)
        for (start, words) in parts {
            let memory = Words(words)
            image.add(UnsafeRawBufferPointer(memory.bytes), at: start, owner: memory)
        }
        let last = [
            Self.message(GP_SEARCH_BLOCKS, blocks.sorted { $0.address < $1.address }),
            Self.message(GP_SEARCH_WORDS, rows), Self.message(GP_SEARCH_BEGIN, [UInt64]()),
        ]
        var said = (messages + last).makeIterator()
        return try FrozenClone(image, pages: nil) { said.next() ?? last[2] }
    }

    func graph(_ clone: FrozenClone) -> BlockGraph {
        BlockGraph(Metadata.Space(clone.image, ELFImages(clone.image), clone.blocks))
    }

    /// Whether a root names the block at an address.
    func isNamed(_ address: UInt64) throws -> Bool {
        let clone = try frozen()
        let number = clone.blocks.exact(address)
        return ImageRoots.find(clone, graph(clone)).roots.contains { $0.object.index - 1 == number }
    }

    private static func message<Row>(_ kind: Int, _ rows: [Row]) -> HeapImageRecord {
        HeapImageRecord(kind: UInt32(kind), first: 0, second: 0, bytes: rows.withUnsafeBytes { Array($0) })
    }
}

private final class Words {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ words: [UInt64]) {
        bytes = .allocate(byteCount: 8 * words.count, alignment: 16)
        words.withUnsafeBytes { bytes.copyMemory(from: $0) }
    }

    deinit { bytes.deallocate() }
}
