import GameprofTrace

/// The changes of reference counts by object and by life: memory is used again, and another object's history must not
/// be told of this one.
struct ObjectLifetimes {
    private var changes: [UInt64: [CountChangeRecord]]

    /// Cost: a sort of each object's changes.
    init(_ records: [CountChangeRecord]) {
        changes = Dictionary(grouping: records, by: \.object)
        for (object, list) in changes { changes[object] = list.sorted { $0.time < $1.time } }
    }

    var isEmpty: Bool { changes.isEmpty }

    /// The changes of the last object of this type at this address that was born before `time`; empty when nothing was
    /// seen. What lived there before it was of another type as a rule, and mostly nobody's whose counts are followed.
    func life(of object: UInt64, type: TypeID, before time: UInt64 = .max) -> [CountChangeRecord] {
        let seen = (changes[object] ?? []).prefix { $0.time <= time }
        let birth = seen.lastIndex { $0.kind == .born } ?? 0
        let life = seen.dropFirst(birth)
        return life.allSatisfy { $0.type == type } ? Array(life) : []
    }
}
