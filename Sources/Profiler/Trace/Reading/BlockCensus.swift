import CTraceFormat

/// Counts the live blocks of a heap by type and allocation stack, as a frozen copy lists them, and those of each generation.
package struct BlockCensus: Sendable {
    private struct Counter {
        var rows: [HeapCensusRecord] = []
        /// Where the first block of each begins.
        var starts: [UInt64] = []
        private var places: [UInt64: Int] = [:]
        private var last: (key: UInt64, place: Int) = (.max, 0)

        mutating func add(_ type: UInt32, _ stack: UInt32, _ size: UInt64, at start: UInt64) {
            let key = UInt64(type) << 32 | UInt64(stack)
            if key != last.key { last = (key, place(key, start)) }
            rows[last.place].count += 1
            rows[last.place].bytes &+= size
        }

        private mutating func place(_ key: UInt64, _ start: UInt64) -> Int {
            if let place = places[key] { return place }
            places[key] = rows.count
            rows.append(
                HeapCensusRecord(
                    type: TypeID(rawValue: UInt32(key >> 32)),
                    stack: StackID(rawValue: UInt32(truncatingIfNeeded: key)),
                    count: 0, bytes: 0))
            starts.append(start)
            return rows.count - 1
        }
    }

    private var all = Counter()
    private var ofGeneration: [UInt32: Counter] = [:]

    package init() {}

    /// In the order of their first blocks.
    package var rows: [HeapCensusRecord] { all.rows }

    /// By row: the address of its first block.
    package var firstBlocks: [UInt64] { all.starts }

    package var generations: [GenerationRecord] {
        ofGeneration.sorted { $0.key < $1.key }.flatMap { generation, counter in
            counter.rows.map {
                GenerationRecord(
                    generation: generation, type: $0.type, stack: $0.stack, count: $0.count, bytes: $0.bytes)
            }
        }
    }

    /// Counts the blocks of a message, if it lists some (`GP_SEARCH_BLOCKS`).
    package mutating func add(_ message: HeapImageRecord) {
        guard message.kind == UInt32(GP_SEARCH_BLOCKS) else { return }
        let row = MemoryLayout<gp_search_block>.stride
        message.bytes.withUnsafeBytes { bytes in
            for at in stride(from: 0, through: bytes.count - row, by: row) {
                let block = bytes.loadUnaligned(fromByteOffset: at, as: gp_search_block.self)
                guard block.maker & UInt32(GP_SEARCH_OF_RECORDER) == 0 else { continue }
                let (size, stack) = (block.size & GP_SEARCH_SIZE, block.maker >> 4)
                let address = block.address & (1 << UInt64(GP_SEARCH_ADDRESS_BITS) - 1)
                all.add(block.type, stack, size, at: address)
                let generation = UInt32(truncatingIfNeeded: block.size >> 56)
                if generation > 0 {
                    ofGeneration[generation, default: Counter()].add(block.type, stack, size, at: address)
                }
            }
        }
    }
}
