import GameprofBasics

/// Finds out of each suspect what a recording shows. `Analysis.judged` in Rendering makes a verdict of it.
public struct StaticFindingJoin: Sendable {
    private let report: Report
    private let places: ExecutedPlaces
    private let types: [String: TypeLives]

    private struct TypeLives {
        var made: UInt64 = 0
        var living: UInt64 = 0
    }

    /// `report`: of the recording, with as many stacks as there are: what they do not show counts as not executed.
    public init(report: Report) {
        self.report = report
        places = ExecutedPlaces(report)
        var types: [String: TypeLives] = [:]
        for row in report.allocations?.byType ?? [] {
            types[TypeName.bare(row.type), default: TypeLives()].made.add(clamping: row.counts.allocations)
            types[TypeName.bare(row.type), default: TypeLives()].living.add(clamping: row.counts.liveCount)
        }
        self.types = types
    }

    /// What the recording shows of the suspect.
    package func evidence(on suspect: StaticFinding) -> Analysis.Verdict.Evidence {
        let matching = report.findings.filter { StaticFindingMatch.matches(suspect, $0) }
        if !matching.isEmpty {
            return .confirmed(
                title: matching.map(\.title).min() ?? "", signatures: matching.map(\.signature).sorted(),
                count: matching.reduce(into: 0) { $0.add(clamping: $1.count) },
                bytes: matching.reduce(into: 0) { $0.add(clamping: $1.bytes) })
        }
        guard report.heap != nil else { return .withoutSnapshot }
        let type = TypeName.bare(suspect.type)
        guard !type.isEmpty else { return .withoutType }
        let lives = types[type] ?? TypeLives()
        if lives.made == 0 { return .neverMade(type: type) }
        if lives.living > 0 { return .stillLiving(type: type, count: lives.living) }
        return places.contain(suspect) ? .allDied(type: type, made: lives.made) : .notExecuted(type: type)
    }
}

/// The functions and lines that the stacks of a report name.
struct ExecutedPlaces: Sendable {
    private var functions: Set<String> = []
    private var lines: Set<String> = []

    init(_ report: Report) {
        var stacks = report.allocations?.byStack.map(\.allocatedBy) ?? []
        stacks += report.findings.flatMap { [$0.allocatedBy, $0.deallocatedBy, $0.usedBy].compactMap { $0 } }
        for frame in stacks.lazy.flatMap(\.frames) {
            functions.insert(FunctionName.member(frame.function))
            if let file = frame.file?.split(separator: "/").last, let line = frame.line {
                lines.insert("\(file):\(line)")
            }
        }
    }

    func contain(_ suspect: StaticFinding) -> Bool {
        let file = suspect.file.split(separator: "/").last ?? ""
        return lines.contains("\(file):\(suspect.line)")
            || (!suspect.function.isEmpty && functions.contains(FunctionName.member(suspect.function)))
    }
}
