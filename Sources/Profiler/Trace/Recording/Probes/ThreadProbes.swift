/// The probes of one thread while its chunks are walked through.
final class ThreadProbes {
    /// Intervals beyond this depth are forgotten: they are never ended.
    static let depthLimit = 1024

    struct Open {
        var name: ProbeNameID
        var start: UInt64
        var allocations: UInt64
        var bytes: UInt64
    }

    /// What the thread did since its last mark of a loop.
    struct Loop {
        var start: UInt64
        var allocations: UInt64
        var bytes: UInt64
        /// Ticks that it waited for a processor.
        var unscheduled: UInt64 = 0
        var probes: [ProbeNameID: ProbeShare] = [:]
        var stacks = FrameStacks()
    }

    let id: ThreadID
    /// Of the thread so far.
    var allocations: UInt64 = 0
    var bytes: UInt64 = 0
    /// The long span that ends next.
    var longSpan: (name: ProbeNameID, ticks: UInt64)?
    /// The counter whose value comes next.
    var counter: (name: ProbeNameID, ticks: UInt64)?
    var loops: [ProbeNameID: Loop] = [:]
    /// Whether there are any. Asked for each block: an access to the dictionary would be checked for overlaps.
    private var hasLoops = false
    /// What was allocated since the last mark of any loop.
    private var stacks = FrameStacks()
    private(set) var open: [Open] = []
    /// Closed intervals that no closed one encloses yet, the earliest first.
    private var closed: [(start: UInt64, ticks: UInt64)] = []

    init(_ id: ThreadID = .none) { self.id = id }

    /// Notes blocks of a stack, once the thread has come to a loop.
    @inline(__always)
    func allocated(at stack: StackID, _ count: UInt64, bytes: UInt64) {
        if hasLoops { stacks.add(stack, count, bytes: bytes) }
    }

    /// Ends a turn of the loop and begins the next. Nil: the thread comes to it for the first time. `unscheduled`: ticks that the
    /// thread waited for a processor since its last turn of any loop.
    func turn(_ loop: ProbeNameID, at ticks: UInt64, unscheduled: UInt64) -> Loop? {
        for name in loops.keys {
            loops[name]?.stacks.add(stacks)
            loops[name]?.unscheduled &+= unscheduled
        }
        stacks.removeAll()
        hasLoops = true
        return loops.updateValue(Loop(start: ticks, allocations: allocations, bytes: bytes), forKey: loop)
    }

    func begin(_ name: ProbeNameID, at ticks: UInt64) {
        if open.count >= Self.depthLimit { open.removeFirst(open.count / 2) }
        open.append(Open(name: name, start: ticks, allocations: allocations, bytes: bytes))
    }

    /// Counts a closed interval with the frames that are open. Its own time is what no interval inside it has.
    func share(_ name: ProbeNameID, from start: UInt64, _ ticks: UInt64) {
        var nested: UInt64 = 0
        while let last = closed.last, last.start >= start {
            nested &+= last.ticks
            closed.removeLast()
        }
        if closed.count >= Self.depthLimit { closed.removeFirst(closed.count / 2) }
        closed.append((start, ticks))
        for loop in loops.keys {
            loops[loop]?.probes[name, default: ProbeShare()].add(ticks, own: ticks > nested ? ticks - nested : 0)
        }
    }

    /// Takes the innermost open interval of that name away.
    func end(_ name: ProbeNameID) -> Open? {
        guard let index = open.lastIndex(where: { $0.name == name }) else { return nil }
        return open.remove(at: index)
    }
}
