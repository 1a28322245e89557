/// Live bytes of each stack through the recording: the lowest level in each of 64 parts, which what comes and goes does not
/// raise, and in the last part the level at the end.
///
/// The parts are equal in the mean of two clocks, time and events: a program that waits does not grow, and what grows
/// slowly after a start with many events grows all the same. The time of a short run is mostly that for which it waited for a
/// processor: there the events count alone. Stacks that never kept a kilobyte have no curve. 512 bytes
/// for each curve, of which there are at most 65,536.
public struct LiveCurves: Sendable {
    public static let parts = 64
    private static let least: Int64 = 1024
    private static let limit = 1 << 16

    /// Where the curve of one stack is.
    struct Place: Sendable {
        fileprivate var row: Int32 = -1
        /// Its levels are kept until this part, in which it was at least `low` so far.
        fileprivate var part: UInt8 = 0
        fileprivate var low: Int64 = 0
    }

    /// Nanoseconds, and events, until the end of each part.
    private var ends: [UInt64]
    private var endEvents: [UInt64]
    private var levels: [Int64] = []
    private var rows: [StackID: Int32] = [:]
    private var part: UInt8 = 0
    /// Events until which the part lasts while the time stands still.
    private(set) var nextEvent: UInt64 = .max
    private let span: UInt64
    private let events: UInt64
    /// Below a quarter of a second.
    private let isShort: Bool
    package static let shortRun: UInt64 = 250_000_000

    /// - Parameters:
    ///   - span: nanoseconds of the whole recording.
    ///   - events: its allocations and frees.
    ///   - isShort: only the events count.
    init(span: UInt64 = 0, events: UInt64 = 0, isShort: Bool = false) {
        (self.span, self.events, self.isShort) = (span, events, isShort)
        ends = Array(repeating: span, count: Self.parts)
        endEvents = Array(repeating: events, count: Self.parts)
        if events > 0 { move(to: 0, event: 0) }
    }

    /// Begins the part of that moment, if it is a later one.
    mutating func move(to time: UInt64, event: UInt64) {
        guard events > 0 else { return }
        let done = min(1, Double(event) / Double(events))
        let share = isShort ? done : span > 0 ? min(1, Double(time) / Double(span)) : 0
        let now = UInt8(min(Double(Self.parts - 1), (share + done) / 2 * Double(Self.parts)))
        while part < now {
            (ends[Int(part)], endEvents[Int(part)]) = (time, event)
            part += 1
        }
        let end = Double(part + 1) / Double(Self.parts)
        let next = (isShort ? end : 2 * end - share) * Double(events)
        nextEvent = next < Double(1 << 62) ? max(event &+ 1, UInt64(max(0, next))) : .max
    }

    /// To be called before the level of the stack changes.
    @inline(__always)
    mutating func note(_ place: inout Place, level: Int64) {
        if place.part != part { keep(&place, level: level, until: part) }
        if level < place.low { place.low = level }
    }

    private mutating func keep(_ place: inout Place, level: Int64, until part: UInt8) {
        if place.row < 0, level >= Self.least, levels.count < Self.limit * Self.parts {
            place.row = Int32(levels.count / Self.parts)
            levels.append(contentsOf: repeatElement(0, count: Self.parts))
        }
        if place.row >= 0 {
            let row = Int(place.row) * Self.parts
            levels[row + Int(place.part)] = max(0, min(place.low, level))
            for index in Int(place.part) + 1..<max(Int(place.part) + 1, Int(part)) {
                levels[row + index] = max(0, level)
            }
        }
        (place.part, place.low) = (part, level)
    }

    /// To be called once for each stack after the last event.
    mutating func close(_ place: Place, level: Int64, of stack: StackID) {
        var place = place
        keep(&place, level: level, until: UInt8(Self.parts))
        guard place.row >= 0 else { return }
        levels[(Int(place.row) + 1) * Self.parts - 1] = max(0, level)
        rows[stack] = place.row
    }

    /// The levels of a stack, in bytes; nil: it never kept a kilobyte.
    public subscript(stack: StackID) -> [UInt64]? {
        rows[stack].map { row in
            levels[Int(row) * Self.parts..<(Int(row) + 1) * Self.parts].map { UInt64($0) }
        }
    }

    /// The parts in which a share of the run's time, and of its events, has passed.
    public func parts(at share: Double) -> (byTime: Int, byEvents: Int) {
        func part(_ ends: [UInt64], _ whole: UInt64) -> Int {
            ends.firstIndex { Double($0) >= share * Double(whole) } ?? Self.parts - 1
        }
        let byEvents = part(endEvents, events)
        return (isShort ? byEvents : part(ends, span), byEvents)
    }

    /// Levels in so many equal parts of the time. `levels`: by the parts of the curves.
    public func overTime(_ levels: [UInt64], columns: Int) -> [UInt64] {
        var part = 0
        return (1...max(1, columns)).map { column in
            let end = column == columns ? span : span / UInt64(columns) * UInt64(column)
            while part < Self.parts - 1, ends[part] <= end { part += 1 }
            let isThrough = ends[part] <= end
            return isThrough ? levels[part] : part > 0 ? levels[part - 1] : 0
        }
    }
}
