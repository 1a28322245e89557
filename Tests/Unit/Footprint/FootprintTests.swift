import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct FootprintTests {
    private static let page: UInt64 = 4096

    private func account(
        _ maps: [ResidentMapRecord], _ ranges: [ResidentRangeRecord] = [], images: ImageMap = ImageMap()
    ) -> ResidentAccount {
        ResidentAccount(ResidentFacts(maps: maps, ranges: ranges), images: images)
    }

    private func bytes(_ account: ResidentAccount) -> [Report.Footprint.Kind: UInt64] {
        account.parts.mapValues(\.bytes)
    }

    @Test("mappings are told apart by what the kernel and the recorder call them") func kinds() {
        var images = ImageMap()
        images.add(ImageRecord(path: "/lib/libc.so.6", bias: 0, start: 0x10000, end: 0x18000))
        let result = account(
            [
                ResidentMapRecord(start: 0x10000, end: 0x14000, resident: 8192, isFile: true, path: "/lib/libc.so.6"),
                ResidentMapRecord(start: 0x14000, end: 0x18000, resident: 4096, dirty: 4096),
                ResidentMapRecord(start: 0x20000, end: 0x30000, resident: 4096, isFile: true, path: "/data/map.bin"),
                ResidentMapRecord(start: 0x40000, end: 0x50000, resident: 12288, dirty: 12288, path: "[stack]"),
                ResidentMapRecord(start: 0x60000, end: 0x62000, resident: 4096, path: "[vdso]"),
                ResidentMapRecord(start: 0x70000, end: 0x80000, resident: 4096, isFile: true, path: "/x.gptrace.spool"),
                ResidentMapRecord(start: 0x90000, end: 0xa0000, resident: 8192, dirty: 8192),
                ResidentMapRecord(start: 0xb0000, end: 0xc0000, resident: 4096, isShared: true, path: "/memfd:frames"),
            ], images: images)
        #expect(
            bytes(result) == [
                .images: 12288, .files: 4096, .stacks: 12288, .kernel: 4096, .recorder: 4096, .anonymous: 12288,
            ])
        #expect(result.total == 49152 && result.parts[.images]?.dirty == 4096)
    }

    @Test("where a recording began late, chunks that no block is known of count as blocks from before") func late() {
        let use = HeapUse(live: Self.page, top: Self.page, cached: 3 * Self.page)
        let facts = ResidentFacts(
            maps: [ResidentMapRecord(start: 0x100000, end: 0x140000, resident: 5 * Self.page)],
            ranges: [
                ResidentRangeRecord(kind: .arena, start: 0x100000, end: 0x140000, resident: 5 * Self.page, use: use)
            ])
        let result = ResidentAccount(facts, images: ImageMap(), isLate: true)
        #expect(bytes(result) == [.live: 4 * Self.page, .allocatorFree: Self.page])
        let portion = result.parts[.live]?.portions["allocated before the recording, or in thread caches"]
        #expect(portion?.bytes == 3 * Self.page)
    }

    @Test("known ranges are taken out of the mappings in which they lie, and the sum stays") func ranges() {
        let use = HeapUse(live: 2 * Self.page, binned: 5 * Self.page, trimmable: 4 * Self.page, top: Self.page)
        let result = account(
            [
                ResidentMapRecord(start: 0x100000, end: 0x140000, resident: 20 * Self.page, dirty: 20 * Self.page),
                ResidentMapRecord(start: 0x140000, end: 0x150000, resident: 3 * Self.page, dirty: 3 * Self.page),
            ],
            [
                ResidentRangeRecord(kind: .arena, start: 0x100000, end: 0x120000, resident: 9 * Self.page, use: use),
                ResidentRangeRecord(
                    kind: .stack, thread: ThreadID(7), start: 0x130000, end: 0x148000, resident: 4 * Self.page),
                ResidentRangeRecord(kind: .recorder, start: 0x148000, end: 0x149000, resident: Self.page),
            ])
        #expect(
            bytes(result) == [
                .live: 2 * Self.page, .allocatorFree: 7 * Self.page, .stacks: 4 * Self.page, .recorder: Self.page,
                .anonymous: 9 * Self.page,
            ])
        #expect(result.arenas[0]?.pinned == Self.page && result.arenas[0]?.trimmable == 4 * Self.page)
        #expect(bytes(result).values.clampedSum == result.total)
    }

    @Test("what a heap lost between two looks is taken off in proportion, and sums exist whatever a trace says")
    func differences() {
        let use = HeapUse(live: 8 * Self.page, binned: 2 * Self.page, trimmable: Self.page)
        let heap = ResidentRangeRecord(
            kind: .arena, start: 0x100000, end: 0x200000, resident: 10 * Self.page, arena: 1, use: use)
        let half = account([ResidentMapRecord(start: 0x100000, end: 0x200000, resident: 5 * Self.page)], [heap])
        #expect(bytes(half) == [.live: 4 * Self.page, .allocatorFree: Self.page] && half.arenas[1]?.pinned == 2048)
        let huge = ResidentMapRecord(start: 1, end: .max, resident: .max - 1, dirty: .max - 1)
        #expect(account([huge, huge, huge], [heap, heap]).total == .max)
        let within = ResidentMapRecord(start: 0x110000, end: 0x120000, resident: Self.page)
        let beyond = ResidentRangeRecord(kind: .stack, start: 0x180000, end: 0x190000, resident: Self.page)
        let around = ResidentMapRecord(start: 0x100000, end: 0x200000, resident: Self.page)
        #expect(account([around, within], [beyond]).total == 2 * Self.page)
    }

    private func footprint(_ facts: ResidentFacts, heap: HeapFixture = HeapFixture()) throws -> Report.Footprint {
        var recording = heap.recording
        recording.heapSnapshots[0].resident = facts
        return try #require(FootprintSection(recording: recording, symbolicator: heap).section(nil))
    }

    private func heapFacts(_ use: HeapUse, pages: UInt64, pinned: [HeapCensusRecord] = []) -> ResidentFacts {
        let end = 0x100000 + 2 * pages * Self.page
        return ResidentFacts(
            maps: [ResidentMapRecord(start: 0x100000, end: end, resident: pages * Self.page)],
            ranges: [
                ResidentRangeRecord(
                    kind: .arena, start: 0x100000, end: end, resident: pages * Self.page, arena: 0x100030, use: use)
            ], pinned: pinned)
    }

    @Test("pages without a block in use are trimmable, those with few are pinned by them") func causes() throws {
        let slack = HeapUse(live: 10 * Self.page, binned: 900 * Self.page, trimmable: 890 * Self.page)
        let trimmable = try footprint(heapFacts(slack, pages: 1000)).worded(ShortNames([]))
        #expect(trimmable.cause == .trimmable)
        #expect(trimmable.remedy?.contains("malloc_trim(0)") == true)
        #expect(trimmable.remedy?.contains("MALLOC_ARENA_MAX") == true)

        let heap = HeapFixture()
        let decal = HeapCensusRecord(
            type: heap.typeID("Game.Decal"), stack: heap.stack("Level.burst()", "main"), count: 870,
            bytes: 800 * Self.page)
        let other = HeapCensusRecord(type: .none, stack: heap.stack("main"), count: 3, bytes: 9_000)
        let holes = HeapUse(live: 90 * Self.page, binned: 900 * Self.page, trimmable: 5 * Self.page)
        let pinned = try footprint(heapFacts(holes, pages: 1000, pinned: [other, decal]), heap: heap)
            .worded(ShortNames(["Game.Decal"]))
        #expect(pinned.cause == .pinned && pinned.pinnedBy.map(\.pages) == [870])
        #expect(pinned.summary.contains("Decal made in Level.burst() keeps 870 pages"))
        #expect(pinned.remedy?.hasPrefix("malloc_trim cannot help") == true)
    }

    @Test("the address space, its limits and the stacks of threads stand beside resident memory") func limits() throws {
        let heap = HeapFixture()
        var recording = heap.recording
        func stack(_ thread: UInt32, _ place: UInt64, made stack: StackID = .none) -> ResidentRangeRecord {
            ResidentRangeRecord(
                kind: .stack, thread: ThreadID(thread), stack: stack, start: place << 24, end: place << 24 + 8 << 20,
                resident: Self.page)
        }
        recording.heapSnapshots[0].resident = ResidentFacts(
            maps: [
                ResidentMapRecord(start: 0, end: 1 << 40, resident: 8 * Self.page, path: "[rollup]"),
                ResidentMapRecord(start: 1 << 24, end: 9 << 24, resident: 6 * Self.page),
                ResidentMapRecord(start: 10 << 24, end: 11 << 24, resident: Self.page, path: "[stack]"),
            ],
            ranges: [stack(5, 1), stack(6, 2), stack(7, 3)])
        for thread: UInt32 in 5...6 { recording.threadNames[ThreadID(thread)] = "worker" }
        func words() throws -> String {
            let section = try #require(FootprintSection(recording: recording, symbolicator: heap).section(nil))
            return try #require(FootprintWords(section, names: ShortNames([])).addressSpace)
        }
        #expect(try words() == "Address space: 1.0 TB.", "an older recorder did not look for limits")
        recording.environment = ["limit.overcommit": "1", "cores": "2"]
        #expect(
            try words()
                == "Address space: 1.0 TB. No limit was found. vm.overcommit_memory is 1 (always).")
        recording.environment = [
            "limit.address-space": "2147483648", "limit.data": "1", "limit.group": "536870912", "limit.group-high": "x",
        ]
        #expect(try words() == "Address space: 1.0 TB. Limits: ulimit -v 2.0 GB, ulimit -d 1 B, memory.max 512 MB.")
        #expect(ReportBuilder.environment(of: recording).keys.allSatisfy { !$0.hasPrefix("limit.") })
        let threads = try #require(
            FootprintSection(recording: recording, symbolicator: heap).section(nil)?.threads)
        #expect(threads.map(\.name) == ["worker", "main", "thread 7"] && threads.map(\.count) == [2, 1, 1])
        #expect(threads[0].stackBytes == 16 << 20 && threads[0].residentBytes == 2 * Self.page)
        // A trace of before has the bounds of all mappings there.
        recording.heapSnapshots[0].resident.maps[0].start = 1 << 24
        let old = FootprintSection(recording: recording, symbolicator: heap).section(nil)
        #expect(old?.addressSpaceBytes == nil && old?.residentBytes == 8 * Self.page)
    }

    @Test("each snapshot is a moment of the history, and the chosen one is shown") func history() throws {
        let heap = HeapFixture()
        var recording = heap.recording
        recording.heapSnapshots[0].resident.maps = [ResidentMapRecord(start: 0, end: 8192, resident: 4096)]
        var second = recording.heapSnapshots[0]
        second.begin.snapshot = SnapshotID(2)
        second.begin.time = 3_000_000_000
        second.resident.maps = [ResidentMapRecord(start: 0, end: 8192, resident: 8192)]
        recording.heapSnapshots.append(second)
        let section = FootprintSection(recording: recording, symbolicator: heap)
        #expect(section.section(1)?.residentBytes == 4096 && section.section(nil)?.residentBytes == 8192)
        #expect(section.section(nil)?.history?.map(\.parts) == [["anonymous": 4096], ["anonymous": 8192]])
        recording.heapSnapshots[1].resident.maps = []
        #expect(FootprintSection(recording: recording, symbolicator: heap).section(2)?.history == nil)
    }
}
