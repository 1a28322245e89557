/// What each stack allocated in each of at most `partLimit` equal parts of the recording. Parts become twice as long
/// when there are too many entries.
public struct AllocationMoments: Sendable {
    public struct Entry: Hashable, Sendable {
        public var stack: StackID
        public var part: UInt32
        public var bytes: UInt64
        public var count: UInt64
    }

    static let partLimit: UInt64 = 4096
    static let entryLimit = 1 << 20

    /// Nanoseconds of a part.
    public private(set) var width: UInt64
    /// In order of time.
    public private(set) var entries: [Entry] = []
    private var limit: Int

    /// `span`: nanoseconds of the whole recording.
    init(span: UInt64, limit: Int = Self.entryLimit) {
        width = span / Self.partLimit + 1
        self.limit = limit
    }

    func part(at time: UInt64) -> UInt32 { UInt32(min(time / width, Self.partLimit - 1)) }

    /// A longer part would leave fewer entries.
    var isFull: Bool { entries.count >= limit && width < 1 << 62 }

    /// Adds to an entry if it is of that part.
    @inline(__always)
    mutating func add(_ bytes: UInt64, _ count: UInt64, to entry: Int32, part: UInt32) -> Bool {
        guard entry >= 0, entries[Int(entry)].part == part else { return false }
        entries[Int(entry)].bytes &+= bytes
        entries[Int(entry)].count &+= count
        return true
    }

    /// Begins an entry of the stack whose place in the counter is `place`, and returns its index.
    mutating func append(_ place: Int, _ bytes: UInt64, _ count: UInt64, part: UInt32) -> Int32 {
        entries.append(Entry(stack: StackID(UInt32(place)), part: part, bytes: bytes, count: count))
        return Int32(entries.count - 1)
    }

    /// Joins parts in pairs until there is room, and passes the last entry of each stack on.
    mutating func halve(_ body: (_ place: Int, _ entry: Int32) -> Void) {
        var last: [StackID: Int] = [:]
        repeat {
            width *= 2
            last = [:]
            var joined: [Entry] = []
            for var entry in entries {
                entry.part /= 2
                if let index = last[entry.stack], joined[index].part == entry.part {
                    joined[index].bytes &+= entry.bytes
                    joined[index].count &+= entry.count
                } else {
                    last[entry.stack] = joined.count
                    joined.append(entry)
                }
            }
            entries = joined
            // All is one part when no stack has two entries.
        } while entries.count > limit / 2 && entries.contains { $0.part > 0 }
        // There are more stacks than entries should be: the counter has as many rows.
        if entries.count > limit / 2 { limit = 2 * entries.count }
        for (stack, entry) in last { body(Int(stack.rawValue), Int32(entry)) }
    }

    /// Replaces places in the counter by the stacks that stand there.
    mutating func name(_ stacks: [StackID]) {
        for index in entries.indices { entries[index].stack = stacks[Int(entries[index].stack.rawValue)] }
    }
}
