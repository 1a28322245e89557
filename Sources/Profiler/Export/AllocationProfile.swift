import TraceFile

extension Profile {
    /// The allocations of a recording as a profile whose weights are bytes: those that were allocated in all, or those
    /// that still lived at the end. There are no times and one thread, since stacks are counted over all threads.
    public init(
        allocationsOf recording: Recording, symbolicator: any Symbolicating, live: Bool = false,
        keepsRuntimeFrames: Bool = false
    ) {
        let thread = ThreadID(0)
        var sampled = recording
        sampled.samples = SampleTable()
        sampled.threadNames = [thread: live ? "live memory" : "allocations"]
        sampled.threadTimes = []
        // The time keeps the rows in their order.
        for (index, row) in recording.allocations.byStack.enumerated() {
            sampled.samples.add(SampleRecord(stack: row.stack, time: UInt64(index)), thread: thread)
        }
        self = ProfileBuilder.build(sampled, symbolicator: symbolicator, keepsRuntimeFrames: keepsRuntimeFrames)
        unit = .bytes
        period = 1
        for (index, row) in recording.allocations.byStack.enumerated() {
            (samples[index].time, samples[index].end) = (0, 0)
            samples[index].weight = live ? row.counts.liveBytes : row.counts.bytes
            samples[index].count = Int(clamping: live ? row.counts.liveCount : row.counts.allocations)
        }
        samples.removeAll { $0.count == 0 }
    }
}
