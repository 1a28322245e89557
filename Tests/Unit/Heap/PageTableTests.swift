import Foundation
import Testing

@testable import GameprofHeap
@testable import GameprofTrace

@Suite("Pages that a process has") struct PageTableTests {
    private static let page = Int(PageTable.page)
    private static let (size, touched) = (4096 * page, [3, 4, 900])

    /// Private memory, of which some pages are written to.
    private static func map(_ file: CInt = -1) throws -> (start: UInt64, memory: UnsafeMutableRawPointer) {
        let flags = MAP_PRIVATE | (file < 0 ? 0x20 : 0)
        let memory = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, flags, file, 0))
        for number in touched { memory.storeBytes(of: 7, toByteOffset: number * page, as: UInt8.self) }
        return (UInt64(UInt(bitPattern: memory)), memory)
    }

    private static func pages(_ table: PageTable, from start: UInt64, _ which: PageTable.Selection) -> [Range<Int>] {
        (table.pages(in: start..<start + UInt64(size), which: which) ?? []).map {
            Int($0.lowerBound - start) / page..<Int($0.upperBound - start) / page
        }
    }

    @Test("a kernel that tells pages one by one is not asked for a terabyte")
    func reserved() throws {
        let table = try PageTable(of: getpid(), scans: false)
        #expect(table.pages(in: 0x1000..<0x1000 + 1 << 41, which: .held) == nil)
    }

    @Test(
        "only pages that were touched are there, whether the kernel tells runs or one page after the other",
        arguments: [true, false])
    func touched(scans: Bool) throws {
        let (start, memory) = try Self.map()
        defer { munmap(memory, Self.size) }
        let table = try PageTable(of: getpid(), scans: scans)
        #expect(Self.pages(table, from: start, .held) == [3..<5, 900..<901])
    }

    @Test("pages that a file has unchanged are left out on request", arguments: [true, false])
    func unchanged(scans: Bool) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString)")
        try Data(repeating: 1, count: Self.size).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forReadingFrom: file)
        let (start, memory) = try Self.map(handle.fileDescriptor)
        defer { munmap(memory, Self.size) }
        // The kernel takes neighbours of what is read along.
        #expect(memory.load(fromByteOffset: 2000 * Self.page, as: UInt8.self) == 1)
        let table = try PageTable(of: getpid(), scans: scans)
        #expect(Self.pages(table, from: start, .changed) == [3..<5, 900..<901])
        let all = Self.pages(table, from: start, .held)
        #expect(all.contains { $0.contains(2000) } && all.contains { $0.contains(3) }, "\(all)")
    }

    @Test("mappings that somebody else provides, and those of devices, are known by their flags")
    func facts() {
        let smaps = """
            1000-3000 rw-p 00000000 00:00 0
            Rss:                   0 kB
            VmFlags: rd wr mr mw me ac um sd
            5000-6000 rw-p 00000000 00:00 0                          /a VmFlags: um
            Rss:                   8 kB
            Private_Dirty:         4 kB
            VmFlags: rd wr mr mw me ac sd
            7000-8000 rw-p 00000000 00:05 12                         /dev/umm
            VmFlags: rd wr mr mw me io pf dd
            ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]
            1000-ffffffffff601000 ---p 00000000 00:00 0              [rollup]
            Rss:                  12 kB

            """
        let facts = MappingFacts(smaps: Array(smaps.utf8))
        #expect(facts.served == [0x1000..<0x3000] && facts.devices == [0x7000..<0x8000])
        #expect(
            facts.resident == [
                ResidentMapRecord(
                    start: 0x5000, end: 0x6000, resident: 8192, dirty: 4096, isFile: true, path: "/a VmFlags: um"),
                // The sum, from 0 to how much the mappings have.
                ResidentMapRecord(start: 0, end: 0x4000, resident: 12288, isWritable: false, path: "[rollup]"),
            ])
    }
}
