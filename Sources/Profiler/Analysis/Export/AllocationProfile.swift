import GameprofBasics
import GameprofTrace

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
        isLive = live
        period = recording.allocations.sampleMean ?? 1
        remarks = Self.remarks(recording.allocations)
        for (index, row) in recording.allocations.byStack.enumerated() {
            (samples[index].time, samples[index].end) = (0, 0)
            samples[index].weight = live ? row.counts.liveBytes : row.counts.bytes
            samples[index].count = Int(clamping: live ? row.counts.liveCount : row.counts.allocations)
        }
        samples.removeAll { $0.count == 0 }
    }

    /// How sure the sums are where they are estimates.
    private static func remarks(_ summary: AllocationSummary) -> [String] {
        guard let mean = summary.sampleMean else { return [] }
        let totals = summary.totals
        return [
            SampledText.method(samples: totals.sampled?.samples ?? 0, mean: mean),
            "alloc_space: \(SampledText.bytes(totals, .bytes)), alloc_objects: "
                + "\(SampledText.count(totals, .allocations)), inuse_space: \(SampledText.bytes(totals, .liveBytes)), "
                + "inuse_objects: \(SampledText.count(totals, .liveCount)).",
        ]
    }
}
