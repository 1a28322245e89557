import GameprofAnalysis
import GameprofBasics

/// The recorded processes as a table: a row for each, or for several that are alike, under the one that started it. Its
/// texts are not escaped yet.
public struct ProcessTable: Sendable {
    package struct Row: Sendable {
        package var depth: Int
        /// `sh -c true`; `400 × sh -c true`.
        package var name: String
        /// A text for each of `heads`.
        package var cells: [String]
        package var severity: Finding.Severity?
        /// Those of its processes that have a page.
        package var pages: [ProcessRow]
        /// The number of its process; nil: it has several.
        package var process: Int?
    }

    package let rows: [Row]
    package let heads: [String]
    /// The head of the findings, which is no number.
    package static let found = "found"

    private static let absent = "–"

    /// What the memory of children made by fork is; nil: of none it is known.
    package let sharing: String?

    /// - Parameter tree: of `processes`.
    public init(_ tree: ProcessTree, of processes: [ProcessRow]) {
        let members = tree.rows.map { $0.members.map { processes[$0] } }
        let columns: [(String, ([ProcessRow]) -> String)] = [
            ("end", Self.end), ("time", Self.time), ("peak", Self.peak), ("shared", { Self.most($0, \.sharedBytes) }),
            ("own", { Self.most($0, \.ownBytes) }), ("leaked", Self.leaked),
            (Self.found, Self.findings),
        ]
        let isShared = processes.contains { $0.sharedBytes != nil }
        sharing =
            isShared
            ? "shared: memory that other processes had too when a forked child ended; own: memory that it alone had."
            : nil
        let shown = columns.filter { column in members.contains { column.1($0) != Self.absent } }
        heads = shown.map(\.0)
        rows = zip(tree.rows, members).map { row, members in
            Row(
                depth: row.depth, name: Self.name(members), cells: shown.map { $0.1(members) },
                severity: Self.severity(members), pages: members.filter { $0.page != nil },
                process: members.count == 1 ? members[0].process : nil)
        }
    }

    /// Without the arguments where they differ.
    private static func name(_ rows: [ProcessRow]) -> String {
        let program = String(rows[0].executable.split(separator: "/").last ?? "?")
        let isOne = rows.allSatisfy { $0.arguments == rows[0].arguments }
        let command = ([program] + (isOne ? rows[0].arguments : [])).joined(separator: " ")
        return rows.count == 1 ? command : "\(NumberFormat.count(rows.count)) × \(command)"
    }

    private static func end(_ rows: [ProcessRow]) -> String {
        guard let exit = rows[0].exit else { return "not known" }
        if exit.outOfMemory == true { return "out of memory" }
        if let signal = exit.signal { return "signal \(signal)" }
        return exit.code.map { "exit \($0)" } ?? "not known"
    }

    private static func time(_ rows: [ProcessRow]) -> String {
        let mean = rows.reduce(0) { $0 + $1.wallSeconds } / Double(rows.count)
        return NumberFormat.seconds(mean) + (rows.count > 1 ? " each" : "")
    }

    /// The most bytes of live memory that a process had.
    private static func peak(_ rows: [ProcessRow]) -> String { most(rows, \.totals?.peakBytes) }

    private static func most(_ rows: [ProcessRow], _ value: (ProcessRow) -> UInt64?) -> String {
        guard let most = rows.compactMap(value).max() else { return absent }
        return (rows.count > 1 && most > 0 ? "≤ " : "") + NumberFormat.bytes(most)
    }

    private static func leaked(_ rows: [ProcessRow]) -> String {
        let bytes = rows.reduce(0) { $0 &+ ($1.leakedBytes ?? 0) }
        return bytes == 0 ? absent : NumberFormat.bytes(bytes)
    }

    private static func findings(_ rows: [ProcessRow]) -> String {
        let (errors, warnings) = rows.reduce((0, 0)) { ($0.0 + $1.errors, $0.1 + $1.warnings) }
        let parts = [
            errors > 0 ? NumberFormat.count(errors, "error") : nil,
            warnings > 0 ? NumberFormat.count(warnings, "warning") : nil,
            rows.contains { $0.truncated == true && $0.exit?.signal == nil } ? "incomplete" : nil,
        ].compactMap { $0 }
        // What a process would have lost that a signal ended is not known.
        let isCut = rows.contains { $0.truncated == true }
        return parts.isEmpty ? (isCut ? absent : "nothing") : parts.joined(separator: ", ")
    }

    private static func severity(_ rows: [ProcessRow]) -> Finding.Severity? {
        if rows.contains(where: { $0.errors > 0 }) { return .error }
        return rows.contains { $0.warnings > 0 || $0.truncated == true } ? .warning : nil
    }
}
