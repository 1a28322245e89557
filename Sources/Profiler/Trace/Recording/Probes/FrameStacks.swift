/// What each stack allocated in a frame, or in the frames of a loop.
struct FrameStacks {
    struct Entry {
        /// In so many frames.
        var frames: UInt64 = 1
        var allocations: UInt64 = 0
        var bytes: UInt64 = 0
    }

    private(set) var entries: [StackID: Entry] = [:]
    /// The entry that is added to, apart from the others: a loop allocates again and again at one place.
    private var last: (stack: StackID, entry: Entry)?

    @inline(__always)
    mutating func add(_ stack: StackID, _ allocations: UInt64, bytes: UInt64) {
        if last?.stack != stack {
            settle()
            last = (stack, entries[stack] ?? Entry())
        }
        last?.entry.allocations &+= allocations
        last?.entry.bytes &+= bytes
    }

    private mutating func settle() {
        if let last { entries[last.stack] = last.entry }
        last = nil
    }

    /// Adds what the same frame has of another.
    mutating func add(_ other: FrameStacks) {
        var other = other
        other.settle()
        settle()
        if entries.isEmpty {
            entries = other.entries
            return
        }
        entries.merge(other.entries) {
            Entry(frames: $0.frames, allocations: $0.allocations &+ $1.allocations, bytes: $0.bytes &+ $1.bytes)
        }
    }

    /// Adds other frames.
    mutating func add(frames other: [StackID: Entry]) {
        entries.merge(other) {
            Entry(
                frames: $0.frames &+ $1.frames, allocations: $0.allocations &+ $1.allocations,
                bytes: $0.bytes &+ $1.bytes)
        }
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        last = nil
    }
}
