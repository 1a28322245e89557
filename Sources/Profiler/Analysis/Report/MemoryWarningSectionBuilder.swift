import GameprofTrace

/// What memory warnings made the program give back, for the report.
enum MemoryWarningSectionBuilder {
    static func add(
        _ recording: Recording, symbolicator: any Symbolicating, limit: Int, to report: inout AnalyzedReport
    ) {
        let levels = recording.allocations.levels
        // Two for each warning, in the order of their marks.
        let warnings = stride(from: 0, to: levels.count - 1, by: 2).map { index in
            warning(levels[index], levels[index + 1], recording, symbolicator, limit: limit)
        }
        if report.facts.allocations != nil, !warnings.isEmpty { report.facts.memoryWarnings = warnings }
    }

    private static func warning(
        _ before: AllocationLevel, _ after: AllocationLevel, _ recording: Recording, _ symbolicator: any Symbolicating,
        limit: Int
    ) -> Report.MemoryWarning {
        var types: [String: Report.Generation.Survivors] = [:]
        for row in after.byStack {
            let type = TypeNames.name(row.type, in: recording.types)
            types[type, default: .init(type: type, liveCount: 0, liveBytes: 0)].liveCount &+= row.count
            types[type]?.liveBytes &+= row.bytes
        }
        let stacks = after.byStack.prefix(limit)
        symbolicator.prepare(stacks: Set(stacks.map(\.stack)), addresses: [])
        return Report.MemoryWarning(
            seconds: Seconds.of(before.time), handledSeconds: Seconds.of(after.time), liveBytesBefore: before.liveBytes,
            liveBytesAfter: after.liveBytes,
            byType: types.values.sorted { ($0.liveBytes, $1.type) > ($1.liveBytes, $0.type) }.prefix(limit).map { $0 },
            byStack: stacks.map { row in
                .init(
                    type: TypeNames.name(row.type, in: recording.types), liveCount: row.count, liveBytes: row.bytes,
                    allocatedBy: CallStack(symbolicator.stack(row.stack)) ?? CallStack(frames: []))
            }, omitted: after.stacks - stacks.count)
    }
}
