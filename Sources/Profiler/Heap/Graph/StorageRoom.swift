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

/// Large collections whose resident capacity is not filled.
enum UnusedCapacity {
    /// Bytes for which a collection is named.
    private static let least: UInt64 = 64 << 10

    /// By type and stack, in the order of both.
    /// - Parameter resident: how many bytes of a range are in the machine's memory.
    static func rows(
        _ graph: BlockGraph, resident: (Range<UInt64>) -> UInt64, stack: (BlockMap.Block) -> StackID
    ) -> [HeapCensusRecord] {
        struct Place: Hashable {
            var type: TypeID
            var stack: StackID
        }
        var rows: [Place: HeapCensusRecord] = [:]
        graph.blocks.visitAll { block in
            guard block.size >= least, let type = graph.type(of: block), let room = StorageRoom(block, type)
            else { return }
            let bytes = UInt64(room.unused * Double(resident(room.range)))
            guard bytes >= least else { return }
            let place = Place(type: type.id, stack: stack(block))
            rows[place, default: HeapCensusRecord(type: type.id, stack: place.stack, count: 0, bytes: 0)].count += 1
            rows[place]?.bytes += bytes
        }
        return rows.values.sorted { ($0.type, $0.stack) < ($1.type, $1.stack) }
    }
}
