extension Report {
    /// The types of the findings and of the allocation rows.
    var typeNames: ShortNames {
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
            for way in living.ways {
                for reference in way.references { names.formUnion([reference.to] + reference.via) }
                names.formUnion(way.references.dropFirst().map(\.from))
            }
        }
        for row in allocations?.byType ?? [] { names.insert(row.type) }
        for row in allocations?.byStack ?? [] { names.insert(row.type) }
        for generation in generations ?? [] { names.formUnion(generation.byType.map(\.type)) }
        return ShortNames(names)
    }
}
