extension Recording {
    /// Notes when the tasks of the last snapshot were made, as far as the trace has their allocations. It is read once more for that.
    /// A thread notes the time now and then: that of an allocation lies between the times around it.
    /// - Throws: `TraceError`.
    package mutating func noteBirths(ofTasksIn trace: String) throws {
        guard let place = heapSnapshots.indices.last, let tasks = heapSnapshots[place].tasks?.tasks else { return }
        let known = tasks.filter {
            $0.address != 0 && !$0.allocation.isNone && $0.allocation.index < frames.count
        }
        guard let last = known.map(\.allocation.index).max() else { return }
        var isMaker = [Bool](repeating: false, count: last + 1)
        for task in known { isMaker[task.allocation.index] = true }
        let wanted = Set(known.map(Self.allocation(of:)))
        var births: [UInt64: ClosedRange<UInt64>] = [:]
        let taken = heapSnapshots[place].begin.time
        try TraceReader(path: trace).forEachChunk { _, chunk in
            var events = BlockEvents(chunk.bytes, from: Chunk.headerSize)
            var time = chunk.startTime
            var open: [UInt64] = []
            func close(before next: UInt64) {
                // Blocks that were freed have lain there before.
                for key in open where births[key].map({ $0.lowerBound <= time }) ?? true {
                    births[key] = time...max(time, next)
                }
                open = []
            }
            while let event = events.next() {
                if event.kind == .time {
                    close(before: min(event.time, taken))
                    time = event.time
                }
                guard event.kind == .allocation, event.stack.index <= last, isMaker[event.stack.index], time <= taken,
                    wanted.contains(event.second)
                else { continue }
                open.append(event.second)
            }
            close(before: taken)
        }
        heapSnapshots[place].tasks?.tasks = tasks.map { task in
            var task = task
            task.born = births[Self.allocation(of: task)]
            return task
        }
    }

    /// The second half of the record `gp_alloc` of its block: the stack, then bits 4…35 of the address.
    private static func allocation(of task: TaskFacts) -> UInt64 {
        UInt64(task.allocation.rawValue) | (task.address >> 4) << 32
    }
}
