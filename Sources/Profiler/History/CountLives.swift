/// The changes of reference counts by object and by life: memory is used again, and another object's history must not
/// be told of this one.
struct CountLives {
    private var changes: [UInt64: [CountChangeRecord]]

    /// Cost: a sort of each object's changes.
    init(_ records: [CountChangeRecord]) {
        changes = Dictionary(grouping: records, by: \.object)
        for (object, list) in changes { changes[object] = list.sorted { $0.time < $1.time } }
    }

    var isEmpty: Bool { changes.isEmpty }

    /// The changes of the last object at this address that was born before `time`; empty when nothing was seen.
    func life(of object: UInt64, before time: UInt64 = .max) -> [CountChangeRecord] {
        guard let all = changes[object] else { return [] }
        let seen = all.prefix { $0.time <= time }
        let birth = seen.lastIndex { $0.kind == .born } ?? 0
        return Array(seen[birth...])
    }
}
