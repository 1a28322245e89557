/// Figures of a run that goes on, by equal parts of its time. The parts become twice as long when there are too many, so that
/// memory does not grow with the run.
package struct LiveTimeline: Sendable {
    /// What is counted.
    package enum Track: Hashable, Sendable {
        /// Requested bytes of the blocks that were allocated and freed, and their number.
        case allocated, freed, allocations
        /// Resident memory, the highest.
        case resident
        /// Nanoseconds of CPU time; `none`: of all threads that have no track of their own.
        case cpu(ThreadID)
        /// How many frames of a loop ended, and the longest in nanoseconds, without what it waited for the screen.
        case frames(String)
        case longestFrame(String)

        /// Parts are joined by their highest value; else they are added up.
        fileprivate var isHighest: Bool {
            switch self {
            case .resident, .longestFrame: true
            case .allocated, .freed, .allocations, .cpu, .frames: false
            }
        }
    }

    /// The most parts.
    package static let limit = 1200
    /// Threads and loops with a track of their own.
    private static let (threadLimit, loopLimit) = (48, 8)
    /// A time beyond this is damage: 30 years.
    private static let latest: UInt64 = 1_000_000_000 << 30

    /// Nanoseconds of a part.
    package private(set) var width: UInt64
    /// Parts so far.
    package private(set) var count = 0
    /// In the order in which they began.
    package private(set) var tracks: [Track] = []
    /// Grows with each look at the trace.
    package private(set) var revision = 1
    private var values: [Track: [Double]] = [:]
    /// By part: when it changed last.
    private var changes: [Int] = []
    private var threads = 0
    private var loops = 0

    package init(width: UInt64 = 250_000_000) { self.width = width }

    /// Another look at the trace begins.
    package mutating func beginLook() { revision += 1 }

    /// The values of all parts; those behind the last that changed are missing.
    package func values(of track: Track) -> [Double] { values[track] ?? [] }

    /// The first part that changed after a look.
    package func firstChange(after look: Int) -> Int { changes.firstIndex { $0 > look } ?? count }

    package mutating func add(_ value: Double, to track: Track, at time: UInt64) {
        guard time < Self.latest, value != 0, let track = known(track) else { return }
        while time / width >= UInt64(Self.limit) { halve() }
        let part = Int(time / width)
        reach(part)
        changes[part] = revision
        let missing = part + 1 - (values[track]?.count ?? 0)
        if missing > 0 { values[track, default: []] += [Double](repeating: 0, count: missing) }
        values[track]![part] = track.isHighest ? max(values[track]![part], value) : values[track]![part] + value
    }

    /// The run has come so far, whatever is recorded.
    package mutating func advance(to time: UInt64) {
        guard time < Self.latest else { return }
        while time / width >= UInt64(Self.limit) { halve() }
        reach(Int(time / width))
    }

    private mutating func reach(_ part: Int) {
        guard part >= count else { return }
        changes += [Int](repeating: revision, count: part + 1 - count)
        count = part + 1
    }

    /// The track that takes its values; nil: there are too many.
    private mutating func known(_ track: Track) -> Track? {
        if values[track] != nil { return track }
        switch track {
        case .cpu(let thread) where !thread.isNone:
            guard threads < Self.threadLimit else { return known(.cpu(.none)) }
            threads += 1
        case .frames, .longestFrame:
            guard loops < 2 * Self.loopLimit else { return nil }
            loops += 1
        default: break
        }
        tracks.append(track)
        values[track] = []
        return track
    }

    private mutating func halve() {
        width *= 2
        count = (count + 1) / 2
        changes = [Int](repeating: revision, count: count)
        for track in tracks {
            let old = values[track] ?? []
            values[track] = stride(from: 0, to: old.count, by: 2).map { part in
                let next = part + 1 < old.count ? old[part + 1] : 0
                return track.isHighest ? max(old[part], next) : old[part] + next
            }
        }
    }
}
