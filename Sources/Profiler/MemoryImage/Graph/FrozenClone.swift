import CTraceFormat
import Foundation
import GameprofBasics
import GameprofImageSymbols
import GameprofTraceFile

/// The frozen copy of a recorded process, and what the recorder knows of it: live blocks with their stacks, where the
/// program's words stand, and what is asked for.
struct FrozenClone {
    /// What the recorder's table says of a block.
    struct Entry {
        var size: UInt64
        var stack: StackID
    }

    let connection: SearchConnection
    let image: MemoryImage
    let blocks: BlockMap
    /// Words of the program outside of its blocks.
    let words: [gp_search_words]
    /// Numbers of blocks that hold nothing.
    let stale: [Int]
    /// By block: its words may be stale.
    let room: BitSet
    /// By address of a block: where what it holds ends.
    let filledEnds: [UInt64: UInt64]
    let places: RootPlaces
    let questions: HeapQuestions
    /// By block: the recorder's entry.
    private let entries: [UInt64]

    /// Listens to what the copy says first.
    init(_ connection: SearchConnection) throws {
        var rows: [gp_search_words] = []
        var found: [gp_search_block] = []
        var questions = HeapQuestions(graph: .never)
        listening: while true {
            let message = try connection.next()
            switch message.kind {
            case Int(GP_SEARCH_WORDS): rows += message.rows()
            case Int(GP_SEARCH_BLOCKS): found += message.rows()
            case Int(GP_SEARCH_BEGIN):
                questions.note(UInt32(truncatingIfNeeded: message.first))
                break listening
            default: questions.note(message)
            }
        }
        self.connection = connection
        self.questions = questions
        let memory = RemoteMemory(of: connection.peer, connection)
        image = MemoryImage(
            mappings: CopyPlan.mappings(of: connection.peer), threads: [], machine: ELFFile.ownMachine)
        guard !image.mappings.isEmpty else { throw MemoryImageError("The copy's mappings cannot be read.") }
        for mapping in image.mappings where !mapping.file.hasPrefix("[v") {
            image.add(PagedMemory(of: memory, mapping))
        }
        let said = rows
        func facts(_ kind: Int) -> some Collection<gp_search_words> { said.lazy.filter { $0.kind == UInt32(kind) } }
        filledEnds = Dictionary(
            facts(Int(GP_WORDS_TABLE)).map { ($0.start, $0.end) }, uniquingKeysWith: { $1 })
        words = rows.filter { $0.kind < UInt32(GP_WORDS_STALE) }
        places = RootPlaces(rows)
        (blocks, entries) = (try Self.blocks(image, found), found.map(\.entry))
        let count = blocks.count
        func numbers(_ kind: Int) -> [Int] { facts(kind).compactMap { Int(exactly: $0.start) }.filter { $0 < count } }
        stale = numbers(Int(GP_WORDS_STALE))
        var room = BitSet(count: count)
        for block in numbers(Int(GP_WORDS_ROOM)) { room.insert(block) }
        self.room = room
    }

    private static func usable(_ block: gp_search_block, _ image: MemoryImage) -> UInt64 {
        guard block.entry >> 32 == UInt64(UInt32.max), let word = image.word(block.address &- 8) else {
            return block.entry >> 32
        }
        return max(word & ~7, 16) - (word & 2 != 0 ? 16 : 8)
    }

    private static func blocks(_ image: MemoryImage, _ found: [gp_search_block]) throws -> BlockMap {
        let (longest, gap): (UInt64, UInt64) = (1 << 20, 1 << 16)
        var regions: [BlockMap.Region] = []
        var region: BlockMap.Region?
        var last: UInt64 = 0
        for block in found {
            let size = usable(block, image)
            guard block.address & 15 == 0, block.address >= last, size <= image.userBits - block.address else {
                throw SearchConnection.Broken()
            }
            last = block.address + max(size, 16)
            if size > longest {
                regions.append(BlockMap.Region(start: block.address, single: (size + 7) & ~7))
                continue
            }
            if let open = region, block.address > open.end, block.address - open.end > gap {
                regions.append(open)
                region = nil
            }
            if region == nil { region = BlockMap.Region(start: block.address) }
            let next = block.address + (size + 23) & ~15
            region?.add(
                block.address, next: next, isLive: true, isShort: next - 16 - block.address >= size)
        }
        if let region { regions.append(region) }
        let map = BlockMap(regions, isExact: true)
        guard map.count == found.count else { throw SearchConnection.Broken() }
        return map
    }

    /// What the recorder's table says of a block.
    func entry(_ block: BlockMap.Block) -> Entry {
        let entry = entries[block.number]
        let row = gp_search_block(address: block.start, entry: entry)
        return Entry(
            size: Self.usable(row, image), stack: StackID(rawValue: UInt32(truncatingIfNeeded: entry) >> 4))
    }
}
