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
