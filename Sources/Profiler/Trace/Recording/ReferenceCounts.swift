import GameprofBasics

/// Retains and releases by call.
public struct ReferenceCounts: Sendable {
    public typealias Call = ReferenceCountingRecord.Call
    public typealias Tally = ReferenceCountingRecord.Tally

    /// Exact.
    public private(set) var tallies: [Call: Tally] = [:]
    /// Whole stacks, each with the calls that it stands for.
    public private(set) var samples: [Call: UInt64] = [:]
    /// Calls while the recorder was busy, which nothing else counts.
    public private(set) var missed: UInt64 = 0
    /// They were counted, if there were any.
    public private(set) var isRecorded = false

    public init() {}

    mutating func add(_ record: ReferenceCountingRecord) {
        isRecorded = true
        if record.call.stack.isNone {
            missed.add(clamping: record.tally.calls)
        } else if record.isSampled {
            samples[record.call, default: 0].add(clamping: record.tally.calls)
        } else {
            tallies[record.call, default: Tally()].add(record.tally)
        }
    }
}
