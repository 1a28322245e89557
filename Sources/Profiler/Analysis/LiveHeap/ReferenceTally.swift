import GameprofTrace

/// Counts references, equal ones together, and for each row how many different objects they concern. Objects are in groups, each
/// in one at most, and each group has rows of its own.
struct ReferenceTally: ~Copyable {
    struct Key: Hashable {
        /// Of what is at the other end.
        var type: String
        var field: String
        var ownership: Ownership
    }

    /// What makes references equal, in numbers of the caller's.
    struct Numbers: Hashable {
        static let none = Numbers(high: .max, low: .max)
        var high: UInt64
        var low: UInt64
    }

    private struct Row {
        var group: Int
        var key: Key
    }

    private struct Counts {
        /// A bit of an object that the row has counted; 0: it stands in `further`.
        var bit: UInt32
        var references = 0
        var objects = 0
    }

    private struct Counted: Hashable {
        var object: UInt32
        var row: Int32
    }

    private struct Recent {
        var numbers = Numbers.none
        var row: Int32 = 0
    }

    private static let recentCount = 1 << 10

    private var rows: [Row] = []
    private var counts: [Counts] = []
    /// By group.
    private var known: [[Key: Int32]]
    private var byNumbers: [Numbers: Int32] = [:]
    /// The last rows that were asked for: few have most of the references.
    private let recent = LargeColumn<Recent>(repeating: Recent(), count: recentCount)
    /// By object: a bit for each of the first rows of its group that have counted it. Of other rows it stands in `further`.
    private let marks: LargeColumn<UInt32>
    private var further: Set<Counted> = []

    init(groups: Int, blocks: Int) {
        known = [[Key: Int32]](repeating: [:], count: groups)
        marks = LargeColumn(repeating: 0, count: blocks)
    }

    deinit {
        recent.deallocate()
        marks.deallocate()
    }

    /// The number of a row of the group.
    mutating func row(_ key: Key, in group: Int) -> Int32 {
        if let number = known[group][key] { return number }
        let number = Int32(rows.count)
        let place = known[group].count
        known[group][key] = number
        rows.append(Row(group: group, key: key))
        counts.append(Counts(bit: place < UInt32.bitWidth ? 1 << UInt32(place) : 0))
        return number
    }

    /// The same; strings are made for different references only.
    @inline(__always)
    mutating func row(_ numbers: Numbers, in group: Int, _ key: () -> Key) -> Int32 {
        let hash = (numbers.high ^ numbers.low &* 0x9e37_79b9_7f4a_7c15) &* 0xd6e8_feb8_6659_fd93
        let slot = Int(truncatingIfNeeded: hash >> 54)
        if recent[slot].numbers == numbers { return recent[slot].row }
        let row = byNumbers[numbers] ?? row(key(), in: group)
        byNumbers[numbers] = row
        recent[slot] = Recent(numbers: numbers, row: row)
        return row
    }

    @inline(__always)
    func fetch(_ object: UInt32) { marks.fetch(Int(object)) }

    @inline(__always)
    mutating func add(_ object: UInt32, to row: Int32) {
        counts[Int(row)].references += 1
        let bit = counts[Int(row)].bit
        if bit == 0 {
            if further.insert(Counted(object: object, row: row)).inserted { counts[Int(row)].objects += 1 }
        } else if marks[Int(object)] & bit == 0 {
            marks[Int(object)] |= bit
            counts[Int(row)].objects += 1
        }
    }

    /// The rows of each group.
    var all: [[Report.LiveHeap.ReferenceRow]] {
        var result = [[Report.LiveHeap.ReferenceRow]](repeating: [], count: known.count)
        for (row, counts) in zip(rows, counts) {
            result[row.group].append(
                Report.LiveHeap.ReferenceRow(
                    type: row.key.type, field: row.key.field.isEmpty ? nil : row.key.field,
                    ownership: "\(row.key.ownership)", count: counts.references, objects: counts.objects))
        }
        return result
    }
}
