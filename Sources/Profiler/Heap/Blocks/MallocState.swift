/// Where glibc's `struct malloc_state`, the state of an arena, has its parts (malloc/malloc.c, 64 bits).
struct MallocState {
    /// 2.27 to 2.42, and 2.43, which has no fast bins.
    static let known = [MallocState(fastBinCount: 10, top: 96), MallocState(fastBinCount: 0, top: 8)]

    let fastBinCount: UInt64
    let top: UInt64
    let fastBins: UInt64 = 16
    let binCount: UInt64 = 127
    var bins: UInt64 { top + 16 }
    var next: UInt64 { top + 2064 }
    var size: UInt64 { top + 2104 }

    /// Whether the state of an arena stands at `address`: an empty bin names itself, a filled one two chunks that lie at
    /// multiples of 16, and the arena is in the ring of arenas.
    func stands(at address: UInt64, in image: MemoryImage) -> Bool {
        guard let bytes = image.bytes(at: address, count: size) else { return false }
        func word(_ offset: UInt64) -> UInt64 { bytes.loadUnaligned(fromByteOffset: Int(offset), as: UInt64.self) }
        guard word(top) & 15 == 0, word(next) & 7 == 0, word(next) != 0 else { return false }
        var empty: UInt64 = 0
        for bin in 0..<binCount {
            let place = bins + 16 * bin
            let (own, forward, back) = (address + place - 16, word(place), word(place + 8))
            if forward == own, back == own {
                empty += 1
            } else if forward & 15 != 0 || back & 15 != 0 || forward == own || back == own || forward == 0 {
                return false
            }
        }
        return empty > 0 && isInRing(address, image)
    }

    /// Whether the state of the main arena stands at `address` as the C library has it before the first allocation: all of it is
    /// zero but the ring of one arena and its count of threads.
    func standsUnused(at address: UInt64, in image: MemoryImage) -> Bool {
        guard let bytes = image.bytes(at: address, count: size) else { return false }
        return stride(from: 8, to: size, by: 8).allSatisfy { offset in
            let word = bytes.loadUnaligned(fromByteOffset: Int(offset), as: UInt64.self)
            return word == (offset == next ? address : offset == next + 16 ? 1 : 0)
        }
    }

    private func isInRing(_ address: UInt64, _ image: MemoryImage) -> Bool { ring(from: address, image) != nil }

    /// The arenas, from `address` on; nil: they are no ring.
    func ring(from address: UInt64, _ image: MemoryImage) -> [UInt64]? {
        var result = [address]
        while result.count < 1 << 16, let following = image.word(result[result.count - 1] + next),
            following <= image.userBits
        {
            if following == address { return result }
            result.append(following)
        }
        return nil
    }
}
