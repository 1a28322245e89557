import CTraceFormat

/// Where the chunks of a trace stand: in the file, compressed or not, or in the spool beside it.
struct ChunkDirectory {
    /// A chunk's place.
    struct Entry {
        var isInSpool: Bool
        var offset: UInt64
        /// Bytes in the file.
        var size: UInt32
        /// Bytes after decompression; 0: not compressed.
        var rawSize: UInt32
        /// Of a chunk in the spool: while the program runs, another may take its block there.
        var sequence: UInt64 = 0
    }

    var entries: [Entry] = []
    var damage = TraceDamage()

    /// Lists the chunks of `file`. A chunk of the spool takes the place of the same chunk in the trace.
    init(file: RandomAccessFile, header: TraceHeader, spool: RandomAccessFile?) throws {
        if header.isCompressed {
            try listPacked(file, chunkSize: header.chunkSize)
        } else {
            try listRaw(file, header: header, spool: spool)
        }
    }

    private mutating func listRaw(_ file: RandomAccessFile, header: TraceHeader, spool: RandomAccessFile?) throws {
        let chunkSize = header.chunkSize
        let size = UInt64(chunkSize)
        var spooled: [UInt64: UInt64] = [:]
        if let spool { spooled = try Spool.chunks(of: spool, chunkSize: chunkSize) }
        // Measured after the spool was listed: a chunk that had left it by then stands in the trace.
        let end = file.currentSize
        var offset = size
        while offset < end {
            if let place = spooled.removeValue(forKey: offset / size) {
                entries.append(spoolEntry(place, offset / size, chunkSize))
            } else {
                let count = min(size, end - offset)
                if count < size, try !(header.isFinished && isUsed(file, at: offset, upTo: count)) {
                    damage.isCut = true
                }
                entries.append(Entry(isInSpool: false, offset: offset, size: UInt32(count), rawSize: 0))
            }
            offset += size
        }
        for (sequence, place) in spooled.sorted(by: { $0.key < $1.key }) {
            entries.append(spoolEntry(place, sequence, chunkSize))
        }
        if end < size { damage.isCut = true }
    }

    /// Whether a chunk has no records behind its first `count` bytes: a limit on file size may lie there.
    private func isUsed(_ file: RandomAccessFile, at offset: UInt64, upTo count: UInt64) throws -> Bool {
        try file.read(gp_chunk_header.self, at: offset).map { $0.magic == GP_CHUNK_MAGIC && $0.used <= count } ?? false
    }

    private func spoolEntry(_ place: UInt64, _ sequence: UInt64, _ chunkSize: Int) -> Entry {
        Entry(isInSpool: true, offset: place, size: UInt32(chunkSize), rawSize: 0, sequence: sequence)
    }

    private mutating func listPacked(_ file: RandomAccessFile, chunkSize: Int) throws {
        let headerSize = UInt64(MemoryLayout<gp_packed_chunk>.size)
        var offset = UInt64(chunkSize)
        if file.size < offset { damage.isCut = true }
        while offset < file.size {
            guard let packed = try file.read(gp_packed_chunk.self, at: offset) else {
                damage.isCut = true
                return
            }
            let limit = Zstd.bound(chunkSize)
            guard packed.packed_size > 0, Int(packed.packed_size) <= limit, packed.raw_size > 0,
                Int(packed.raw_size) <= chunkSize
            else {
                damage.lostChunks += 1
                damage.isCut = true
                return
            }
            offset += headerSize
            guard offset + UInt64(packed.packed_size) <= file.size else {
                damage.isCut = true
                return
            }
            entries.append(
                Entry(
                    isInSpool: false, offset: offset, size: packed.packed_size, rawSize: packed.raw_size))
            offset += UInt64(packed.packed_size)
        }
    }
}
