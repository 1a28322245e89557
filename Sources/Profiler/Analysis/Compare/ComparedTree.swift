import GameprofBasics

extension ComparisonReport.Tree {
    private struct Key: Hashable {
        var parent: Int
        var function: Int
    }

    /// Lays the trees of computing threads over each other. Linear in the nodes of both.
    package init(before: Profile, after: Profile) {
        self.init()
        var numbers: [ComparedName: Int] = [:]
        var children: [Key: Int] = [:]
        for (profile, side) in [(before, \ComparisonReport.Change.before), (after, \.after)] {
            let tree = CallTree(profile)
            var places = [Int](repeating: 0, count: tree.nodes.count)
            nodes[0].weight[keyPath: side] = tree.total
            for (index, node) in tree.nodes.enumerated().dropFirst() {
                let described = profile.functions[node.function.index]
                let name = ComparedName(described, in: profile)
                let function = numbers[name] ?? functions.count
                if function == functions.count {
                    numbers[name] = function
                    functions.append(
                        .init(
                            name: described.name, module: described.module,
                            place: SourceLocation.short(file: described.file, line: nil), origin: described.origin))
                }
                let key = Key(parent: places[node.parent], function: function)
                let place = children[key] ?? nodes.count
                if place == nodes.count {
                    children[key] = place
                    nodes.append(Node(parent: key.parent, function: function))
                }
                places[index] = place
                nodes[place].weight[keyPath: side].add(clamping: node.total)
            }
        }
    }
}
