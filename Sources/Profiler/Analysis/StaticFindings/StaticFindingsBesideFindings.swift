/// Puts the suspects that a recording confirms beside its findings: the line to change, and the edit as a diff.
public enum StaticFindingsBesideFindings {
    /// `read`: the bytes of a source file, for the diff.
    public static func add(_ analysis: Analysis, to report: inout Report, read: (String) -> [UInt8]?) {
        for entry in analysis.entries where entry.silencedBy == nil && entry.verdict?.status == .confirmed {
            let line = Finding.SourceCause(entry.suspect, diff: diff(entry.suspect, read))
            for index in report.findings.indices
            where entry.verdict?.findings.contains(report.findings[index].signature) == true {
                report.findings[index].suspects = (report.findings[index].suspects ?? []) + [line]
            }
        }
    }

    private static func diff(_ suspect: StaticFinding, _ read: (String) -> [UInt8]?) -> String? {
        guard let edit = suspect.edit, let bytes = read(suspect.file), edit.contentHash == SourceEdit.hash(of: bytes),
            let changed = SourceEdit.apply([edit], to: bytes)
        else { return nil }
        let name = suspect.file.split(separator: "/").last.map(String.init) ?? suspect.file
        return SourceEdit.diff(
            String(decoding: bytes, as: UTF8.self), String(decoding: changed, as: UTF8.self), path: name)
    }
}

extension Finding.SourceCause {
    fileprivate init(_ suspect: StaticFinding, diff: String?) {
        self.init(
            rule: suspect.rule, file: suspect.file, line: suspect.line, source: suspect.source,
            message: suspect.message, fix: suspect.fix, diff: diff)
    }
}
