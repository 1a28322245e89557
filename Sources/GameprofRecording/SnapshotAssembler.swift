import GameprofTraceFile

/// Puts the heap records of a trace together into snapshots.
struct SnapshotAssembler {
    private var finished: [HeapSnapshot] = []
    private var current: HeapSnapshot?
    private var graph = LiveHeapBuilder()

    /// Takes the next record.
    mutating func note(_ record: TraceRecord.Heap) {
        switch record {
        case .begin(let begin):
            close()
            current = HeapSnapshot(begin: begin)
        case .census(let census): current?.census.append(census)
        case .lost(let lost): current?.lost.append(lost)
        case .object(let object): current?.objects.append(object)
        case .reference(let reference): current?.references.append(reference)
        case .root(let root): current?.roots.append(root)
        case .target(let target): current?.targets.append(target)
        case .nodes(let nodes): graph.note(nodes)
        case .label(let label): graph.note(label)
        case .graphRoot(let root): graph.note(root)
        case .generation(let generation): current?.generations.append(generation)
        case .expectation(let expectation): current?.expectations.append(expectation)
        case .end(let end):
            current?.end = end
            close()
        }
    }

    /// All snapshots, in the order of time.
    mutating func finish() -> [HeapSnapshot] {
        close()
        return finished.sorted { $0.begin.snapshot.rawValue < $1.begin.snapshot.rawValue }
    }

    private mutating func close() {
        guard var snapshot = current else { return }
        snapshot.graph = graph.finish()
        add(Self.sound(snapshot))
        current = nil
    }

    /// Of the snapshots at peaks only the last with a result is near the highest one: the others, whose graphs would take
    /// several times the memory, are dropped.
    private mutating func add(_ snapshot: HeapSnapshot) {
        guard snapshot.begin.trigger == .atPeak,
            let place = finished.firstIndex(where: { $0.begin.trigger == .atPeak })
        else { return finished.append(snapshot) }
        let known = finished[place]
        let isSound = (known.unsoundReason == nil, snapshot.unsoundReason == nil)
        if isSound.1 ? !isSound.0 || known.liveBytes < snapshot.liveBytes : !isSound.0 { finished[place] = snapshot }
    }

    /// Keeps what holds together: objects numbered 1, 2, 3 … without a gap, and references and roots of such objects.
    private static func sound(_ snapshot: HeapSnapshot) -> HeapSnapshot {
        var result = snapshot
        result.objects.sort { $0.id < $1.id }
        if let gap = result.objects.indices.first(where: { result.objects[$0].id.index != $0 + 1 }) {
            result.objects.removeSubrange(gap...)
        }
        let known = 1...max(result.objects.count, 1)
        let isEmpty = result.objects.isEmpty
        result.references.removeAll { isEmpty || !known.contains($0.from.index) || !known.contains($0.to.index) }
        result.roots.removeAll { isEmpty || !known.contains($0.object.index) }
        result.targets.removeAll { !$0.object.isNone && (isEmpty || !known.contains($0.object.index)) }
        let lost =
            result.objects.count != snapshot.objects.count
            || result.references.count != snapshot.references.count
        if lost, var end = result.end {
            end.isCutShort = true
            if end.reason.isEmpty { end.reason = "records of the heap snapshot are missing" }
            result.end = end
        }
        return result
    }
}
