import GameprofTrace

/// What large blocks do not use of their memory, by type and stack in the order of both.
struct UnusedMemory {
    private struct Place: Hashable {
        var type: TypeID
        var stack: StackID
    }

    /// Bytes for which a collection is named, and a block is looked at.
    private static let least: UInt64 = 64 << 10
    /// Bytes of blocks of one place that are worth a row.
    private static let leastUntouched: UInt64 = 1 << 20

    /// Resident capacity that no element uses.
    private(set) var capacity: [HeapCensusRecord] = []
    /// What is not in the machine's memory, as nobody has written to it yet.
    private(set) var untouched: [HeapCensusRecord] = []

    /// - Parameter resident: how many bytes of a range are in the machine's memory.
    init(_ graph: BlockGraph, resident: (Range<UInt64>) -> UInt64, stack: (BlockMap.Block) -> StackID) {
        var (full, empty): ([Place: HeapCensusRecord], [Place: HeapCensusRecord]) = ([:], [:])
        func add(_ bytes: UInt64, at place: Place, to rows: inout [Place: HeapCensusRecord]) {
            let none = HeapCensusRecord(type: place.type, stack: place.stack, count: 0, bytes: 0)
            rows[place, default: none].count += 1
            rows[place]?.bytes += bytes
        }
        graph.blocks.visitAll { block in
            guard block.size >= Self.least else { return }
            let type = graph.type(of: block)
            let place = Place(type: type?.id ?? .none, stack: stack(block))
            let page = PageTable.page
            let pages = block.start & ~(page - 1)..<(block.start + block.size + page - 1) & ~(page - 1)
            let absent = UInt64(pages.count) - min(resident(pages), UInt64(pages.count))
            if absent > 0 { add(min(absent, block.size), at: place, to: &empty) }
            guard let type, let room = StorageRoom(block, type) else { return }
            let bytes = UInt64(room.unused * Double(resident(room.range)))
            if bytes >= Self.least { add(bytes, at: place, to: &full) }
        }
        func sorted(_ rows: [Place: HeapCensusRecord]) -> [HeapCensusRecord] {
            rows.values.sorted { ($0.type, $0.stack) < ($1.type, $1.stack) }
        }
        (capacity, untouched) = (sorted(full), sorted(empty).filter { $0.bytes >= Self.leastUntouched })
    }
}
