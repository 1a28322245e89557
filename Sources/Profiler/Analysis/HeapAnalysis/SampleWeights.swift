import GameprofBasics
import GameprofTrace

/// How many lost blocks a listed one stands for. A snapshot of very many lost blocks lists some of them and counts all by
/// type and allocation stack: each listed block stands for its share of those.
struct SampleWeights {
    private struct Key: Hashable {
        var type: TypeID
        var stack: StackID
    }

    private struct Tally {
        var count = 0.0
        var bytes = 0.0
    }

    /// Lost blocks for each listed one; empty: all are listed.
    private var factors: [Key: Tally] = [:]

    init(graph: HeapGraph, lost: [HeapCensusRecord]) {
        guard !lost.isEmpty else { return }
        var listed: [Key: Tally] = [:]
        for object in graph.objects where object.isLost {
            listed[Self.key(object), default: Tally()].count += 1
            listed[Self.key(object), default: Tally()].bytes += Double(object.size)
        }
        for row in lost {
            let key = Key(type: row.type, stack: row.stack)
            guard let part = listed[key] else { continue }
            factors[key] = Tally(
                count: Double(row.count) / part.count, bytes: part.bytes > 0 ? Double(row.bytes) / part.bytes : 1)
        }
    }

    /// Blocks of its type and stack.
    func count(of object: HeapObject) -> Double { factor(of: object)?.count ?? 1 }

    /// Their bytes.
    func bytes(of object: HeapObject) -> Double {
        Double(object.size) * (factor(of: object)?.bytes ?? 1)
    }

    /// Only of what is lost a sample is listed.
    private func factor(of object: HeapObject) -> Tally? {
        object.isLost && !factors.isEmpty ? factors[Self.key(object)] : nil
    }

    /// The nearest whole number; of what a damaged trace claims, one that sums of a few do not overflow.
    static func whole(_ value: Double) -> Int { Int(min(max(value.rounded(), 0), 0x1p53)) }

    private static func key(_ object: HeapObject) -> Key { Key(type: object.type, stack: object.stack) }

    /// What a report says of a snapshot that lists a sample; nil: it lists all.
    static func note(of snapshot: HeapSnapshot) -> Report.Note? {
        guard !snapshot.lost.isEmpty else { return nil }
        let kinds = Set(snapshot.objects.lazy.filter(\.isLost).map(key))
        let rest = snapshot.lost.filter { !kinds.contains(Key(type: $0.type, stack: $0.stack)) }
        return .lostObjectsSampled(
            total: snapshot.lost.reduce(0) { $0 &+ $1.count }, listed: snapshot.objects.count(where: \.isLost),
            unlisted: rest.isEmpty
                ? nil
                : Report.Blocks(
                    count: rest.reduce(0) { $0 &+ $1.count }, bytes: rest.reduce(0) { $0 &+ $1.bytes }))
    }
}
