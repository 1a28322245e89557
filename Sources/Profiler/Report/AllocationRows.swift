/// The allocation part of a report.
enum AllocationRows {
    /// The rows with the most bytes, named.
    static func rows(of recording: Recording, symbolicator: any Symbolicating, limit: Int, typeLimit: Int)
        -> Report.Allocations
    {
        let summary = recording.allocations
        var result = Report.Allocations(
            totals: Report.Counts(summary.totals), peakSeconds: ReportBuilder.seconds(summary.peakTime))
        result.byType = summary.byType.prefix(typeLimit).map { row in
            Report.TypeRow(type: name(row.type, in: recording.types), counts: Report.Counts(row.counts))
        }
        let stacks = summary.byStack.prefix(limit)
        symbolicator.prepare(stacks: Set(stacks.map(\.stack)), addresses: [])
        result.byStack = stacks.map { row in
            Report.StackRow(
                type: name(row.type, in: recording.types), counts: Report.Counts(row.counts),
                allocatedBy: CallStack(symbolicator.stack(row.stack)) ?? CallStack(frames: []))
        }
        result.omittedTypes = max(0, summary.byType.count - typeLimit)
        result.omittedStacks = max(0, summary.byStack.count - limit)
        result.timeline = summary.timeline.map { point in
            Report.Point(
                seconds: ReportBuilder.seconds(point.time), liveBytes: point.liveBytes, liveCount: point.liveCount,
                allocations: point.allocations)
        }
        return result
    }

    /// What a report calls the type.
    static func name(_ type: TypeID, in recording: Recording) -> String {
        name(type, in: recording.types)
    }

    /// What to call blocks of a type.
    static func name(_ type: TypeID, in types: TypeTable) -> String {
        guard !type.isNone, let record = types.record(type) else { return "memory" }
        if !record.name.isEmpty { return record.name }
        switch record.kind {
        case .local, .genericBox: return "closure context or captured variable"
        case .error: return "error"
        case .task: return "task"
        case .job: return "job"
        case .classInstance: return "object"
        }
    }
}
