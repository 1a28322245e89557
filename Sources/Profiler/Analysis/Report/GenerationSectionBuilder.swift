import GameprofTrace

/// What was allocated between two marks and still lived, for the report.
enum GenerationSectionBuilder {
    static func add(
        _ recording: Recording, symbolicator: any Symbolicating, limit: Int, to report: inout AnalyzedReport
    ) {
        guard !recording.marks.isEmpty else { return }
        guard let snapshot = recording.heapSnapshots.last(where: { $0.end != nil }) else {
            report.notes.append(.marksWithoutSnapshot)
            return
        }
        let warnings = Set(
            MemoryWarningMarks.pairs(recording.marks).flatMap { [$0.before, $0.after] }.map(\.generation))
        // A warning begins none: what was made then counts to the mark before.
        let marks = recording.marks.filter { !warnings.contains($0.generation) }
        guard !marks.isEmpty else { return }
        report.facts.generations = zip(marks, marks.dropFirst().map(\.generation) + [.max]).map { mark, next in
            let blocks = snapshot.generations.filter { $0.generation >= mark.generation && $0.generation < next }
            return generation(mark, blocks, recording, symbolicator, limit: limit)
        }
    }

    private static func generation(
        _ mark: MarkRecord, _ blocks: [GenerationRecord], _ recording: Recording, _ symbolicator: any Symbolicating,
        limit: Int
    ) -> Report.Generation {
        var result = Report.Generation(name: mark.name, seconds: Seconds.of(mark.time))
        var types: [String: Report.Generation.Survivors] = [:]
        for block in blocks {
            let type = TypeNames.name(block.type, in: recording.types)
            types[type, default: .init(type: type, liveCount: 0, liveBytes: 0)].liveCount &+= block.count
            types[type]?.liveBytes &+= block.bytes
            result.liveCount &+= block.count
            result.liveBytes &+= block.bytes
        }
        result.byType = types.values.sorted { ($0.liveBytes, $1.type) > ($1.liveBytes, $0.type) }
            .prefix(limit).map { $0 }
        let stacks = blocks.sorted { ($0.bytes, $1.stack) > ($1.bytes, $0.stack) }.prefix(limit)
        symbolicator.prepare(stacks: Set(stacks.map(\.stack)), addresses: [])
        result.byStack = stacks.map { block in
            Report.Generation.Survivors(
                type: TypeNames.name(block.type, in: recording.types), liveCount: block.count,
                liveBytes: block.bytes, allocatedBy: CallStack(symbolicator.stack(block.stack)) ?? CallStack(frames: [])
            )
        }
        result.omitted = blocks.count - stacks.count
        return result
    }
}
