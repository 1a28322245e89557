import GameprofBasics

/// The reports of a program and of those that it started, as one.
public struct JoinedReport: Sendable {
    /// A process and its own report.
    public struct Member: Sendable {
        /// Process number.
        public var process: Int
        public var report: Report
        /// The process that had started it; nil: not known.
        public var parent: Int?
        /// When its recording began, in nanoseconds; 0: not known.
        public var start: UInt64
        /// What the recorder found out of it (`GP_ENVIRONMENT`).
        public var facts: [String: String] = [:]

        public init(process: Int, report: Report, parent: Int? = nil, start: UInt64 = 0) {
            (self.process, self.report, self.parent, self.start) = (process, report, parent, start)
        }
    }

    /// The process that was asked for stands first.
    public var members: [Member]

    public init(_ members: [Member]) { self.members = members }

    /// The first process's report, with a row for each process and with the findings of all. What cannot be added up —
    /// heap, allocations by stack, time — stays that of the first process. Nil: there is no process.
    public var report: Report? {
        guard var joined = members.first?.report else { return nil }
        let earliest = members.map(\.start).filter { $0 > 0 }.min() ?? 0
        joined.processes = members.map { ProcessRow($0, earliest: earliest) }
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

extension ProcessRow {
    /// The row of a process and its report. `earliest`: when the first recording began, in nanoseconds.
    fileprivate init(_ member: JoinedReport.Member, earliest: UInt64) {
        let report = member.report
        self.init(
            process: member.process, parent: member.parent, executable: report.target.executable,
            arguments: report.target.arguments, wallSeconds: report.target.wallSeconds,
            errors: report.findings.count { $0.severity == .error },
            warnings: report.findings.count { $0.severity == .warning }, totals: report.allocations?.totals)
        startSeconds = member.start > 0 ? Double(member.start - earliest) / 1e9 : nil
        // A crash is recorded, its end only where somebody waits for the process.
        exit = report.target.exit ?? report.crash.map { Report.Exit(signal: $0.signal) }
        (leakedBlocks, leakedBytes) = (report.heap?.leakedBlocks, report.heap?.leakedBytes)
        sharedBytes = member.facts["fork.shared"].flatMap(UInt64.init)
        ownBytes = member.facts["fork.own"].flatMap(UInt64.init)
        truncated = report.capture.truncated ? true : nil
    }
}
