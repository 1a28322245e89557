/// Turns findings that are known into notes.
enum KnownLeaks {
    /// The list that comes with the tool, for the Swift runtime, Foundation and libdispatch.
    static let list: Result<[Suppression], any Error> = Result {
        try Suppression.read(
            yaml: String(decoding: PackageResources.known_leaks_yml, as: UTF8.self), file: "known-leaks.yml")
    }

    /// The entry of the list that the finding matches.
    static func entry(for finding: Finding) -> Suppression? {
        ((try? list.get()) ?? []).first { $0.matchesKnownLeak(finding) }
    }

    /// Marks what a suppression matches; the user's come first. Returns the names of the user's that matched nothing.
    static func mark(_ findings: inout [Finding], suppressions: [Suppression]) -> [String] {
        var used = Set<Int>()
        for position in findings.indices {
            if let number = suppressions.firstIndex(where: { $0.matches(findings[position]) }) {
                findings[position].severity = .note
                findings[position].known = suppressions[number].name
                used.insert(number)
            } else if let entry = entry(for: findings[position]) {
                findings[position].severity = .note
                findings[position].known = entry.name
            }
        }
        return suppressions.indices.filter { !used.contains($0) }.map { suppressions[$0].name }
    }
}

extension Suppression {
    /// Like `matches`, but one function must be both called so and of that module, and never for an object of the user's
    /// own, whoever allocated it, nor for a cycle or a path that one of them is on, unless the entry says so and a library
    /// alone ties them together.
    func matchesKnownLeak(_ finding: Finding) -> Bool {
        let types = [finding.type] + finding.objects.keys + finding.references.flatMap { [$0.from, $0.to] }
        let isExcused = matchesUserObjects && finding.tiedByLibrary == true
        guard isExcused || !types.contains(where: TypeName.isUsers), matches(finding) else { return false }
        guard let function, let module else { return true }
        let frames = finding.allocatedBy?.frames ?? []
        return frames.contains { function.matches($0.function) && module.matches($0.module) }
    }
}
