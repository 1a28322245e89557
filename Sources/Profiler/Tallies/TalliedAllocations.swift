import TraceFile

/// What a stretch of a test allocated, named: the rows that are its own doing.
public struct TalliedAllocations {
    /// The test's own, most blocks first.
    private let rows: [TallyRow]
    private let recording: Recording
    private let symbolicator: any Symbolicating

    /// Looks up the stacks of the rows, which is the dear part.
    public init(_ rows: [TallyRow], of recording: Recording, symbolicator: any Symbolicating) {
        symbolicator.prepare(stacks: Set(rows.map(\.stack)), addresses: [])
        self.rows = rows.filter { TallyRule.isOwn(symbolicator.stack($0.stack)) }
            .sorted { ($0.count, $1.stack) > ($1.count, $0.stack) }
        self.recording = recording
        self.symbolicator = symbolicator
    }

    /// Blocks.
    public var total: UInt64 { rows.reduce(0) { $0 + $1.count } }

    /// What is said of a limit that was not kept. `type`: whose objects were counted; nil: every block.
    public func text(limit: Int, type: String?) -> String {
        let what = type.map { " of \($0)" } ?? ""
        let number = Quantity.count(Int(clamping: total), "allocation")
        var lines = ["\(number)\(what), at most \(Quantity.count(limit)) expected: \(types)"]
        lines += made.prefix(Self.placeLimit).map { "\(Quantity.count($0.count)) × \($0.what)" }
        return lines.joined(separator: "\n")
    }

    /// Types and the functions that made them, most blocks first. An initialiser is left to its caller.
    private var made: [(what: String, count: UInt64)] {
        var counts: [String: UInt64] = [:]
        for row in rows {
            var stack = symbolicator.stack(row.stack)
            let maker = stack.frames.firstIndex { $0.origin == .user && !Signature.isInitializer($0.function) }
            stack.frames.removeFirst(maker ?? 0)
            let place = CallStack(stack)?.maker.map { " in \($0)" } ?? ""
            counts[ShortNames.strip(name(row)) + place, default: 0] += row.count
        }
        return counts.map { (what: $0.key, count: $0.value) }.sorted { ($0.count, $1.what) > ($1.count, $0.what) }
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
    private static let typeLimit = 5
    private static let placeLimit = 3

    private var byType: [String: [TallyRow]] { Dictionary(grouping: rows, by: name) }

    private var types: String {
        let counted = byType.map { (type: ShortNames.strip($0.key), count: $0.value.reduce(0) { $0 + $1.count }) }
            .sorted { ($0.count, $1.type) > ($1.count, $0.type) }
        let told = counted.prefix(Self.typeLimit).map { "\(Quantity.count($0.count)) × \($0.type)" }
        let more = counted.count - Self.typeLimit
        return told.joined(separator: ", ") + (more > 0 ? ", \(Quantity.count(more, "more type"))" : "") + "."
    }

    private func counts(_ rows: [TallyRow]) -> Report.Counts {
        var counts = Report.Counts()
        for row in rows {
            counts.allocations += row.count
            counts.bytes += row.bytes
        }
        return counts
    }

    private func name(_ row: TallyRow) -> String { AllocationRows.name(row.type, in: recording.types) }
}
