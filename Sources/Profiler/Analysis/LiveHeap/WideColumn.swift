import GameprofBasics

/// Numbers of 64 bits whose upper halves seldom change from one to the next: four bytes each, and 16 for each change. Reading one
/// is O(log changes).
struct WideColumn {
    private struct Change {
        /// The position from which on it holds.
        var start: Int
        var upper: UInt64
    }

    private var lower: [UInt32]
    /// In ascending order of their starts; the first one has start 0.
    private var changes = [Change(start: 0, upper: 0)]

    init(room: Int = 0) { lower = Array(room: room) }

    var count: Int { lower.count }
    var changeCount: Int { changes.count }

    subscript(position: Int) -> UInt64 {
        (changes.count == 1 ? changes[0].upper : upper(at: position)) | UInt64(lower[position])
    }

    private func upper(at position: Int) -> UInt64 {
        changes[partition(0..<changes.count) { changes[$0].start > position } - 1].upper
    }

    mutating func append(_ number: UInt64) {
        let upper = number & ~UInt64(UInt32.max)
        if upper != changes[changes.count - 1].upper { changes.append(Change(start: lower.count, upper: upper)) }
        lower.append(UInt32(truncatingIfNeeded: number))
    }
}
