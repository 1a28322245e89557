import GameprofBasics
import GameprofTrace

/// The stacks of threads in a snapshot, by the name of their threads and by who made these.
struct ThreadStacks {
    let snapshot: HeapSnapshot
    let symbolicator: any Symbolicating
    let name: (ThreadID) -> String

    private static let limit = 16

    private struct Key: Hashable {
        var name: String
        var stack: StackID
    }

    private struct Sum {
        var count = 0
        var bytes: UInt64 = 0
        var resident: UInt64 = 0
    }

    /// The most resident bytes first.
    func rows() -> (rows: [Report.Footprint.ThreadRow], omitted: Int) {
        var sums: [Key: Sum] = [:]
        func add(_ name: String, _ stack: StackID, _ bytes: UInt64, _ resident: UInt64) {
            var sum = sums[Key(name: name, stack: stack)] ?? Sum()
            sum.count += 1
            sum.bytes.add(clamping: bytes)
            sum.resident.add(clamping: resident)
            sums[Key(name: name, stack: stack)] = sum
        }
        // The kernel's, which grows.
        for map in snapshot.resident.maps where map.path == "[stack]" {
            add(ThreadNames.main, .none, map.end - map.start, map.resident)
        }
        for range in snapshot.resident.ranges {
            guard let name = name(of: range) else { continue }
            add(name, range.stack, range.end - range.start, range.resident)
        }
        let sorted = sums.sorted {
            ($1.value.resident, $1.value.bytes, $0.key.name, $0.key.stack)
                < ($0.value.resident, $0.value.bytes, $1.key.name, $1.key.stack)
        }
        let shown = sorted.prefix(Self.limit)
        symbolicator.prepare(stacks: Set(shown.map(\.key.stack)), addresses: [])
        let rows = shown.map { key, sum in
            Report.Footprint.ThreadRow(
                name: key.name, count: sum.count, stackBytes: sum.bytes, residentBytes: sum.resident,
                createdBy: key.stack.isNone ? nil : CallStack(symbolicator.stack(key.stack)))
        }
        return (rows, sorted.count - shown.count)
    }

    private func name(of range: ResidentRangeRecord) -> String? {
        switch range.kind {
        case .stack: name(range.thread)
        case .endedStack: ThreadNames.ended
        case .unjoinedStack: ThreadNames.unjoined
        case .arena, .block, .recorder, .mapped, .allocator: nil
        }
    }
}
