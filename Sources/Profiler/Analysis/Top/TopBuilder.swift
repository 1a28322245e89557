import GameprofBasics
import GameprofTrace

/// Makes the moments of `gameprof top` from recordings of a process.
package enum TopBuilder {
    /// - Parameters:
    ///   - recording: of samples.
    ///   - seconds: how long they were taken.
    package static func moment(
        _ recording: Recording, seconds: Double, symbolicator: any Symbolicating
    ) -> TopMoment {
        let profile = ProfileBuilder.build(recording, symbolicator: symbolicator)
        let totals = FunctionTotals(profile).functions
        var moment = TopMoment(
            process: Int(clamping: recording.program?.pid ?? 0), program: profile.program, seconds: seconds)
        let interval = max(seconds * 1e9, 1)
        // A library's function that only calls others is on the way to many, and tells little.
        moment.functions = zip(profile.functions, totals).compactMap { function, times in
            guard times.own > 0 || times.total > 0 && function.origin == .user && !function.isProgramStart else {
                return nil
            }
            return TopMoment.Function(
                name: function.name, module: function.module, own: Double(times.own) / interval,
                total: Double(times.total) / interval)
        }
        moment.threads = profile.threads.compactMap { thread in
            thread.cpu > 0 ? TopMoment.Thread(name: thread.name, share: Double(thread.cpu) / interval) : nil
        }
        return moment
    }

    /// - Parameters:
    ///   - recording: of a look at the memory.
    ///   - first: the first look.
    package static func heap(
        _ recording: Recording, since first: TopHeap?, at time: Double, symbolicator: any Symbolicating
    ) -> TopHeap? {
        guard let snapshot = recording.heapSnapshots.last, let heap = snapshot.graph else { return nil }
        let names = LiveHeapNames(heap, types: recording.types)
        var rows = (0..<Int32(names.count)).map { TopHeap.TypeRow(type: names.text($0), count: 0, bytes: 0) }
        var result = TopHeap()
        for block in 0..<heap.count where heap.flags[block].contains(.reachable) {
            let name = Int(names.number(UInt32(block)))
            rows[name].count += 1
            rows[name].bytes &+= heap.sizes[block]
            result.blocks += 1
            result.bytes &+= heap.sizes[block]
        }
        let before = Dictionary((first?.types ?? []).map { ($0.type, $0) }) { one, _ in one }
        for row in rows.indices where first != nil {
            rows[row].grownCount = rows[row].count - (before[rows[row].type]?.count ?? 0)
            rows[row].grownBytes = difference(rows[row].bytes, before[rows[row].type]?.bytes ?? 0)
        }
        result.types = rows.filter { $0.count > 0 }
        result.grownBytes = first.map { difference(result.bytes, $0.bytes) } ?? 0
        let tasks = TaskReportBuilder.build(recording: recording, symbolicator: symbolicator)
        (result.tasks, result.taskCount, result.neverResuming) = (tasks.groups, tasks.count, tasks.neverResuming)
        (result.pause, result.time) = (Double(snapshot.begin.pause) / 1e9, time)
        return result
    }

    private static func difference(_ now: UInt64, _ before: UInt64) -> Int64 {
        Int64(clamping: now) - Int64(clamping: before)
    }

    /// What holds the objects of a type at a look, most objects first.
    package static func ways(to type: String, in recording: Recording, symbolicator: any Symbolicating) -> [HeldBy] {
        HeapDetails(ofLastIn: recording, symbolicator: symbolicator)?.heldBy(type: type) ?? []
    }
}
