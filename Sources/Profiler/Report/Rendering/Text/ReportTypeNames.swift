import GameprofAnalysis
import GameprofBasics

extension Report {
    /// The types of the findings and of the allocation rows.
    package var typeNames: ShortNames {
        var names = Set<String>()
        for finding in findings {
            names.insert(finding.type)
            names.formUnion(finding.objects.keys)
            for reference in finding.references {
                names.insert(reference.from)
                names.insert(reference.to)
                names.formUnion(reference.via)
            }
        }
        for living in why ?? [] {
            if let type = living.type { names.insert(type) }
            for way in living.ways { names.formUnion(way.typeNames) }
        }
        for row in grew ?? [] {
            names.formUnion([row.type] + [row.holder].compactMap { $0 }.filter(TypeName.isOne))
        }
        names.formUnion(TaskWords.types(tasks?.groups ?? [], tasks?.mailboxes))
        for row in footprint?.pinnedBy ?? [] { names.insert(row.type) }
        for row in (footprint?.unused ?? []) + (footprint?.untouched ?? []) { names.insert(row.type) }
        for row in liveHeap?.types ?? [] { names.insert(row.type) }
        let details = (liveHeap?.details ?? []) + (liveHeap?.types ?? []).compactMap(\.detail)
        for detail in details {
            // A root stands there with its name.
            names.formUnion(detail.incoming.map(\.type).filter(TypeName.isOne))
            names.formUnion(detail.outgoing.map(\.type) + detail.retained.map(\.type))
            for way in detail.ways { names.formUnion(way.typeNames) }
        }
        for row in referenceCounting?.functions ?? [] { names.formUnion(row.types.map(\.type)) }
        for row in allocations?.byType ?? [] { names.insert(row.type) }
        for row in allocations?.byStack ?? [] { names.insert(row.type) }
        for warning in memoryWarnings ?? [] { names.formUnion((warning.byType + warning.byStack).map(\.type)) }
        for loop in frames ?? [] { names.formUnion((loop.steady ?? []).map(\.type)) }
        for generation in generations ?? [] { names.formUnion(generation.byType.map(\.type)) }
        if let heap = liveHeap {
            names.formUnion(heap.types.map(\.type))
            var open = heap.holders
            while let row = open.popLast() {
                names.insert(row.type)
                open += row.children
            }
        }
        names.subtract(details.flatMap(\.ways).map(\.root.name))
        return ShortNames(names)
    }
}

extension HeldBy {
    /// The types on the way; the root, where it begins, is none.
    var typeNames: [String] { references.flatMap { [$0.to] + $0.via } + references.dropFirst().map(\.from) }
}
