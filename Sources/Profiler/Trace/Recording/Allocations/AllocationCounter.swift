import GameprofBasics

/// Counts the events of a trace by stack and by type, in the order of time. Works on arrays
/// indexed by number: nothing is allocated for an event.
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
        /// Live blocks that are still to be passed to the curve.
        var nextLevel = RisingCurve.firstLevel
        /// Live bytes at the peak of that number; a peak of a higher number saw `live`.
        var atPeak: Int64 = 0
        var peakNumber: UInt32 = 0
        /// The last entry of `moments`; −1: none.
        var moment: Int32 = -1
        /// Events until the first and the last block that was not temporary.
        var firstEvent: UInt64 = 0
        var lastEvent: UInt64 = 0
        /// Frees until then.
        var firstFrees: UInt64 = 0
        var lastFrees: UInt64 = 0
        /// Of that last block, in nanoseconds since recording began.
        var lastTime: UInt64 = 0
        var level = LiveCurves.Place()
        /// Whether its blocks are work of the program: 1, or 0 for jobs.
        var isWork: UInt64 = 1

        /// To be called before the live bytes change. `peaks`: how many there were.
        @inline(__always)
        private mutating func noteLive(_ curves: inout LiveCurves, peaks: UInt32) {
            curves.note(&level, level: live)
            guard peakNumber != peaks else { return }
            atPeak = live
            peakNumber = peaks
        }

        /// True: the live blocks have come to `nextLevel`.
        @inline(__always)
        mutating func made(
            _ size: UInt64, _ curves: inout LiveCurves, peaks: UInt32, event: UInt64, frees allFrees: UInt64,
            time: UInt64
        ) -> Bool {
            noteLive(&curves, peaks: peaks)
            allocations &+= 1
            bytes &+= size
            live &+= Int64(bitPattern: size)
            if live > peak { peak = live }
            if firstEvent == 0 { (firstEvent, firstFrees) = (event, allFrees) }
            (lastEvent, lastFrees, lastTime) = (event, allFrees, time)
            return allocations >= nextLevel &+ frees
        }

        @inline(__always)
        mutating func freed(_ size: UInt64, _ curves: inout LiveCurves, peaks: UInt32) {
            noteLive(&curves, peaks: peaks)
            frees &+= 1
            live &-= Int64(bitPattern: size)
        }

        @inline(__always)
        mutating func passed(_ size: UInt64, count: UInt64) {
            allocations &+= count
            frees &+= count
            bytes &+= size &* count
            temporary &+= count
            peak = max(peak, live &+ Int64(bitPattern: size))
        }
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

        @inline(__always)
        mutating func made(_ size: UInt64) {
            live &+= Int64(bitPattern: size)
            if live > peak { peak = live }
        }

        @inline(__always)
        mutating func freed(_ size: UInt64) {
            allocations &+= 1
            frees &+= 1
            bytes &+= size
        }

        @inline(__always)
        mutating func passed(_ size: UInt64, count: UInt64) {
            allocations &+= count
            frees &+= count
            bytes &+= size &* count
            temporary &+= count
            peak = max(peak, live &+ Int64(bitPattern: size))
        }
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
    /// Allocations and frees so far, and the frees alone, by which growth is told. Jobs are left out: the runtime makes one
    /// whenever a task must wait for its turn, which is chance.
    private var work: (events: UInt64, frees: UInt64) = (0, 0)
    private let jobs: Set<UInt32>
    /// How often the live bytes of all stacks were more than ever before. Below the number of allocations, of which a
    /// trace of its maximum size holds 2³⁰.
    private var peakNumber: UInt32 = 0
    private var moments: AllocationMoments
    private var liveCurves: LiveCurves
    private var part: UInt32 = 0
    /// Then counts are those of samples, and bytes what these stand for.
    private let isSampled: Bool
    private var sampled: SampledCounter
    private var looks: ArraySlice<UInt64>
    private var levels: [AllocationLevel] = []

    /// - Parameters:
    ///   - span: nanoseconds of the whole recording.
    ///   - events: its allocations and frees.
    ///   - sampled: nil: every block was recorded.
    ///   - looks: the moments, in order of time, of which the summary says what lived then.
    ///   - jobs: the types of the runtime's jobs.
    init(
        survey: StackTypeSurvey, census: [HeapCensusRecord], span: UInt64, events: UInt64,
        sampled: SampledCounter? = nil, looks: [UInt64] = [], jobs: Set<TypeID> = []
    ) {
        self.jobs = Set(jobs.map(\.rawValue))
        self.looks = looks[...]
        isSampled = sampled != nil
        self.sampled = sampled ?? SampledCounter(mean: 1, live: [])
        self.survey = survey
        self.census = census
        moments = AllocationMoments(span: span)
        liveCurves = LiveCurves(span: span, events: events, isShort: span < LiveCurves.shortRun)
        places = []
        types = Array(repeating: TypeEntry(), count: Int(survey.highestType) + 1)
    }

    /// Counts all events. `progress` receives a share from 0 to 1 now and then.
    mutating func count(_ order: TimeOrder, progress: (Double) -> Void) throws {
        var runs = 0
        try order.forEachRun { cursor, limit in
            runs += 1
            if runs % 256 == 0 { progress(order.share) }
            return count(&cursor, limit)
        }
        closePoint(next: time)
        while let look = looks.popFirst() { noteLevel(at: look) }
    }

    /// Counts the events of a run; true when the chunk is through.
    private mutating func count(_ cursor: inout TimeOrder.Cursor, _ limit: UInt64) -> Bool {
        var events = BlockEvents(cursor.bytes, from: cursor.offset)
        var last: (stack: Int, type: Int, size: UInt64)?
        move(to: cursor.time)
        while let event = events.next() {
            switch event.kind {
            case .allocation: allocate(place(event.stack.rawValue), event.size)
            case .free: free(place(event.stack.rawValue), event.size, type: typeIndex(event.type))
            case .temporary:
                let passing = (stack: place(event.stack.rawValue), type: typeIndex(event.type), size: event.size)
                last = passing
                pass(passing.stack, passing.size, type: passing.type, count: 1)
            case .repetition:
                if let last { pass(last.stack, last.size, type: last.type, count: event.count) }
            case .time:
                cursor.time = event.time
                if event.time > limit {
                    cursor.offset = events.offset
                    return false
                }
                move(to: event.time)
            }
        }
        return true
    }

    private mutating func move(to time: UInt64) {
        self.time = time
        part = moments.part(at: time)
        liveCurves.move(to: time, event: event)
        if time >= timeline.end { closePoint(next: time) }
        while let look = looks.first, look <= time {
            looks.removeFirst()
            noteLevel(at: look)
        }
    }

    private mutating func noteLevel(at look: UInt64) {
        let most = stacks.filter { $0.live > 0 }.sorted { ($0.live, $1.stack) > ($1.live, $0.stack) }
        levels.append(
            AllocationLevel(
                time: look, liveBytes: UInt64(max(0, totals.live)), liveCount: liveCount,
                byStack: most.prefix(AllocationLevel.stackLimit).map { entry in
                    .init(
                        stack: StackID(entry.stack), type: TypeID(entry.type), bytes: UInt64(entry.live),
                        count: entry.allocations > entry.frees ? entry.allocations - entry.frees : 0)
                }, stacks: most.count))
    }

    /// Allocations and frees so far.
    private var event: UInt64 { totals.allocations &+ totals.frees }

    private var allocationsSoFar: UInt64 {
        isSampled ? UInt64(estimating: sampled.totals.made.count) : totals.allocations
    }

    private var liveCount: UInt64 {
        if isSampled { return UInt64(estimating: sampled.totals.live.count) }
        return totals.allocations >= totals.frees ? totals.allocations - totals.frees : 0
    }

    private mutating func closePoint(next: UInt64) {
        point.allocations = allocationsSoFar
        timeline.close(point, next: next)
        point = TimelinePoint(
            time: next, liveBytes: UInt64(max(0, totals.live)), liveCount: liveCount, allocations: allocationsSoFar)
    }

    private mutating func place(_ stack: UInt32) -> Int {
        let index = stack <= survey.highestID ? Int(stack) : 0
        if index < places.count, places[index] != 0 { return Int(places[index]) - 1 }
        if index >= places.count {
            let missing = max(index + 1, places.count * 2) - places.count
            places.append(contentsOf: repeatElement(0, count: missing))
        }
        var entry = StackEntry(stack: UInt32(index), type: survey.type(of: UInt32(index)))
        entry.isWork = jobs.contains(entry.type) ? 0 : 1
        stacks.append(entry)
        places[index] = UInt32(stacks.count)
        return stacks.count - 1
    }

    private func typeIndex(_ type: TypeID) -> Int { type.index < types.count ? type.index : 0 }

    @inline(__always)
    private mutating func noteMoment(_ place: Int, _ bytes: UInt64, _ count: UInt64) {
        if moments.add(bytes, count, to: stacks[place].moment, part: part) { return }
        if moments.isFull {
            for index in stacks.indices { stacks[index].moment = -1 }
            moments.halve { stack, entry in stacks[stack].moment = entry }
            part = moments.part(at: time)
            return noteMoment(place, bytes, count)
        }
        stacks[place].moment = moments.append(place, bytes, count, part: part)
    }

    // An entry is changed by one function: each access to an element asks whether its array is shared.

    private mutating func allocate(_ place: Int, _ requested: UInt64) {
        let size = isSampled ? sampled.made(place, requested) : requested
        if event >= liveCurves.nextEvent { liveCurves.move(to: time, event: event) }
        noteMoment(place, size, isSampled ? sampled.moment(requested, 1) : 1)
        totals.allocations &+= 1
        totals.bytes &+= size
        totals.live &+= Int64(bitPattern: size)
        work.events &+= stacks[place].isWork
        lastAllocation = work.events
        let isDue = stacks[place].made(
            size, &liveCurves, peaks: peakNumber, event: work.events, frees: work.frees, time: time)
        types[Int(stacks[place].type)].made(size)
        rise(to: totals.live)
        if isDue { noteLevel(place) }
    }

    private mutating func noteLevel(_ place: Int) {
        stacks[place].nextLevel = curves[place, default: RisingCurve()].pass(
            stacks[place].nextLevel, event: work.events, frees: work.frees)
    }

    private mutating func free(_ place: Int, _ requested: UInt64, type: Int) {
        let size = isSampled ? sampled.freed(place, type: type, requested) : requested
        if event >= liveCurves.nextEvent { liveCurves.move(to: time, event: event) }
        stacks[place].freed(size, &liveCurves, peaks: peakNumber)
        types[Int(stacks[place].type)].live &-= Int64(bitPattern: size)
        types[type].freed(size)
        work.events &+= stacks[place].isWork
        work.frees &+= stacks[place].isWork
        totals.frees &+= 1
        totals.live &-= Int64(bitPattern: size)
    }

    /// A block that came and went, `count` times.
    private mutating func pass(_ place: Int, _ requested: UInt64, type: Int, count: UInt64) {
        let size = isSampled ? sampled.passed(place, type: type, requested, count: count) : requested
        noteMoment(place, size &* count, isSampled ? sampled.moment(requested, count) : count)
        stacks[place].passed(size, count: count)
        types[type].passed(size, count: count)
        totals.allocations &+= count
        totals.frees &+= count
        totals.bytes &+= size &* count
        totals.temporary &+= count
        work.events &+= 2 &* count &* stacks[place].isWork
        work.frees &+= count &* stacks[place].isWork
        lastAllocation = work.events
        let known = peakNumber
        rise(to: totals.live &+ Int64(bitPattern: size))
        if peakNumber != known {
            stacks[place].atPeak = stacks[place].live &+ Int64(bitPattern: size)
            stacks[place].peakNumber = peakNumber
        }
    }

    private mutating func rise(to live: Int64) {
        if live > Int64(bitPattern: point.liveBytes) {
            point.liveBytes = UInt64(live)
            point.liveCount = liveCount
            point.time = time
        }
        if live > totals.peak {
            totals.peak = live
            peakTime = time
            peakNumber &+= 1
        }
    }

    /// What was counted.
    func summary() -> AllocationSummary {
        var summary = AllocationSummary()
        summary.totals = isSampled ? sampled.totalCounts(peak: UInt64(max(0, totals.peak))) : Self.counts(totals)
        summary.totals.atPeakBytes = summary.totals.peakBytes
        summary.sampleMean = isSampled ? sampled.mean : nil
        summary.peakTime = peakTime
        summary.lastAllocation = lastAllocation
        summary.timeline = timeline.points
        summary.levels = levels
        summary.byStack = stacks.indices.map { place in
            let entry = stacks[place]
            var row = StackAllocations(
                stack: StackID(entry.stack), type: TypeID(entry.type), counts: stackCounts(place))
            (row.firstEvent, row.lastEvent) = (entry.firstEvent, entry.lastEvent)
            (row.firstFrees, row.lastFrees) = (entry.firstFrees, entry.lastFrees)
            row.lastTime = entry.lastTime
            return row
        }
        .sorted { ($0.counts.bytes, $1.stack) > ($1.counts.bytes, $0.stack) }
        summary.liveCurves = liveCurves
        for entry in stacks { summary.liveCurves.close(entry.level, level: entry.live, of: StackID(entry.stack)) }
        summary.moments = moments
        summary.moments.name(stacks.map { StackID($0.stack) })
        summary.growth = curves.compactMap { place, curve in
            let entry = stacks[place]
            let atEnd = entry.allocations > entry.frees ? entry.allocations - entry.frees : 0
            guard let count = GrowthRule.run(curve, lastAllocation: lastAllocation, atEnd: atEnd) else { return nil }
            let bytes = UInt64(Double(max(0, entry.live)) * Double(count) / Double(atEnd))
            let blocks = isSampled ? Double(count) * sampled.liveBlocksPerSample(place) : Double(count)
            return StackGrowth(
                stack: StackID(entry.stack), type: TypeID(entry.type), count: Int(clamping: UInt64(estimating: blocks)),
                bytes: bytes)
        }
        .sorted { ($0.bytes, $1.stack) > ($1.bytes, $0.stack) }
        summary.byType = typeCounts().sorted { ($0.counts.bytes, $1.type) > ($1.counts.bytes, $0.type) }
        return summary
    }

    private func atPeak(_ entry: StackEntry) -> Int64 { entry.peakNumber == peakNumber ? entry.atPeak : entry.live }

    private func stackCounts(_ place: Int) -> AllocationCounts {
        let entry = stacks[place]
        let atPeak = UInt64(max(0, atPeak(entry)))
        if isSampled { return sampled.stackCounts(place, peak: UInt64(max(0, entry.peak)), atPeak: atPeak) }
        var counts = Self.counts(entry)
        counts.atPeakBytes = atPeak
        return counts
    }

    private static func counts(_ entry: StackEntry) -> AllocationCounts {
        var counts = AllocationCounts()
        counts.allocations = entry.allocations
        counts.frees = entry.frees
        counts.liveCount = entry.allocations >= entry.frees ? entry.allocations - entry.frees : 0
        counts.bytes = entry.bytes
        counts.liveBytes = UInt64(max(0, entry.live))
        counts.peakBytes = UInt64(entry.peak)
        counts.temporary = entry.temporary
        return counts
    }

    /// Freed blocks by the type read as they died, living ones by the census at exit; what remains has no known type.
    private func typeCounts() -> [TypeAllocations] {
        var atPeak = [Int64](repeating: 0, count: types.count)
        for entry in stacks { atPeak[Int(entry.type)] &+= self.atPeak(entry) }
        if isSampled {
            return sampled.typeCounts(
                peaks: types.map { UInt64(max(0, $0.peak)) }, atPeaks: atPeak.map { UInt64(max(0, $0)) })
        }
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
        return all.indices.filter { all[$0].allocations > 0 || atPeak[$0] > 0 }.map { index in
            var counts = AllocationCounts()
            counts.allocations = all[index].allocations
            counts.frees = all[index].frees
            counts.liveCount = counts.allocations >= counts.frees ? counts.allocations - counts.frees : 0
            counts.bytes = all[index].bytes
            counts.liveBytes = all[index].liveBytes
            counts.peakBytes = max(UInt64(all[index].peak), all[index].liveBytes)
            counts.atPeakBytes = UInt64(max(0, atPeak[index]))
            counts.temporary = all[index].temporary
            return TypeAllocations(type: TypeID(UInt32(index)), counts: counts)
        }
    }
}
