import GameprofBasics
import GameprofTrace

/// Objects that the program expected to be deallocated and that lived in a snapshot.
struct ExpectationAnalysis {
    let snapshot: HeapSnapshot
    let types: TypeTable
    let symbolicator: any Symbolicating
    /// Whether the snapshot's leaks are findings of their own. They are not where recording began late: of what was
    /// allocated before nothing is known, and what that holds seems to be lost.
    let areLeaksTold: Bool
    /// What keeps the object at an address alive, from the root on.
    let holders: (UInt64) -> [String]

    /// One finding for each type and file. An object that nothing reaches is a leak already and is left to that finding.
    func findings() -> [AnalyzedFinding] {
        let lost = Set(areLeaksTold ? snapshot.objects.filter { !$0.flags.contains(.reachable) }.map(\.address) : [])
        let unmet = snapshot.expectations.filter { $0.isAlive && !lost.contains($0.object) }
        guard !unmet.isEmpty else { return [] }
        symbolicator.prepare(stacks: Set(unmet.map(\.stack)), addresses: [])
        let groups = Dictionary(grouping: unmet) { [TypeNames.name($0.type, in: types), $0.file] }
        return groups.values.map(finding).sorted { $0.facts.signature < $1.facts.signature }
    }

    private func finding(_ group: [ExpectationRecord]) -> AnalyzedFinding {
        let first = group[0]
        let type = TypeNames.name(first.type, in: types)
        var hash = StableHash()
        for part in [Finding.Kind.outlived.rawValue, type, first.file] { hash.combine(part) }
        let place = first.file.isEmpty ? nil : "\(first.file):\(first.line)"
        var finding = AnalyzedFinding(
            .outlived(expectedAt: place), remedy: .letGo(type: type, expectedAt: place),
            signature: hash.value.hexDigits, type: type)
        finding.facts.count = group.count
        finding.facts.bytes = group.reduce(into: 0) { sum, one in
            sum.add(clamping: snapshot.objects.first { $0.address == one.object }?.size ?? 0)
        }
        finding.facts.objects = [type: group.count]
        finding.facts.allocatedBy = CallStack(symbolicator.stack(first.stack))
        finding.facts.heldBy = group.lazy.map { holders($0.object) }.first { !$0.isEmpty }
        return finding
    }
}
