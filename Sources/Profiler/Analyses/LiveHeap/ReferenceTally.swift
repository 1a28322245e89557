import GameprofReportModel
import GameprofTraceFile

/// Counts references, equal ones together, and for each row how many different objects they concern. Objects are in groups, each
/// in one at most, and each group has rows of its own.
struct ReferenceTally {
    struct Key: Hashable {
        /// Of what is at the other end.
        var type: String
        var field: String
        var ownership: Ownership
    }

    private struct Row {
        var key: Key
        var count = 0
        var objects = 0
    }

    private struct Counted: Hashable {
        var object: UInt32
        var row: Int32
    }

    /// By group.
    private var rows: [[Row]]
    private var numbers: [[Key: Int]]
    /// By object: a bit for each of the first rows of its group that have counted it. Of other rows it stands in `further`.
    private var marks: [UInt32]
    private var further: Set<Counted> = []

    init(groups: Int, blocks: Int) {
        rows = [[Row]](repeating: [], count: groups)
        numbers = [[Key: Int]](repeating: [:], count: groups)
        marks = [UInt32](repeating: 0, count: blocks)
    }

    /// The number of a row of the group.
    mutating func row(_ key: Key, in group: Int) -> Int {
        if let number = numbers[group][key] { return number }
        let number = rows[group].count
        numbers[group][key] = number
        rows[group].append(Row(key: key))
        return number
    }

    mutating func add(_ count: Int, of object: UInt32, to row: Int, in group: Int) {
        rows[group][row].count += count
        if isFirst(row, of: object) { rows[group][row].objects += 1 }
    }

    private mutating func isFirst(_ row: Int, of object: UInt32) -> Bool {
        guard row < UInt32.bitWidth else {
            return further.insert(Counted(object: object, row: Int32(row))).inserted
        }
        let bit = UInt32(1) << UInt32(row)
        guard marks[Int(object)] & bit == 0 else { return false }
        marks[Int(object)] |= bit
        return true
    }

    /// The rows of each group.
    var all: [[Report.LiveHeap.ReferenceRow]] {
        rows.map { rows in
            rows.map {
                Report.LiveHeap.ReferenceRow(
                    type: $0.key.type, field: $0.key.field.isEmpty ? nil : $0.key.field,
                    ownership: "\($0.key.ownership)", count: $0.count, objects: $0.objects)
            }
        }
    }
}
