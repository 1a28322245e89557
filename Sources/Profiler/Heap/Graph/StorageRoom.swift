import GameprofTrace

/// The part of a collection's storage that no element uses.
struct StorageRoom {
    /// Where it is; of a hash table the whole storage.
    let range: Range<UInt64>
    /// The share of its bytes that no element uses.
    let unused: Double

    /// Nil: the object is no storage of a collection.
    init?(_ object: BlockMap.Block, _ type: ObjectType) {
        let memory = type.metadata.space.memory
        guard let storage = type.storage, let count = memory.word(object.start + 16),
            let capacity = memory.word(object.start + 24)
        else { return nil }
        switch storage {
        case .array:
            let element = type.metadata.arguments.flatMap { memory.word($0) }
            let stride = element.flatMap { Metadata(type.metadata.space, $0)?.stride } ?? 0
            let elements: UInt64 = 32
            guard stride != 0, object.size >= elements, count <= capacity >> 1,
                capacity >> 1 <= (object.size - elements) / stride
            else { return nil }
            let start = object.start + elements
            (range, unused) = (start + count * stride..<start + (capacity >> 1) * stride, 1)
        case .dictionary, .set:
            guard let scale = memory.u8(object.start + 32), scale <= 40, case let buckets:UInt64 = 1 << UInt64(scale),
                buckets <= 8 * object.size, count <= capacity, capacity <= buckets
            else { return nil }
            (range, unused) = (object.start..<object.start + object.size, Double(capacity - count) / Double(buckets))
        case .string: return nil
        }
    }
}

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
        func add(_ bytes: UInt64, of block: BlockMap.Block, to rows: inout [Place: HeapCensusRecord]) {
            let place = Place(type: graph.type(of: block)?.id ?? .none, stack: stack(block))
            let none = HeapCensusRecord(type: place.type, stack: place.stack, count: 0, bytes: 0)
            rows[place, default: none].count += 1
            rows[place]?.bytes += bytes
        }
        graph.blocks.visitAll { block in
            guard block.size >= Self.least else { return }
            // The page of its end may be the next block's.
            let range = block.start..<block.start + block.size
            let pages = range.lowerBound & ~4095..<(range.upperBound + 4095) & ~4095
            let absent = UInt64(pages.count) - min(resident(pages), UInt64(pages.count))
            if absent > 0 { add(min(absent, block.size), of: block, to: &empty) }
            guard let type = graph.type(of: block), let room = StorageRoom(block, type) else { return }
            let bytes = UInt64(room.unused * Double(resident(room.range)))
            if bytes >= Self.least { add(bytes, of: block, to: &full) }
        }
        func sorted(_ rows: [Place: HeapCensusRecord]) -> [HeapCensusRecord] {
            rows.values.sorted { ($0.type, $0.stack) < ($1.type, $1.stack) }
        }
        (capacity, untouched) = (sorted(full), sorted(empty).filter { $0.bytes >= Self.leastUntouched })
    }
}
