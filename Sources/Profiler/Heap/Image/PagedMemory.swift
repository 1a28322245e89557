import Foundation

/// A mapping of another process that changes no more: read where it is looked at, and forgotten again.
final class PagedMemory {
    private static let shift: UInt64 = 18
    private static let part: UInt64 = 1 << shift
    /// Parts that are kept, of all mappings together.
    private static let most = 64
    nonisolated(unsafe) private static var kept = 0

    let start: UInt64
    let end: UInt64
    let base: UnsafeRawPointer?
    let process: RemoteMemory
    private let room: UnsafeMutableRawBufferPointer
    /// By part: how much of it can be read, plus one; 0: not known.
    private let loaded: UnsafeMutablePointer<UInt32>
    private let parts: Int
    private var isTouched = false

    init(of process: RemoteMemory, _ mapping: MemoryImage.Mapping) {
        (self.process, start, end) = (process, mapping.start, mapping.end)
        let size = Int(mapping.end - mapping.start)
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20 | 0x4000, -1, 0)
        base = address == MAP_FAILED ? nil : address.map { UnsafeRawPointer($0) }
        room = UnsafeMutableRawBufferPointer(start: base.map { UnsafeMutableRawPointer(mutating: $0) }, count: size)
        parts = size >> Int(Self.shift) + 1
        // Untouched pages of it take no memory.
        loaded = calloc(parts, 4).assumingMemoryBound(to: UInt32.self)
    }

    deinit {
        if base != nil { munmap(room.baseAddress, room.count) }
        free(loaded)
    }

    /// Up to where memory can be read behind `address`: the end of its part, at most.
    @inline(__always)
    func load(_ address: UInt64) -> UInt64 {
        let index = Int((address - start) >> Self.shift)
        return start + UInt64(index) << Self.shift + UInt64((loaded[index] == 0 ? read(index) : loaded[index]) - 1)
    }

    @inline(__always)
    func load(_ address: UInt64, count: UInt64) -> Bool {
        var at = address
        let end = address + count
        repeat {
            let next = load(at)
            if next >= end { return true }
            guard next & (Self.part - 1) == start & (Self.part - 1), next > at else { return false }
            at = next
        } while true
    }

    @inline(never)
    private func read(_ index: Int) -> UInt32 {
        let offset = index << Int(Self.shift)
        let target = UnsafeMutableRawBufferPointer(rebasing: room[offset..<min(room.count, offset + Int(Self.part))])
        loaded[index] = UInt32(process.read(start + UInt64(offset), into: target)) + 1
        isTouched = true
        Self.kept += 1
        return loaded[index]
    }

    /// Gives back what reading has taken, where it is much. Pointers into it end.
    static func forget(_ all: [PagedMemory]) {
        guard kept > most else { return }
        kept = 0
        for memory in all where memory.isTouched {
            memory.isTouched = false
            madvise(memory.room.baseAddress, memory.room.count, MADV_DONTNEED)
            memset(memory.loaded, 0, 4 * memory.parts)
        }
    }
}
