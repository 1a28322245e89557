import CTraceFormat
import Foundation
import GameprofTrace

/// Builds traces by small calls.
public struct TraceBuilder {
    /// Version that the header claims.
    public var version: UInt32 = GP_TRACE_VERSION
    public var isFinished = true
    public var startUnixNanoseconds: UInt64 = 0
    public var pid: UInt64 = 1
    public var droppedEvents: UInt64 = 0

    private var encoder = ChunkEncoder()
    private var lastFrame: UInt32 = 0
    private var lastType: UInt32 = 0
    private var lastObject: UInt32 = 0
    private var lastSnapshot: UInt32 = 0

    public init() { encoder.begin(thread: ThreadID(1), time: 0) }

    /// Begins a chunk: what follows was done by `thread` from `time` on.
    public mutating func chunk(thread: UInt32, time: UInt64 = 0) {
        encoder.begin(thread: ThreadID(thread), time: time)
    }

    /// Appends any record.
    public mutating func append(_ record: TraceRecord) {
        encoder.append(RecordEncoder.encode(record))
        if case .time(let time) = record { encoder.follow(time: time) }
        if case .thread(let thread) = record { encoder.follow(thread: thread) }
    }

    /// A stack of return addresses, innermost first. Its frames are not shared with other stacks.
    public mutating func stack(_ pcs: UInt64...) -> StackID {
        var parent = FrameID.none
        for pc in pcs.reversed() {
            lastFrame += 1
            append(.frame(FrameRecord(id: FrameID(lastFrame), parent: parent, pc: pc)))
            parent = FrameID(lastFrame)
        }
        return StackID(parent.rawValue)
    }

    /// A type with a name.
    public mutating func type(
        _ name: String, kind: TypeNameRecord.Kind = .classInstance, destroy: UInt64 = 0
    ) -> TypeID {
        lastType += 1
        let metadata = 0x10_0000 + UInt64(lastType) * 64
        append(.type(TypeRecord(id: TypeID(lastType), metadata: metadata)))
        append(.typeName(TypeNameRecord(kind: kind, metadata: metadata, destroy: destroy, name: name)))
        return TypeID(lastType)
    }

    public mutating func time(_ nanoseconds: UInt64) { append(.time(nanoseconds)) }

    public mutating func allocate(_ size: UInt64, at stack: StackID = .none) {
        append(.allocation(AllocationRecord(size: size, stack: stack)))
    }

    public mutating func free(_ size: UInt64, of stack: StackID = .none, type: TypeID = .none) {
        append(.free(FreeRecord(size: size, stack: stack, type: type)))
    }

    /// A block that was freed before its thread allocated another, `count` times.
    public mutating func temporary(
        _ size: UInt64, at stack: StackID = .none, type: TypeID = .none, count: UInt64 = 1
    ) {
        append(.temporary(FreeRecord(size: size, stack: stack, type: type)))
        if count > 1 { append(.repetition(count - 1)) }
    }

    /// A sample of the chunk's thread.
    public mutating func sample(
        _ stack: StackID, at time: UInt64, kind: SampleRecord.Kind = .computing, weight: UInt16 = 1
    ) {
        append(.sampling(.sample(SampleRecord(kind: kind, weight: weight, stack: stack, time: time))))
    }

    /// Begins a heap snapshot; objects are numbered from 1 again.
    public mutating func beginSnapshot(threadsMissed: UInt32 = 0) {
        lastSnapshot += 1
        lastObject = 0
        append(.heap(.begin(HeapBeginRecord(snapshot: SnapshotID(lastSnapshot), threadsMissed: threadsMissed))))
    }

    /// An object of the snapshot that was begun.
    public mutating func object(
        _ type: TypeID, size: UInt64 = 32, flags: HeapObject.Flags = [.swift], strong: UInt32 = 1,
        component: UInt32 = 0, stack: StackID = .none
    ) -> ObjectID {
        lastObject += 1
        append(
            .heap(
                .object(
                    HeapObject(
                        id: ObjectID(lastObject), flags: flags, address: 0x7000_0000 + UInt64(lastObject) * 64,
                        size: size,
                        type: type, stack: stack, strong: strong, component: ComponentID(component)))))
        return ObjectID(lastObject)
    }

    /// A reference of the snapshot that was begun.
    public mutating func reference(
        from: ObjectID, to: ObjectID, _ label: String, ownership: Ownership = .strong,
        kind: HeapReference.Kind = .field
    ) {
        append(.heap(.reference(HeapReference(from: from, to: to, kind: kind, ownership: ownership, label: label))))
    }

    /// Ends the snapshot that was begun.
    public mutating func endSnapshot(unreachable: UInt64 = 0, bytes: UInt64 = 0) {
        append(
            .heap(
                .end(
                    HeapEndRecord(
                        snapshot: SnapshotID(lastSnapshot), unreachableBlocks: unreachable, unreachableBytes: bytes,
                        listedObjects: UInt64(lastObject)))))
    }

    /// The bytes of the whole trace.
    public func bytes() -> [UInt8] {
        var finished = encoder
        finished.finish()
        var header = gp_file_header()
        withUnsafeMutableBytes(of: &header.magic) { $0.copyBytes(from: GP_TRACE_MAGIC.utf8) }
        header.version = version
        header.header_size = UInt32(MemoryLayout<gp_file_header>.size)
        header.chunk_size = UInt32(GP_CHUNK_SIZE)
        header.flags = isFinished ? UInt32(GP_FILE_FINISHED) : 0
        header.start_unix_ns = startUnixNanoseconds
        header.pid = pid
        header.dropped_events = droppedEvents
        var block = withUnsafeBytes(of: header) { Array($0) }
        block += [UInt8](repeating: 0, count: Int(GP_CHUNK_SIZE) - block.count)
        return finished.chunks.reduce(into: block) { $0 += $1 }
    }

    /// Writes the trace to a file.
    public func write(to path: String) throws {
        try Data(bytes()).write(to: URL(fileURLWithPath: path))
    }
}
