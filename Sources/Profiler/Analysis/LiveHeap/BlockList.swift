/// Blocks in ascending order, by their distances: mostly a byte each.
struct BlockList: Sequence {
    private var bytes: [UInt8]
    private(set) var count = 0
    private var last: UInt32 = 0

    init(room: Int = 0) {
        bytes = []
        bytes.reserveCapacity(room)
    }

    /// Seven bits a byte, the lowest first; all but the last have the eighth.
    mutating func append(_ block: UInt32) {
        var distance = block - last
        while distance > 127 {
            bytes.append(UInt8(truncatingIfNeeded: distance) | 128)
            distance >>= 7
        }
        bytes.append(UInt8(distance))
        (last, count) = (block, count + 1)
    }

    func makeIterator() -> Iterator { Iterator(bytes: bytes) }

    struct Iterator: IteratorProtocol {
        fileprivate let bytes: [UInt8]
        private var place = 0
        private var block: UInt32 = 0

        fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func next() -> UInt32? {
            guard place < bytes.count else { return nil }
            var (distance, shift): (UInt32, UInt32) = (0, 0)
            while bytes[place] > 127 {
                distance |= UInt32(bytes[place] & 127) << shift
                (place, shift) = (place + 1, shift + 7)
            }
            block += distance | UInt32(bytes[place]) << shift
            place += 1
            return block
        }
    }
}
