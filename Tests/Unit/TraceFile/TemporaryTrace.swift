import Foundation
import GameprofTestSupport

@testable import GameprofTrace

/// A trace in a folder of its own, gone with this object.
final class TemporaryTrace {
    let folder: URL
    var path: String { folder.appendingPathComponent("a.gptrace").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("trace-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    convenience init(_ bytes: [UInt8]) throws {
        try self.init()
        try write(bytes)
    }

    convenience init(_ builder: TraceBuilder) throws { try self.init(builder.bytes()) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ bytes: [UInt8], to name: String = "a.gptrace") throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    func read(_ name: String = "a.gptrace") throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// The lines of `TraceDump` for all records.
    func dump() throws -> [String] {
        let reader = try TraceReader(path: path)
        var lines: [String] = []
        try reader.readRecords { record, _ in lines.append(TraceDump.line(record)) }
        return lines
    }
}

/// The first block of a spool.
func spoolHeader(blocks: UInt32, next: UInt64, stopped: UInt32 = 0) -> [UInt8] {
    var header = Array("GPSPOOL\0".utf8)
    header += withUnsafeBytes(of: (UInt32(1), blocks)) { Array($0) }
    header += withUnsafeBytes(of: (next, UInt64(4))) { Array($0) }
    header += withUnsafeBytes(of: stopped) { Array($0) }
    return header + [UInt8](repeating: 0, count: 65_536 - header.count)
}

/// A trace with records of every kind.
func traceOfEverything() -> TraceBuilder {
    var builder = TraceBuilder()
    for record in everyRecord { builder.append(record) }
    return builder
}

private let everyTaskList: TaskList = {
    var list = TaskList()
    (list.ended, list.isOmitted) = (12, true)
    return list
}()

private let everyTask: TaskFacts = {
    var task = TaskFacts(id: 1 << 40, status: .continuation(.property(type: "Game.Desk", name: "wait\u{7}ing")))
    (task.name, task.isCancelled, task.isAsyncLet, task.isCutShort) = ("", true, true, true)
    (task.neverResumes, task.parent, task.allocation) = (true, 6, StackID(2))
    (task.resume, task.begin) = ([0x6014, 1 << 63], [0x6018])
    (task.finishedChildren, task.finishedStack) = (1_200, StackID(2))
    (task.priority, task.keptBytes) = (25, 1 << 40)
    (task.address, task.continuation, task.occupant) = (0x7f00_0010, 0x9000, 3)
    return task
}()

private let unreferred: ResidentRangeRecord = {
    var range = ResidentRangeRecord(kind: .mapped, stack: StackID(2), start: 0xa000, end: 0xb000, resident: 4096)
    range.referrer = .none
    return range
}()

let everyRecord: [TraceRecord] = [
    .sampling(.blocks(BlockSamplingRecord(mean: 524_288, knowsAll: true))),
    .sampling(.liveBlock(SampledLiveRecord(type: TypeID(1), stack: StackID(2), size: 4096))),
    .sampling(
        .referenceCounting(
            ReferenceCountingRecord(
                call: .init(stack: StackID(2), type: TypeID(1), releases: true, isAtomic: false), isSampled: false,
                tally: .init(calls: 5, changes: 9, immortal: 2)))),
    .sampling(
        .referenceCounting(
            ReferenceCountingRecord(
                call: .init(stack: StackID(2), type: .none, releases: false, isAtomic: true), isSampled: true,
                tally: .init(calls: 64)))),
    .failedAllocation(FailedAllocationRecord(time: 7, number: 12, size: 4096, stack: StackID(2))),
    .firstFree(FirstFreeRecord(allocated: StackID(2), freed: StackID(3))),
    .forked(ForkRecord(parent: 4711, lastStack: StackID(2))),
    .listedObject(
        ListedObjectRecord(
            address: 0x7f00_0010, size: 48, type: TypeID(1), stack: StackID(2), born: 10_000_000, died: 20_000_000)),
    .symbol(.text(SymbolTextRecord(id: 1, text: "$s4Game4dealyyF"))),
    .symbol(
        .address(
            SymbolRecord(
                address: 0x6001, start: 0x1000,
                locations: [.init(symbol: 1, file: 2, line: 31), .init(symbol: 3)]))),
    .symbol(.address(SymbolRecord(kind: .variable, address: 0x8000))),
    .symbol(.source(SymbolSourceRecord(detail: .lines, start: 0x5000, buildID: [0xde, 0x0a], path: "/bin/game"))),
    .program(
        ProgramRecord(
            pid: 7, parent: 6, isLate: true, executable: "/bin/game", arguments: ["game", "", "--seed \"1\""])),
    .image(
        ImageRecord(
            path: "/bin/game", bias: 0x5000, start: 0x5000, end: 0x9000, textStart: 0x6000, textEnd: 0x7000,
            buildID: [0xde, 0x0a])),
    .image(ImageRecord(path: "", bias: 0x5000, start: 0x5000, end: 0x9000, isLoaded: false)),
    .threadName(ThreadNameRecord(thread: ThreadID(7), name: "main")),
    .threadStack(ThreadStackRecord(thread: ThreadID(7), stack: StackID(2))),
    .frame(FrameRecord(id: FrameID(1), parent: .none, pc: 0x7fff_1234_5678, isTruncated: true)),
    .frame(FrameRecord(id: FrameID(2), parent: FrameID(1), pc: 0x6001, isExact: true)),
    .resident(ResidentRecord(time: 2_000_000, bytes: 30 << 20)),
    .environment(
        EnvironmentRecord(facts: [.init(name: "processor", value: "A \"B\" C"), .init(name: "cores", value: "2")])),
    .type(TypeRecord(id: TypeID(1), metadata: 0x7fff_0000_0010)),
    .typeName(
        TypeNameRecord(
            kind: .local, metadata: 0x7fff_0000_0010, descriptor: 3, destroy: 4, name: "Spiel.Kärtchen<\u{1F0CF}>")),
    .time(1_000_000),
    .allocation(AllocationRecord(function: .calloc, size: 1 << 40 | 24, stack: StackID(2), addressBits: 0x123)),
    .free(FreeRecord(size: 1 << 40 | 24, stack: StackID(2), type: TypeID(1))),
    .temporary(FreeRecord(function: .realloc, size: 16, stack: StackID(2))),
    .repetition(99),
    .thread(ThreadID(8)),
    .threadEnd(ThreadID(8)),
    .heap(
        .begin(
            HeapBeginRecord(
                trigger: .onRequest, snapshot: SnapshotID(1), threads: 3, threadsMissed: 1, stack: StackID(2),
                leftStack: StackID(1), time: 5, pause: 6, name: "now"))),
    .heap(.census(HeapCensusRecord(type: TypeID(1), stack: StackID(2), count: 3, bytes: 96))),
    .liveType(HeapCensusRecord(type: TypeID(1), stack: StackID(2), count: 4, bytes: 128)),
    .heap(.lost(HeapCensusRecord(type: TypeID(1), stack: StackID(2), count: 2, bytes: 64))),
    .heap(.pinned(HeapCensusRecord(type: TypeID(1), stack: StackID(2), count: 5, bytes: 9_000))),
    .heap(.untouched(HeapCensusRecord(type: TypeID(1), stack: StackID(2), count: 2, bytes: 2_000_000))),
    .heap(.unused(HeapCensusRecord(type: TypeID(1), stack: StackID(2), count: 1, bytes: 70_000))),
    .heap(
        .residentMap(
            ResidentMapRecord(
                start: 0x7000, end: 0x9000, resident: 4096, dirty: 1024, isFile: true, isShared: true,
                path: "/tmp/a file"))),
    .heap(
        .residentRange(
            ResidentRangeRecord(
                kind: .arena, thread: ThreadID(7), stack: StackID(2), start: 0x7000, end: 0x9000, resident: 8192,
                arena: 0x7030,
                use: HeapUse(live: 1, binned: 4097, trimmable: 4096, top: 2, cached: 3)))),
    .heap(.residentRange(unreferred)),
    .heap(
        .object(
            HeapObject(
                id: ObjectID(1), flags: [.swift, .countClosed], address: 0x7000, size: 32, type: TypeID(1),
                stack: StackID(2), strong: 2, unowned: 1, weak: 4, component: ComponentID(1)))),
    .heap(
        .reference(
            HeapReference(
                from: ObjectID(1), to: ObjectID(1), kind: .capture, ownership: .unowned, label: "self", offset: 16,
                position: 1, function: 0x6010, flags: .notWeak, declaredType: TypeID(1),
                owner: "Game.Row"))),
    .heap(
        .root(
            HeapRoot(
                object: ObjectID(1), kind: .stack, address: 0x7ffe_0000, thread: ThreadID(7), pc: 0x6014, label: "x"))),
    .heap(
        .target(
            HeapTarget(
                cause: .address, object: ObjectID(1), type: TypeID(1), count: 2, bytes: 64, label: "the board"))),
    .heap(
        .label(
            HeapLabelRecord(number: 1, kind: .field, function: 0x6010, declaredType: TypeID(1), path: "cards"))),
    .heap(
        .nodes(
            HeapNodesRecord(
                first: ObjectID(1), address: 0x7000,
                rows: [
                    HeapNodeRow(
                        flags: [.reachable, .swift, .countSure], size: 32, type: TypeID(1), stack: StackID(2),
                        strong: 3,
                        edgeCount: 2),
                    HeapNodeRow(flags: [], size: 1 << 40, distance: 200),
                    HeapNodeRow(flags: .more, edgeCount: 1),
                ],
                edges: [
                    HeapNodeEdge(step: 1, ownership: .strong, label: 1),
                    HeapNodeEdge(step: 0, ownership: .weak, label: 0),
                    HeapNodeEdge(step: -1, ownership: .conservative, label: 0),
                ]))),
    .heap(.graphRoot(HeapRoot(object: ObjectID(2), kind: .global, address: 0x8000))),
    .heap(
        .end(
            HeapEndRecord(
                snapshot: SnapshotID(1), isCutShort: true, blocks: 9, bytes: 900, swiftObjects: 5, unreachableBlocks: 1,
                unreachableBytes: 32, listedObjects: 1, analysis: 77, reason: "no memory"))),
    .probe(.clock(ClockRecord(source: .monotonic, ticks: 12, time: 13))),
    .probe(.name(ProbeNameRecord(id: ProbeNameID(70_000), name: "tilt"))),
    .probe(.event(ProbeRecord(kind: .begin, name: ProbeNameID(70_000), ticks: 1 << 60))),
    .probe(.event(ProbeRecord(kind: .interval, name: ProbeNameID(1), ticks: 5, length: 0xffff_fff0))),
    .probe(.event(ProbeRecord(kind: .counter, name: ProbeNameID(2), ticks: 6))),
    .probe(.value(-2.5)),
    .probe(.log(LogRecord(time: 9, thread: ThreadID(7), file: "Game.swift", line: 31, message: "dealt \"36\" cards"))),
    .probe(.mark(MarkRecord(time: 10, generation: 2, name: "level 2"))),
    .heap(.generation(GenerationRecord(generation: 2, type: TypeID(1), stack: StackID(2), count: 3, bytes: 96))),
    .heap(
        .expectation(
            ExpectationRecord(
                isAlive: true, object: 0x7000, time: 11, type: TypeID(1), stack: StackID(2), listed: ObjectID(1),
                file: "Game.swift", line: 7))),
    .heap(.tasks(everyTaskList)),
    .heap(.task(everyTask)),
    .heap(.image(HeapImageRecord(kind: 24, first: 0x7000, second: 5, bytes: [1, 2, 3, 0, 4]))),
    .zombie(
        .countChange(
            CountChangeRecord(
                kind: .retain, object: 0x7000, type: TypeID(1), stack: StackID(2), thread: ThreadID(7),
                strong: 3_000_001,
                times: 3_000_000, time: 12))),
    .file(.name(FileNameRecord(kind: .socket, id: FileID(3), name: "TCP \u{7}socket"))),
    .file(
        .use(
            FileUseRecord(
                operation: .write, file: FileID(3), stack: StackID(2), calls: 5, failures: 2, exhausted: 1,
                bytes: 1 << 40,
                nanoseconds: 77, longest: 70, time: 14))),
    .file(.renamed(from: FileID(3), to: FileID(4), count: 2)),
    .file(.open(OpenFileRecord(file: FileID(3), stack: StackID(2), descriptor: 9, opened: 15, used: 16))),
    .file(
        .open(
            OpenFileRecord(
                file: FileID(3), stack: StackID(2), descriptor: 10, opened: 15, used: 16, hasPeerClosed: true,
                holder: OpenFileRecord.Holder(process: 77, name: "sl\u{07}eep", reads: false, writes: true)))),
    .loss(RemarkRecord(events: 12, sentence: "The disk is full.")),
    .note(RemarkRecord(sentence: "exec")),
    .sampling(
        .method(SamplingRecord(source: .cpuTimer, period: 1_000_000, waitPeriod: 10_000_000, sentence: "by a timer"))),
    .sampling(.sample(SampleRecord(weight: 4, stack: StackID(2), time: 1_234_567))),
    .sampling(.sample(SampleRecord(kind: .waiting, isDiskWait: true, stack: .none, time: 1 << 40))),
    .sampling(.work(WorkRecord(kind: .task, name: "solver"))), .sampling(.lockHolder(ThreadID(9))),
    .sampling(.unscheduled(UnscheduledRecord(microseconds: 47_000, time: 1_234_567))),
    .sampling(.threadTime(ThreadTimeRecord(thread: ThreadID(8), cpu: 5_000_000, system: 2_000_000, lost: 3))),
    .crash(
        CrashRecord(
            signal: 11, thread: ThreadID(3), stack: StackID(4), address: 0x10, time: 5, message: "Fatal error: it broke"
        )),
    .crash(CrashRecord(signal: 6, thread: ThreadID(3))),
    .programExit(ProgramExitRecord(status: .signal(9), wall: 42, memoryKills: 1)),
    .programExit(ProgramExitRecord(status: .code(3), wall: 43)),
]
