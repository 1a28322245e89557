import GameprofBasics
import GameprofTrace

/// The changes of reference counts by object and by life: memory is used again, and another object's history must not
/// be told of this one.
struct ObjectLifetimes {
    private var changes: [UInt64: [CountChangeRecord]]
    private var threads: [ThreadID: [CountChangeRecord]]

    /// Cost: a sort of each object's changes.
    init(_ records: [CountChangeRecord]) {
        changes = Dictionary(grouping: records, by: \.object)
        for (object, list) in changes { changes[object] = list.sorted { $0.time < $1.time } }
        threads = Dictionary(grouping: records, by: \.thread)
        for (thread, list) in threads { threads[thread] = list.sorted { $0.time < $1.time } }
    }

    var isEmpty: Bool { changes.isEmpty }

    /// The change that its thread made before this one, of any object. Cost: logarithmic.
    func change(before record: CountChangeRecord) -> CountChangeRecord? {
        let list = threads[record.thread] ?? []
        let position = partition(list.indices) { list[$0].time >= record.time }
        return position > 0 ? list[position - 1] : nil
    }

    /// The changes of the last object of this type at this address that was born before `time`; empty when nothing was
    /// seen. What lived there before it was of another type as a rule, and mostly nobody's whose counts are followed.
    func life(of object: UInt64, type: TypeID, before time: UInt64 = .max) -> [CountChangeRecord] {
        let seen = (changes[object] ?? []).prefix { $0.time <= time }
        let birth = seen.lastIndex { $0.kind == .born } ?? 0
        let life = seen.dropFirst(birth)
        return life.allSatisfy { $0.type == type } ? Array(life) : []
    }
}
