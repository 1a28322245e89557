import GameprofTrace

/// Which parts of a collection's storage hold values: the count of an array or of a string says it, the bitmap of a hash table. What
/// stands in the rest was left there, and holds nothing.
struct FilledStorage {
    private let object: UInt64
    private let memory: MemoryImage
    /// Where an array's elements end, or what stands in front of a table's buckets.
    let end: UInt64
    /// Where a hash table's bitmap stands, how many buckets it has, and where their keys, values or elements are.
    private let bitmap: UInt64
    private let buckets: UInt64
    private var columns: [(start: UInt64, stride: UInt64)] = []
    /// Where the address of a string's breadcrumbs stands; nil: it has none, or is no string.
    private var breadcrumbs: UInt64?

    var isTable: Bool { buckets > 0 }

    /// Whether nothing is held behind `end`.
    var isAtFront: Bool { !isTable && breadcrumbs == nil }

    /// Nil: the object is no storage of a collection, or what it says of itself makes no sense.
    /// - Parameter size: of its block.
    init?(_ object: UInt64, size: UInt64, _ type: ObjectType) {
        let memory = type.metadata.space.memory
        (self.object, self.memory) = (object, memory)
        func stride(_ index: UInt64) -> UInt64? {
            type.metadata.arguments.flatMap { memory.word($0 &+ 8 * index) }
                .flatMap { Metadata(type.metadata.space, $0)?.stride }
        }
        switch type.storage {
        case .array:
            let (first, stride) = (type.firstElement, type.elementStride)
            guard let count = memory.word(object + 16), stride > 0, first <= size, count <= (size - first) / stride
            else { return nil }
            (end, bitmap, buckets) = (first + count * stride, 0, 0)
        case .dictionary, .set:
            bitmap = type.storage == .set ? 56 : 64
            guard let scale = memory.u8(object + 32), scale <= 40 else { return nil }
            buckets = 1 << UInt64(scale)
            end = bitmap + 8 * ((buckets + 63) / 64)
            for index in 0..<(type.storage == .set ? 1 : 2) as Range<UInt64> {
                guard let address = memory.word(object + 48 + 8 * index), let stride = stride(index), stride > 0,
                    address >= object + end, address - object <= size,
                    buckets <= (size - (address - object)) / stride
                else { return nil }
                columns.append((address - object, stride))
            }
            columns.sort { $0.start > $1.start }
        case .string:
            guard let capacity = memory.word(object + 16), let count = memory.word(object + 24),
                let text = StoredText(capacity: capacity, count: count, size: size)
            else { return nil }
            (end, bitmap, buckets, breadcrumbs) = (text.end, 0, 0, text.breadcrumbs)
        case nil: return nil
        }
    }

    /// Whether a value may stand in the eight bytes at an offset.
    func holds(_ offset: UInt64) -> Bool {
        guard offset >= end else { return true }
        if let breadcrumbs { return offset == breadcrumbs }
        guard let column = columns.first(where: { $0.start <= offset }) else { return false }
        let (first, last) = ((offset - column.start) / column.stride, (offset + 7 - column.start) / column.stride)
        return (first...last).contains(where: isOccupied)
    }

    private func isOccupied(_ bucket: UInt64) -> Bool {
        bucket < buckets && (memory.word(object + bitmap + 8 * (bucket / 64)) ?? 0) >> (bucket % 64) & 1 != 0
    }
}

/// The storage of a native string (__StringStorage): its capacity and count, the text, room, and the address of what is known of
/// its positions in UTF-16, if there is room for that.
struct StoredText {
    /// Where the text ends.
    let end: UInt64
    /// Where the address of the breadcrumbs stands.
    let breadcrumbs: UInt64?

    private static let number: UInt64 = 1 << 48 - 1

    /// Nil: it makes no sense.
    /// - Parameters:
    ///   - capacity: the third word of the object; with the NUL, and the flag that says whether there may be breadcrumbs.
    ///   - count: its fourth word.
    ///   - size: bytes of its block.
    @inline(__always)
    init?(capacity: UInt64, count: UInt64, size: UInt64) {
        let (room, length) = (capacity & Self.number, count & Self.number)
        guard length < room, size >= 32, room <= size - 32 else { return nil }
        end = 32 + length
        let behind = (32 + room + 7) & ~7
        breadcrumbs = capacity >> 63 != 0 && behind + 8 <= size ? behind : nil
    }
}
