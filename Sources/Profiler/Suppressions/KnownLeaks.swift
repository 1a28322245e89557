/// Turns findings that are known into notes.
enum KnownLeaks {
    /// Marks what a suppression matches; the user's come first. Returns the names of the user's that matched nothing.
    static func mark(_ findings: inout [Finding], suppressions: [Suppression]) -> [String] {
        var used = Set<String>()
        for position in findings.indices {
            guard let match = suppressions.first(where: { $0.matches(findings[position]) }) else { continue }
            findings[position].severity = .note
            findings[position].known = match.name
            used.insert(match.name)
        }
        return suppressions.map(\.name).filter { !used.contains($0) }
    }
}
