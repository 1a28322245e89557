import GameprofTrace

/// The report's section of one heap of a recording.
struct LiveHeapSection {
    let snapshot: HeapSnapshot
    /// Those of the recording that give a result.
    let snapshots: [HeapSnapshot]
    /// Of the heap, where it is known already.
    var ownership: HeapOwnership?
    let recording: Recording
    let rootNames: RootNames

    /// Nil: no snapshot with a graph answers to the choice.
    static func chosen(
        among snapshots: [HeapSnapshot], _ choice: ReportOptions.HeapSnapshotChoice
    ) -> HeapSnapshot? {
        let graphs = snapshots.filter { $0.graph != nil }
        return switch choice {
        case .peak: graphs.last { $0.begin.trigger == .atPeak } ?? graphs.last
        case .last: graphs.last
        case .number(let number): graphs.first { $0.begin.snapshot.rawValue == number }
        }
    }

    /// `progress` receives a share from 0 to 1 now and then.
    func section(_ options: ReportOptions, progress: (Double) -> Void = { _ in }) -> Report.LiveHeap? {
        guard let graph = snapshot.graph else { return nil }
        let ownership = ownership ?? HeapOwnership(graph, types: recording.types)
        var section = LiveHeapAnalysis(ownership, rootNames: rootNames).section(
            of: snapshot, typeLimit: options.heapTypeRows)
        section.seconds = Seconds.of(snapshot.begin.time)
        section.peak = peak
        progress(0.4)
        addDetails(options, ownership, to: &section) { progress(0.4 + 0.5 * $0) }
        addFirst(to: &section)
        return section
    }

    private func addDetails(
        _ options: ReportOptions, _ ownership: HeapOwnership, to section: inout Report.LiveHeap,
        progress: (Double) -> Void
    ) {
        guard !options.heapTypes.isEmpty || options.heapDetailRows > 0 else { return }
        let details = HeapDetails(
            ownership, types: recording.types, rootNames: rootNames, begin: snapshot.begin)
        if !options.heapTypes.isEmpty { section.details = details.details(of: options.heapTypes, progress: progress) }
        let rows = section.types.indices.prefix(options.heapDetailRows)
        let short =
            rows.isEmpty
            ? [:]
            : details.shortDetails(
                ofTypes: rows.map { section.types[$0].type }, progress: progress)
        for row in rows { section.types[row].detail = short[section.types[row].type] }
    }

    /// How near the snapshot is to the most live bytes.
    private var peak: Report.LiveHeap.Peak? {
        let allocations = recording.allocations
        guard snapshot.begin.trigger == .atPeak, allocations.sampleMean == nil, allocations.totals.peakBytes > 0 else {
            return nil
        }
        return Report.LiveHeap.Peak(
            liveBytes: snapshot.liveBytes, bytes: max(allocations.totals.peakBytes, snapshot.liveBytes),
            seconds: Seconds.of(allocations.peakTime))
    }

    /// What the types retained at the first heap of the run, where that is an earlier one.
    private func addFirst(to section: inout Report.LiveHeap) {
        guard let heap = snapshots.first(where: { $0.graph != nil }), let graph = heap.graph,
            heap.begin.snapshot < snapshot.begin.snapshot
        else { return }
        let first = LiveHeapAnalysis(HeapOwnership(graph, types: recording.types), rootNames: rootNames)
        section.first = first.summary(of: heap)
        let totals = Dictionary(first.typeTotals().map { ($0.type, $0.retained) }) { $0 &+ $1 }
        for row in section.types.indices { section.types[row].firstRetainedBytes = totals[section.types[row].type] }
    }
}
