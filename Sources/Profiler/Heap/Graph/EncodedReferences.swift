/// Addresses at odd places: packed structures and bytes that a program encodes ([UInt8], Data) hold them where no word begins,
/// some in the byte order of networks, some as two numbers of 32 bits, the upper one first; lock-free lists shift them to make
/// room for a counter. A whole address in one of these forms is no accident.
final class EncodedReferences {
    private let graph: BlockGraph
    private let places: BlockMap.Places
    /// Where the wanted blocks begin.
    private let (low, span): (UInt64, UInt64)
    private let isWanted: (Int) -> Bool
    /// The sixth bytes of wanted addresses; the two above are 0.
    private let (least, greatest): (UInt8, UInt8)
    private(set) var found: [Found] = []
    /// The block that is read; nil: it is none.
    private var holder: Int?

    struct Found {
        /// In which it is named; nil: outside of the heap.
        var holder: Int?
        var block: Int
    }

    /// - Parameter bounds: where the wanted blocks begin.
    init(_ graph: BlockGraph, _ bounds: ClosedRange<UInt64>, _ isWanted: @escaping (Int) -> Bool) {
        (self.graph, self.isWanted, places) = (graph, isWanted, graph.blocks.places)
        (low, span) = (bounds.lowerBound, bounds.upperBound - bounds.lowerBound)
        (least, greatest) = (
            UInt8(truncatingIfNeeded: bounds.lowerBound >> 40), UInt8(truncatingIfNeeded: bounds.upperBound >> 40)
        )
    }

    func takeFound() -> [Found] {
        defer { found = [] }
        return found
    }

    /// - Parameter holder: the block that is read; nil: it is none.
    func read(_ start: UInt64, _ size: UInt64, of holder: Int?) {
        self.holder = holder
        var start = start
        let end = start + size
        // A range of roots may be longer than what is kept of the memory.
        while start < end {
            if end - start > MemoryImage.leastUntouched {
                let touched = graph.memory.next(from: start)
                guard touched < end else { return }
                start = (touched + 7) & ~7
            }
            let part = min(end - start, 1 << 20)
            graph.memory.passed(start)
            graph.memory.forEachPiece(of: start..<start + part) { look($1) }
            // What stands across the border is seen by the next part.
            start += part == end - start ? part : part - 8
        }
    }

    @inline(__always)
    private func wanted(_ word: UInt64) -> Int? {
        guard word &- low <= span, word & 15 == 0, let block = places.exact(word), isWanted(block) else { return nil }
        return block
    }

    @inline(__always)
    private func note(_ word: UInt64) {
        if let block = wanted(word) { found.append(Found(holder: holder, block: block)) }
    }

    /// 3 ns a word, and 3 more for each byte in it that may be the sixth of an address.
    private func look(_ bytes: UnsafeRawBufferPointer) {
        let userBits = graph.memory.userBits
        for at in stride(from: 0, through: bytes.count - 8, by: 8) {
            let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            guard word != 0 || least == 0 else { continue }
            // A counter of 16 bits below the address, or one above an address without the bits that alignment leaves at 0.
            note(word >> 16)
            note(word << 3 & userBits)
            note(word << 4 & userBits)
            var sixths = sixths(of: word)
            while sixths != 0 {
                look(around: at + sixths.trailingZeroBitCount / 8, bytes)
                sixths &= sixths - 1
            }
        }
        for at in bytes.count & ~7..<bytes.count where bytes[at] >= least && bytes[at] <= greatest {
            look(around: at, bytes)
        }
    }

    /// The upper bits of the bytes of a word that lie between the least and the greatest; no sum of two bytes carries into the next.
    @inline(__always)
    private func sixths(of word: UInt64) -> UInt64 {
        let (ones, low): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x7f7f_7f7f_7f7f_7f7f)
        guard greatest < 0x80 else {
            return (0..<8).reduce(0) { result, index in
                let byte = UInt8(truncatingIfNeeded: word >> (8 * index))
                return byte >= least && byte <= greatest ? result | 0x80 << (8 * index) : result
            }
        }
        let isEnough = (word & low) + ones * (0x80 - UInt64(least))
        let isMore = (word & low) + ones * (0x7f - UInt64(greatest))
        return isEnough & ~isMore & ~word & ~low
    }

    /// - Parameter at: of a byte that may be the sixth of an address.
    private func look(around at: Int, _ bytes: UnsafeRawBufferPointer) {
        let left = bytes.count - at
        func word(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        if at >= 5, left >= 3, (at - 5) % 8 != 0, bytes[at + 1] == 0, bytes[at + 2] == 0 { note(word(at - 5)) }
        if at >= 2, left >= 6, bytes[at - 1] == 0, bytes[at - 2] == 0 { note(word(at - 2).byteSwapped) }
        // The upper half first.
        if at >= 1, left >= 7, (at - 1) % 4 == 0, bytes[at + 1] == 0, bytes[at + 2] == 0 {
            let swapped = word(at - 1) << 32 | word(at - 1) >> 32
            if wanted(swapped) != nil, !beginsInPointer(at - 1, swapped, bytes) { note(swapped) }
        }
    }

    /// The upper half of a pointer and what stands behind it, a number or another pointer's lower half, make an address. In a block,
    /// and in a row of halves, the pointer itself may be of two encoded halves, unless it names an image.
    private func beginsInPointer(_ at: Int, _ swapped: UInt64, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard at % 8 != 0 else { return false }
        func word(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        let next = bytes.count - at >= 12 ? word(at + 4) : nil
        if next == swapped { return true }
        guard at >= 4, graph.memory.mapping(at: word(at - 4)) != nil else { return false }
        return holder == nil && !isInRowOfHalves(at, bytes) || graph.space.images.contains(word(at - 4))
            || next.map { graph.memory.mapping(at: $0) != nil } ?? false
    }

    /// Halves one behind the other, in front of which a number stands: it makes a pointer to nothing with the first upper half.
    private func isInRowOfHalves(_ at: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        func word(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        for before in stride(from: at - 4, through: 8, by: -8) {
            guard word(before - 8) >> 32 == word(at) & 0xffff_ffff else { return false }
            if graph.memory.mapping(at: word(before - 8)) == nil { return true }
        }
        return false
    }
}
