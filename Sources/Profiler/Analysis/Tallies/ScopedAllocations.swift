import GameprofBasics
import GameprofTrace

/// What a stretch of a test allocated, named: the rows that are its own doing.
public struct ScopedAllocations {
    /// The test's own, most blocks first.
    private let rows: [ScopedCounterRow]
    private let recording: Recording
    private let symbolicator: any Symbolicating

    /// Looks up the stacks of the rows, which is the dear part.
    public init(_ rows: [ScopedCounterRow], of recording: Recording, symbolicator: any Symbolicating) {
        symbolicator.prepare(stacks: Set(rows.map(\.stack)), addresses: [])
        self.rows = rows.filter { ScopedCounterRule.isOwn(symbolicator.stack($0.stack)) }
            .sorted { ($0.count, $1.stack) > ($1.count, $0.stack) }
        self.recording = recording
        self.symbolicator = symbolicator
    }

    /// Types, and the functions that made them. An initialiser is left to its caller.
    package var totals: AllocationTotals {
        var types: [String: UInt64] = [:]
        var makers: [Made: UInt64] = [:]
        for row in rows {
            var stack = symbolicator.stack(row.stack)
            let maker = stack.frames.firstIndex { $0.origin == .user && !FunctionName.isInitializer($0.function) }
            stack.frames.removeFirst(maker ?? 0)
            types[name(row), default: 0] += row.count
            makers[Made(type: ShortNames.strip(name(row)), maker: CallStack(stack)?.maker), default: 0] += row.count
        }
        return AllocationTotals(
            byType: types.map { AllocationTotals.Row(type: ShortNames.strip($0.key), count: $0.value) }
                .sorted { ($0.count, $1.type) > ($1.count, $0.type) },
            byMaker: makers.map { AllocationTotals.Row(type: $0.key.type, maker: $0.key.maker, count: $0.value) }
                .sorted { ($0.count, $1.type, $1.maker ?? "") > ($1.count, $0.type, $0.maker ?? "") })
    }

    private struct Made: Hashable {
        var type: String
        var maker: String?
    }

    /// The counts as a page shows them.
    public var report: Report {
        var report = Report(
            target: ReportBuilder.target(of: recording), capture: ReportBuilder.capture(of: recording))
        var allocations = Report.Allocations(totals: counts(rows))
        allocations.byType = byType.map { Report.TypeRow(type: $0.key, counts: counts($0.value)) }
            .sorted { ($0.counts.allocations, $1.type) > ($1.counts.allocations, $0.type) }
        allocations.byStack = rows.prefix(Self.stackLimit).map { row in
            Report.StackRow(
                type: name(row), counts: counts([row]),
                allocatedBy: CallStack(symbolicator.stack(row.stack)) ?? CallStack(frames: []))
        }
        allocations.omittedStacks = max(0, rows.count - Self.stackLimit)
        report.allocations = allocations
        return report
    }

    private static let stackLimit = 100

    private var byType: [String: [ScopedCounterRow]] { Dictionary(grouping: rows, by: name) }

    private func counts(_ rows: [ScopedCounterRow]) -> AllocationCounts {
        var counts = AllocationCounts()
        for row in rows {
            counts.allocations += row.count
            counts.bytes += row.bytes
        }
        return counts
    }

    private func name(_ row: ScopedCounterRow) -> String {
        TypeNames.name(row.type, in: recording.types)
    }
}
