import CTraceFormat
import Foundation
import GameprofImageSymbols
import GameprofTraceFile

/// The frozen clone of a recorded process, which waits until its memory has been searched, and what the recorder knows
/// of it: live blocks with their stacks, and where the program's words stand.
struct FrozenClone {
    /// What the recorder's table says of a block.
    struct Entry {
        var size: UInt64
        var stack: StackID
    }

    let pid: pid_t
    let image: MemoryImage
    let blocks: BlockMap
    /// Words of the program outside of its blocks.
    let words: [gp_handed]
    /// Numbers of blocks that hold nothing.
    let stale: [Int]
    /// By address of a block: where what it holds ends.
    let filledEnds: [UInt64: UInt64]
    private let tables: [UInt64: UInt64]

    init(_ path: String) throws(MemoryImageError) {
        guard let file = try? FileBytes(path: path) else {
            throw MemoryImageError(isInput: true, "\(path) cannot be read.")
        }
        let rows = Array(file.bytes.bindMemory(to: gp_handed.self))
        let process = rows.first { $0.kind == UInt32(GP_HANDED_PROCESS) }
        guard let process else { throw MemoryImageError(isInput: true, "\(path) names no process.") }
        pid = pid_t(truncatingIfNeeded: process.thread)
        image = MemoryImage(
            mappings: CopyPlan.mappings(of: pid), threads: [], machine: ELFFile.ownMachine)
        let memory = RemoteMemory(of: pid)
        for mapping in image.mappings where !mapping.file.hasPrefix("[v") {
            image.add(PagedMemory(of: memory, mapping))
        }
        func pairs(_ kind: Int) -> [UInt64: UInt64] {
            Dictionary(
                rows.lazy.filter { $0.kind == UInt32(kind) }.map { ($0.start, $0.end) }, uniquingKeysWith: { $1 })
        }
        (tables, filledEnds) = (pairs(Int(GP_HANDED_BLOCKS)), pairs(Int(GP_HANDED_TABLE)))
        words = rows.filter { $0.kind < UInt32(GP_HANDED_PROCESS) }
        blocks = Self.blocks(image, tables)
        let count = blocks.count
        stale = rows.filter { $0.kind == UInt32(GP_HANDED_STALE) }.compactMap { Int(exactly: $0.start) }
            .filter { $0 < count }
    }

    // MARK: - The table of live blocks

    private static let (regionBits, entries): (UInt64, UInt64) = (26, 1 << 22)
    private static let (entriesOfPage, present): (UInt64, UInt64) = (512, 8)

    private static func usable(_ entry: UInt64, _ address: UInt64, _ image: MemoryImage) -> UInt64 {
        guard entry >> 32 == UInt64(UInt32.max), let word = image.word(address - 8) else { return entry >> 32 }
        return max(word & ~7, 16) - (word & 2 != 0 ? 16 : 8)
    }

    private static func blocks(_ image: MemoryImage, _ tables: [UInt64: UInt64]) -> BlockMap {
        let (longest, gap): (UInt64, UInt64) = (1 << 20, 1 << 16)
        var regions: [BlockMap.Region] = []
        var region: BlockMap.Region?
        var window: MemoryImage.Window?
        for (start, table) in tables.sorted(by: { $0.key < $1.key }) {
            for page in 0..<entries / entriesOfPage where image.u8(table + 8 * entries + page) ?? 0 != 0 {
                let (place, size) = (table + 8 * entriesOfPage * page, 8 * entriesOfPage)
                if window?.pointer(place, size) == nil { window = image.pass(place, count: size) }
                guard let bytes = window?.pointer(place, size) else { continue }
                for index in 0..<entriesOfPage {
                    let entry = bytes.loadUnaligned(fromByteOffset: Int(8 * index), as: UInt64.self)
                    guard entry & present != 0 else { continue }
                    let address = start + 16 * (entriesOfPage * page + index)
                    let size = usable(entry, address, image)
                    if size > longest {
                        regions.append(BlockMap.Region(start: address, single: (size + 7) & ~7))
                        continue
                    }
                    if let open = region, address > open.end, address - open.end > gap {
                        regions.append(open)
                        region = nil
                    }
                    if region == nil { region = BlockMap.Region(start: address) }
                    let next = address + (size + 23) & ~15
                    region?.add(address, next: next, isLive: true, isShort: next - 16 - address >= size)
                }
            }
        }
        image.endPass()
        if let region { regions.append(region) }
        return BlockMap(regions, isExact: true)
    }

    /// Of the block that begins at `address`.
    func entry(_ address: UInt64) -> Entry? {
        let base = address & ~(1 << Self.regionBits - 1)
        guard let table = tables[base], let entry = image.word(table + (address - base) / 2) else { return nil }
        return Entry(
            size: Self.usable(entry, address, image), stack: StackID(rawValue: UInt32(truncatingIfNeeded: entry) >> 4))
    }
}
