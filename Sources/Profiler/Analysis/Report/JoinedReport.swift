import GameprofBasics

/// The reports of a program and of those that it started, as one.
public struct JoinedReport: Sendable {
    /// A process and its own report.
    public struct Member: Sendable {
        /// Process number.
        public var process: Int
        public var report: Report

        public init(process: Int, report: Report) {
            self.process = process
            self.report = report
        }
    }

    /// The process that was asked for stands first.
    public var members: [Member]

    public init(_ members: [Member]) { self.members = members }

    /// The first process's report, with a row for each process and with the findings of all. What cannot be added up —
    /// heap, allocations by stack, time — stays that of the first process. Nil: there is no process.
    public var report: Report? {
        guard var joined = members.first?.report else { return nil }
        joined.processes = members.map { ProcessRow(process: $0.process, report: $0.report) }
        joined.findings = members.flatMap { member in
            member.report.findings.map { finding in
                var finding = finding
                finding.process = member.process
                return finding
            }
        }
        joined.findings.sort { ($0.severity, $1.bytes, $0.signature) < ($1.severity, $0.bytes, $1.signature) }
        for member in members.dropFirst() {
            let capture = member.report.capture
            joined.capture.events.add(clamping: capture.events)
            joined.capture.dropped.add(clamping: capture.dropped)
            joined.capture.truncated = joined.capture.truncated || capture.truncated
            joined.capture.problems += capture.problems.map { "Process \(member.process): \($0)" }
        }
        let unused = members.map { Set($0.report.unusedSuppressions) }
        joined.unusedSuppressions = unused.dropFirst().reduce(unused[0]) { $0.intersection($1) }.sorted()
        return joined
    }
}
