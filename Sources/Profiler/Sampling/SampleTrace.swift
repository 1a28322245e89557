import CRecorderCFI
import GameprofBasics
import GameprofTrace

/// A trace of samples, as the recorder would have written it, while it grows.
struct SampleTrace {
    private var trace: NewTrace
    private var stacks = StackFrames()
    private var thread = ThreadID.none
    /// The rings of two processors are read one after the other, and chunks are ordered by the time at which they begin.
    private var latest: UInt64 = 0

    /// - Throws: `TraceError`.
    init(path: String, program: ProgramRecord, facts: [EnvironmentRecord.Fact]) throws {
        trace = try NewTrace(path: path, program: program, facts: facts)
    }

    mutating func append(_ record: [UInt8]) { trace.append(record) }

    /// A sample of a thread with its stack, innermost frame first.
    /// - Parameter time: nanoseconds since recording began.
    mutating func append(
        _ frames: some BidirectionalCollection<gp_copied_frame>, of thread: ThreadID, kind: SampleRecord.Kind,
        weight: UInt16 = 1, time: UInt64, isDiskWait: Bool = false, holder: ThreadID = .none
    ) {
        let (stack, new) = stacks.number(frames)
        for frame in new { trace.append(RecordBytes.frame(frame)) }
        latest = max(latest, time)
        trace.follow(time: latest)
        if thread != self.thread {
            trace.follow(thread: thread)
            self.thread = thread
        }
        // Both in one chunk.
        let said = holder.isNone ? [] : RecordBytes.lockHolder(holder)
        let sample = SampleRecord(kind: kind, isDiskWait: isDiskWait, weight: weight, stack: stack, time: time)
        trace.append(said + RecordBytes.sample(sample))
    }

    /// Writes what is complete.
    /// - Throws: `TraceError`.
    mutating func flush() throws { try trace.flush() }

    /// - Parameter time: when recording ended, in nanoseconds since it began.
    /// - Throws: `TraceError`.
    mutating func finish(time: UInt64, dropped: UInt64) throws { try trace.finish(time: time, dropped: dropped) }
}

/// Numbers the frames of unwound stacks as a trace does: each by its caller, its address and its kind.
struct StackFrames {
    private var nodes: [Node: UInt32] = [:]

    private struct Node: Hashable {
        var parent: UInt32
        var pc: UInt
        var isExact: Bool
        var isCut: Bool
    }

    /// The number of a stack, innermost frame first, and those of its frames that are new.
    /// - Parameter isCut: the stack goes on outwards.
    mutating func number(
        _ frames: some BidirectionalCollection<gp_copied_frame>, isCut: Bool = false
    ) -> (stack: StackID, new: [FrameRecord]) {
        var parent: UInt32 = 0
        var new: [FrameRecord] = []
        for frame in frames.reversed() {
            let node = Node(parent: parent, pc: frame.pc, isExact: frame.exact, isCut: isCut && parent == 0)
            if let known = nodes[node] {
                parent = known
                continue
            }
            let id = UInt32(nodes.count + 1)
            nodes[node] = id
            new.append(
                FrameRecord(
                    id: FrameID(id), parent: FrameID(parent), pc: UInt64(frame.pc), isExact: frame.exact,
                    isTruncated: node.isCut))
            parent = id
        }
        return (StackID(parent), new)
    }
}
