/// Tells of each suspect what a recording says: confirmed, cleared or unseen.
public struct SuspectJoin: Sendable {
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

    /// The analysis with a verdict on each suspect.
    public func judge(_ analysis: Analysis) -> Analysis {
        var result = analysis
        for index in result.entries.indices {
            result.entries[index].verdict = verdict(on: result.entries[index].suspect)
        }
        let name = report.target.executable.split(separator: "/").last.map(String.init) ?? "?"
        result.program = ([name] + report.target.arguments).joined(separator: " ")
        return result
    }

    func verdict(on suspect: SourceSuspect) -> Analysis.Verdict {
        let matching = report.findings.filter { SuspectMatch.matches(suspect, $0) }
        if !matching.isEmpty {
            let count = matching.reduce(into: 0) { $0.add(clamping: $1.count) }
            let bytes = matching.reduce(into: UInt64(0)) { $0.add(clamping: $1.bytes) }
            let title = matching.map(\.title).min() ?? ""
            return Analysis.Verdict(
                status: .confirmed, findings: matching.map(\.signature).sorted(), count: count, bytes: bytes,
                explanation: "\(title): \(Quantity.count(count, "instance")), \(Quantity.bytes(bytes)).")
        }
        let type = TypeName.bare(suspect.type)
        let lives = types[type] ?? TypeLives()
        let wasExecuted = places.contain(suspect)
        if report.heap == nil {
            return unseen("The recording has no heap snapshot: what lived at the end is not known.")
        }
        guard !suspect.type.isEmpty, lives.made > 0 else {
            return unseen(type.isEmpty ? "No type to look for." : "No \(type) was made in this recording.")
        }
        if lives.living > 0 {
            return unseen("\(Quantity.count(lives.living)) \(type) still lived at the end, in reach.")
        }
        guard wasExecuted else { return unseen("\(type) was used, but this code was not seen to run.") }
        return Analysis.Verdict(
            status: .cleared, explanation: "The code ran, and all \(Quantity.count(lives.made)) \(type) died.")
    }

    private func unseen(_ explanation: String) -> Analysis.Verdict {
        Analysis.Verdict(status: .unseen, explanation: explanation)
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
            functions.insert(SuspectMatch.member(of: frame.function))
            if let file = frame.file?.split(separator: "/").last, let line = frame.line {
                lines.insert("\(file):\(line)")
            }
        }
    }

    func contain(_ suspect: SourceSuspect) -> Bool {
        let file = suspect.file.split(separator: "/").last ?? ""
        return lines.contains("\(file):\(suspect.line)")
            || (!suspect.function.isEmpty && functions.contains(SuspectMatch.member(of: suspect.function)))
    }
}
