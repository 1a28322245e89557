import GameprofAnalysis

extension ComparisonReport.Tree {
    /// The user's nearest caller of a library's function in whose calls that function's own time changed most; nil for a
    /// function of the user's and where no caller is the user's.
    package func usersCaller(of function: ComparisonReport.Function) -> String? {
        guard
            let number = functions.firstIndex(where: { $0.name == function.name && $0.module == function.module }),
            functions[number].origin != .user
        else { return nil }
        var own = nodes.map(\.weight.difference)
        for node in nodes where node.parent >= 0 { own[node.parent] &-= node.weight.difference }
        // Callers come before their callees.
        var nearest = [Int](repeating: -1, count: nodes.count)
        var changes: [Int: Int64] = [:]
        for (index, node) in nodes.enumerated() where node.function >= 0 {
            let isUsers = functions[node.function].origin == .user
            nearest[index] = isUsers ? node.function : nearest[node.parent]
            if node.function == number, nearest[index] >= 0 { changes[nearest[index], default: 0] &+= own[index] }
        }
        return changes.max {
            ($0.value.magnitude, functions[$1.key].name) < ($1.value.magnitude, functions[$0.key].name)
        }.map { functions[$0.key].name }
    }
}
