import TraceFile

/// Counts the events of a trace by stack and by type, in the order of time. Works on the raw bytes of the chunks with
/// arrays indexed by number: nothing is allocated for an event.
///
/// `peakBytes` of one thread's program is exact. With several threads, events between two time records of different
/// threads may be taken in another order than they happened, and a peak can differ by what was allocated in between.
/// The peak of a type counts a living block under the type that most blocks of its stack had, because a block's own
/// type is known only when it dies.
struct AllocationCounter {
    private struct StackEntry {
        var stack: UInt32
        var type: UInt32
        var allocations: UInt64 = 0
        var frees: UInt64 = 0
        var bytes: UInt64 = 0
        /// Below zero while a free was taken before its allocation on another thread.
        var live: Int64 = 0
        var peak: Int64 = 0
        var temporary: UInt64 = 0
        /// Live blocks of which the curve is to be told.
        var nextLevel = RisingCurve.firstLevel
    }

    private struct TypeEntry {
        var allocations: UInt64 = 0
        var frees: UInt64 = 0
        var bytes: UInt64 = 0
        /// Below zero while a free was taken before its allocation on another thread.
        var live: Int64 = 0
        var peak: Int64 = 0
        var temporary: UInt64 = 0
        var liveBytes: UInt64 = 0
    }

    private let survey: StackTypeSurvey
    private let census: [HeapCensusRecord]
    /// Frame number → index in `stacks`, plus 1.
    private var places: [UInt32]
    private var stacks: [StackEntry] = []
    private var types: [TypeEntry]
    private var totals = StackEntry(stack: 0, type: 0)
    private var peakTime: UInt64 = 0
    private var timeline = Timeline()
    private var point = TimelinePoint(time: 0, liveBytes: 0, liveCount: 0, allocations: 0)
    private var time: UInt64 = 0
    /// By place in `stacks`, of those that ever had many live blocks.
    private var curves: [Int: RisingCurve] = [:]
    private var lastAllocation: UInt64 = 0

    init(survey: StackTypeSurvey, census: [HeapCensusRecord]) {
        self.survey = survey
        self.census = census
        places = []
        types = Array(repeating: TypeEntry(), count: Int(survey.highestType) + 1)
    }

    /// Counts all events. `progress` is told a share from 0 to 1 now and then.
    mutating func count(_ order: TimeOrder, progress: (Double) -> Void) throws {
        var runs = 0
        try order.forEachRun { cursor, limit in
            runs += 1
            if runs % 256 == 0 { progress(order.share) }
            return count(&cursor, limit)
        }
        closePoint(next: time)
    }

    /// Counts the events of a run; true when the chunk is through.
    private mutating func count(_ cursor: inout TimeOrder.Cursor, _ limit: UInt64) -> Bool {
        let bytes = cursor.bytes
        let end = bytes.count
        var offset = cursor.offset
        var last: (stack: Int, type: Int, size: UInt64)?
        move(to: cursor.time)
        while offset + 16 <= end {
            let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let second = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            let size = first >> 32 | (first >> 16 & 0xffff) << 32
            let kind = UInt8(truncatingIfNeeded: first)
            switch kind {
            case EventKind.allocation.rawValue:
                allocate(place(UInt32(truncatingIfNeeded: second)), size)
            case EventKind.free.rawValue:
                free(place(UInt32(truncatingIfNeeded: second)), size, type: typeIndex(UInt32(second >> 32)))
            case EventKind.temporary.rawValue:
                let stack = place(UInt32(truncatingIfNeeded: second))
                let type = typeIndex(UInt32(second >> 32))
                last = (stack, type, size)
                pass(stack, size, type: type, count: 1)
            case EventKind.repetition.rawValue:
                if let last { pass(last.stack, last.size, type: last.type, count: second) }
            case EventKind.time.rawValue:
                cursor.time = second
                if second > limit {
                    cursor.offset = offset + 16
                    return false
                }
                move(to: second)
            case 0:
                return true
            default:
                guard kind >= 0x80 else { break }
                let cells = Int(first >> 16 & 0xffff)
                guard cells > 0 else { return true }
                offset += (cells - 1) * 16
            }
            offset += 16
        }
        return true
    }

    private mutating func move(to time: UInt64) {
        self.time = time
        if time >= timeline.end { closePoint(next: time) }
    }

    private mutating func closePoint(next: UInt64) {
        point.allocations = totals.allocations
        timeline.close(point, next: next)
        point = TimelinePoint(
            time: next, liveBytes: UInt64(max(0, totals.live)),
            liveCount: totals.allocations >= totals.frees ? totals.allocations - totals.frees : 0,
            allocations: totals.allocations)
    }

    private mutating func place(_ stack: UInt32) -> Int {
        let index = stack <= survey.highestID ? Int(stack) : 0
        if index < places.count, places[index] != 0 { return Int(places[index]) - 1 }
        if index >= places.count {
            let missing = max(index + 1, places.count * 2) - places.count
            places.append(contentsOf: repeatElement(0, count: missing))
        }
        stacks.append(StackEntry(stack: UInt32(index), type: survey.type(of: UInt32(index))))
        places[index] = UInt32(stacks.count)
        return stacks.count - 1
    }

    private func typeIndex(_ type: UInt32) -> Int { Int(type) < types.count ? Int(type) : 0 }

    private mutating func allocate(_ place: Int, _ size: UInt64) {
        stacks[place].allocations &+= 1
        stacks[place].bytes &+= size
        stacks[place].live &+= Int64(bitPattern: size)
        if stacks[place].live > stacks[place].peak { stacks[place].peak = stacks[place].live }
        let type = Int(stacks[place].type)
        types[type].live &+= Int64(bitPattern: size)
        if types[type].live > types[type].peak { types[type].peak = types[type].live }
        totals.allocations &+= 1
        totals.bytes &+= size
        totals.live &+= Int64(bitPattern: size)
        lastAllocation = totals.allocations &+ totals.frees
        rise(to: totals.live)
        if stacks[place].allocations >= stacks[place].nextLevel &+ stacks[place].frees { noteLevel(place) }
    }

    private mutating func noteLevel(_ place: Int) {
        stacks[place].nextLevel = curves[place, default: RisingCurve()].pass(
            stacks[place].nextLevel, event: totals.allocations &+ totals.frees, frees: totals.frees)
    }

    private mutating func free(_ place: Int, _ size: UInt64, type: Int) {
        stacks[place].frees &+= 1
        stacks[place].live &-= Int64(bitPattern: size)
        let usual = Int(stacks[place].type)
        types[usual].live &-= Int64(bitPattern: size)
        types[type].allocations &+= 1
        types[type].frees &+= 1
        types[type].bytes &+= size
        totals.frees &+= 1
        totals.live &-= Int64(bitPattern: size)
    }

    /// A block that came and went, `count` times.
    private mutating func pass(_ place: Int, _ size: UInt64, type: Int, count: UInt64) {
        let bytes = size &* count
        stacks[place].allocations &+= count
        stacks[place].frees &+= count
        stacks[place].bytes &+= bytes
        stacks[place].temporary &+= count
        stacks[place].peak = max(stacks[place].peak, stacks[place].live &+ Int64(bitPattern: size))
        types[type].allocations &+= count
        types[type].frees &+= count
        types[type].bytes &+= bytes
        types[type].temporary &+= count
        types[type].peak = max(types[type].peak, types[type].live &+ Int64(bitPattern: size))
        totals.allocations &+= count
        totals.frees &+= count
        totals.bytes &+= bytes
        totals.temporary &+= count
        lastAllocation = totals.allocations &+ totals.frees
        rise(to: totals.live &+ Int64(bitPattern: size))
    }

    private mutating func rise(to live: Int64) {
        if live > Int64(bitPattern: point.liveBytes) {
            point.liveBytes = UInt64(live)
            point.liveCount = totals.allocations >= totals.frees ? totals.allocations - totals.frees : 0
            point.time = time
        }
        if live > totals.peak {
            totals.peak = live
            peakTime = time
        }
    }

    /// What was counted.
    func summary() -> AllocationSummary {
        var summary = AllocationSummary()
        summary.totals = Self.counts(totals)
        summary.peakTime = peakTime
        summary.timeline = timeline.points
        summary.byStack = stacks.map {
            StackAllocations(stack: StackID($0.stack), type: TypeID($0.type), counts: Self.counts($0))
        }
        .sorted { ($0.counts.bytes, $1.stack) > ($1.counts.bytes, $0.stack) }
        summary.growth = curves.compactMap { place, curve in
            let entry = stacks[place]
            let atEnd = entry.allocations > entry.frees ? entry.allocations - entry.frees : 0
            guard let count = GrowthRule.run(curve, lastAllocation: lastAllocation, atEnd: atEnd) else { return nil }
            let bytes = UInt64(Double(max(0, entry.live)) * Double(count) / Double(atEnd))
            return StackGrowth(stack: StackID(entry.stack), type: TypeID(entry.type), count: count, bytes: bytes)
        }
        .sorted { ($0.bytes, $1.stack) > ($1.bytes, $0.stack) }
        summary.byType = typeCounts().sorted { ($0.counts.bytes, $1.type) > ($1.counts.bytes, $0.type) }
        return summary
    }

    private static func counts(_ entry: StackEntry) -> AllocationCounts {
        var counts = AllocationCounts()
        counts.allocations = entry.allocations
        counts.frees = entry.frees
        counts.bytes = entry.bytes
        counts.liveBytes = UInt64(max(0, entry.live))
        counts.peakBytes = UInt64(entry.peak)
        counts.temporary = entry.temporary
        return counts
    }

    /// Freed blocks by the type read as they died, living ones by the census at exit; what remains has no known type.
    private func typeCounts() -> [TypeAllocations] {
        var all = types
        for entry in census where entry.type.index < all.count {
            all[entry.type.index].allocations &+= entry.count
            all[entry.type.index].bytes &+= entry.bytes
            all[entry.type.index].liveBytes &+= entry.bytes
        }
        let allocations = all.reduce(0) { $0 &+ $1.allocations }
        let bytes = all.reduce(0) { $0 &+ $1.bytes }
        let live = all.reduce(0) { $0 &+ $1.liveBytes }
        let totalLive = UInt64(max(0, totals.live))
        all[0].allocations &+= totals.allocations > allocations ? totals.allocations - allocations : 0
        all[0].bytes &+= totals.bytes > bytes ? totals.bytes - bytes : 0
        all[0].liveBytes &+= totalLive > live ? totalLive - live : 0
        return all.indices.filter { all[$0].allocations > 0 }.map { index in
            var counts = AllocationCounts()
            counts.allocations = all[index].allocations
            counts.frees = all[index].frees
            counts.bytes = all[index].bytes
            counts.liveBytes = all[index].liveBytes
            counts.peakBytes = max(UInt64(all[index].peak), all[index].liveBytes)
            counts.temporary = all[index].temporary
            return TypeAllocations(type: TypeID(UInt32(index)), counts: counts)
        }
    }
}
