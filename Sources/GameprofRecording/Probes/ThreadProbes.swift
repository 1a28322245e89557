import GameprofTraceFile

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
        var probes: [ProbeNameID: ProbeShare] = [:]
    }

    /// Of the thread so far.
    var allocations: UInt64 = 0
    var bytes: UInt64 = 0
    /// The long span that ends next.
    var longSpan: (name: ProbeNameID, ticks: UInt64)?
    /// The counter whose value comes next.
    var counter: (name: ProbeNameID, ticks: UInt64)?
    var loops: [ProbeNameID: Loop] = [:]
    private(set) var open: [Open] = []

    func begin(_ name: ProbeNameID, at ticks: UInt64) {
        if open.count >= Self.depthLimit { open.removeFirst(open.count / 2) }
        open.append(Open(name: name, start: ticks, allocations: allocations, bytes: bytes))
    }

    /// Counts a closed interval with the frames that are open.
    func share(_ name: ProbeNameID, _ ticks: UInt64) {
        for loop in loops.keys {
            loops[loop]?.probes[name, default: ProbeShare()].count += 1
            loops[loop]?.probes[name]?.ticks &+= ticks
        }
    }

    /// Takes the innermost open interval of that name away.
    func end(_ name: ProbeNameID) -> Open? {
        guard let index = open.lastIndex(where: { $0.name == name }) else { return nil }
        return open.remove(at: index)
    }
}
