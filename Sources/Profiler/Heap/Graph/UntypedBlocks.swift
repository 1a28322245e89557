import GameprofBasics
import GameprofTrace

/// Memory without a type that nothing reaches. An image does not show all ways in which C names its memory: it is a fact, and no
/// finding unless a lost object holds it.
struct UntypedBlocks {
    private var counts: [UInt64: Int] = [:]

    mutating func add(_ block: BlockMap.Block) { counts[block.size, default: 0] += 1 }

    /// What is to be said of those that are not listed; nil: they are less than a hundredth of `live` bytes.
    func sentence(besides listed: [HeapObject], of live: UInt64) -> String? {
        var counts = counts
        for object in listed where object.type.isNone && !object.flags.contains(.reachable) {
            counts[object.size, default: 0] -= 1
        }
        counts = counts.filter { $0.value > 0 }
        let bytes = counts.reduce(0) { $0 &+ $1.key &* UInt64($1.value) }
        guard let most = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), bytes > 0, bytes >= live / 100
        else { return nil }
        let count = counts.values.reduce(0, +)
        return "No live object refers to \(NumberFormat.count(count, "block")) without a type "
            + "(\(NumberFormat.bytes(bytes)); \(NumberFormat.count(most.value)) of \(NumberFormat.bytes(most.key))): "
            + "\(count == 1 ? "it is" : "they are") lost, unless C code finds them in a way that cannot be seen from "
            + "outside."
    }
}
