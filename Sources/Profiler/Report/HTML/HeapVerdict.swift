import GameprofAnalysis
import GameprofBasics

/// The page's first line of a live heap.
enum HeapVerdict {
    /// Who holds a smaller part of the heap is not worth naming.
    private static let leastShare = 0.2

    /// How much lives, and what holds most of it.
    static func sentence(_ heap: Report.LiveHeap, names: ShortNames) -> String {
        let all = "\(NumberFormat.bytes(heap.bytes)) live in \(NumberFormat.count(heap.objects, "object"))"
        // Memory without a type is held by many.
        guard let holder = heap.holders.first(where: { TypeName.module(of: $0.type) != nil }) else { return all }
        let share = Double(holder.retainedBytes) / Double(max(heap.bytes, 1))
        guard share >= leastShare else { return all }
        let type = names[holder.type]
        let name = holder.count > 1 ? "\(NumberFormat.count(holder.count)) × \(type)" : type
        let root = holder.root.map { " (\($0))" } ?? ""
        return PageText.clean("\(all), \(NumberFormat.fixed(100 * share, 0)) % held by \(name)\(root)", limit: 200)
    }
}
