import GameprofBasics
import GameprofTrace

/// A heap of a recording, prepared for a comparison.
package struct ComparedHeap {
    let recording: Recording
    let snapshot: HeapSnapshot
    let symbolicator: any Symbolicating
    let ownership: HeapOwnership
    let analysis: LiveHeapAnalysis

    /// nil: the snapshot has no graph, or gives no result.
    package init?(_ recording: Recording, _ snapshot: HeapSnapshot, symbolicator: any Symbolicating) {
        guard let graph = snapshot.graph, snapshot.unsoundReason == nil else { return nil }
        self.recording = recording
        self.snapshot = snapshot
        self.symbolicator = symbolicator
        ownership = HeapOwnership(graph, types: recording.types)
        analysis = LiveHeapAnalysis(ownership, rootNames: RootNames(symbolicator: symbolicator))
    }

    fileprivate var side: HeapComparison.Side {
        let program = recording.program
        let name = program?.executable.split(separator: "/").last.map(String.init) ?? "?"
        return HeapComparison.Side(
            program: ([name] + (program?.arguments.dropFirst() ?? [])).joined(separator: " "),
            snapshot: Int(snapshot.begin.snapshot.rawValue), name: snapshot.begin.name,
            seconds: Seconds.of(snapshot.begin.time), objects: ownership.living.count,
            bytes: ownership.retained[Int(ownership.entry)])
    }

    /// What makes an object the same one in another snapshot of its run.
    fileprivate struct Identity: Hashable {
        var address: UInt64
        var stack: StackID
        var type: TypeID
    }

    fileprivate func identity(_ block: UInt32) -> Identity {
        let heap = ownership.heap
        return Identity(
            address: heap.addresses[Int(block)], stack: heap.stacks[Int(block)], type: heap.types[Int(block)])
    }
}

/// Compares two heaps by type and by holder.
package enum HeapComparisonBuilder {
    private static let rowLimit = 200

    /// - Parameter between: a third heap, of the same run as the others and between them: then it is shown what was made
    ///   after `before` and lives there and in `after`.
    package static func compare(
        _ before: ComparedHeap, _ after: ComparedHeap, between: ComparedHeap? = nil
    ) -> HeapComparison {
        let isOneRun =
            before.recording.startUnixNanoseconds == after.recording.startUnixNanoseconds
            && before.recording.program?.pid == after.recording.program?.pid
        var result = HeapComparison(before: before.side, after: after.side, isOneRun: isOneRun)
        let known = isOneRun ? Set(before.ownership.living.map(before.identity)) : []
        (result.types, result.typesOmitted) = limited(types(before, after, known: known, isOneRun)) {
            ($0.change, $0.type)
        }
        (result.holders, result.holdersOmitted) = limited(holders(before, after)) {
            ($0.change, [$0.type, $0.holder ?? "", $0.field ?? ""].joined(separator: "\0"))
        }
        if let between, isOneRun {
            result.between = between.side
            result.survivors = survivors(known, between, after)
        }
        return result
    }

    private static func limited<Row>(
        _ rows: [Row], by key: (Row) -> (HeapComparison.Change, String)
    ) -> ([Row], Int) {
        let sorted = rows.sorted { left, right in
            let (one, two) = (key(left), key(right))
            let differences = (one.0.retainedDifference.magnitude, two.0.retainedDifference.magnitude)
            let counts = (one.0.countAfter - one.0.countBefore, two.0.countAfter - two.0.countBefore)
            return (differences.0, abs(counts.0), two.1) > (differences.1, abs(counts.1), one.1)
        }
        return (Array(sorted.prefix(rowLimit)), max(0, sorted.count - rowLimit))
    }

    private static func types(
        _ before: ComparedHeap, _ after: ComparedHeap, known: Set<ComparedHeap.Identity>, _ isOneRun: Bool
    ) -> [HeapComparison.TypeRow] {
        var changes: [String: HeapComparison.Change] = [:]
        for row in before.analysis.typeTotals() {
            changes[row.type, default: .init()].countBefore = row.count
            changes[row.type, default: .init()].retainedBefore = row.retained
        }
        for row in after.analysis.typeTotals() {
            changes[row.type, default: .init()].countAfter = row.count
            changes[row.type, default: .init()].retainedAfter = row.retained
        }
        var kept: [String: Int] = [:]
        if isOneRun {
            var names: [Int32: Int] = [:]
            for block in after.ownership.living where known.contains(after.identity(block)) {
                names[after.ownership.names.number(block), default: 0] += 1
            }
            for (name, count) in names { kept[after.ownership.names.text(name)] = count }
        }
        return changes.compactMap { type, change in
            let same = isOneRun ? kept[type] ?? 0 : min(change.countBefore, change.countAfter)
            let (added, removed) = (change.countAfter - same, change.countBefore - same)
            guard added != 0 || removed != 0 || change.retainedDifference != 0 else { return nil }
            return HeapComparison.TypeRow(
                type: type, change: change, added: added, removed: max(0, removed), kept: same)
        }
    }

    private static func holders(_ before: ComparedHeap, _ after: ComparedHeap) -> [HeapComparison.HolderRow] {
        var changes: [LiveHeapAnalysis.HolderKey: HeapComparison.Change] = [:]
        for (key, totals) in before.analysis.holderTotals() {
            changes[key, default: .init()].countBefore = totals.count
            changes[key, default: .init()].retainedBefore = totals.retained
        }
        for (key, totals) in after.analysis.holderTotals() {
            changes[key, default: .init()].countAfter = totals.count
            changes[key, default: .init()].retainedAfter = totals.retained
        }
        let collections = (before.analysis.collectionTotals(), after.analysis.collectionTotals())
        for key in collections.0.large.union(collections.1.large) {
            let (one, two) = (collections.0.totals[key] ?? (0, 0), collections.1.totals[key] ?? (0, 0))
            changes[key, default: .init()].countBefore += one.count
            changes[key, default: .init()].retainedBefore &+= one.retained
            changes[key, default: .init()].countAfter += two.count
            changes[key, default: .init()].retainedAfter &+= two.retained
        }
        return changes.compactMap { key, change in
            guard change.retainedDifference != 0 || change.countBefore != change.countAfter else { return nil }
            return HeapComparison.HolderRow(holder: key.holder, field: key.field, type: key.type, change: change)
        }
    }

    private static func survivors(
        _ first: Set<ComparedHeap.Identity>, _ second: ComparedHeap, _ third: ComparedHeap
    ) -> [HeapComparison.SurvivorRow] {
        struct Key: Hashable {
            var name: Int32
            var stack: StackID
        }
        let middle = Set(second.ownership.living.map(second.identity))
        var totals: [Key: (count: Int, bytes: UInt64)] = [:]
        for block in third.ownership.living where !third.ownership.names.isBuffer(block) {
            let identity = third.identity(block)
            guard middle.contains(identity), !first.contains(identity) else { continue }
            let key = Key(name: third.ownership.names.number(block), stack: identity.stack)
            let sum = totals[key] ?? (0, 0)
            totals[key] = (sum.count + 1, sum.bytes &+ third.ownership.heap.sizes[Int(block)])
        }
        let sorted = totals.sorted {
            ($0.value.bytes, $0.value.count, $1.key.stack) > ($1.value.bytes, $1.value.count, $0.key.stack)
        }.prefix(rowLimit)
        third.symbolicator.prepare(stacks: Set(sorted.map { $0.key.stack }), addresses: [])
        return sorted.map { key, sum in
            HeapComparison.SurvivorRow(
                type: third.ownership.names.text(key.name), count: sum.count, bytes: sum.bytes,
                allocatedBy: CallStack(third.symbolicator.stack(key.stack)))
        }
    }
}
