import GameprofBasics
import GameprofTrace

/// Writes the way from a root to an object as a person reads it.
struct RetainingPathsBuilder {
    let paths: PathBuilder
    let rootPaths: RootPaths
    let names: RootNames

    /// The way to one object; nil when the snapshot does not list it.
    func way(to object: Int32, instances: Int = 1, bytes: UInt64 = 0) -> HeldBy? {
        rootPaths.way(to: object).map { way in
            HeldBy(
                root: names.root(way.root), references: references(way.root, way.edges, to: object),
                instances: instances, bytes: bytes)
        }
    }

    /// The way to the nearest of several objects, in a line: the root, then the types on the way.
    func names(toNearestOf objects: [Int32]) -> [String] {
        guard let way = rootPaths.way(toNearestOf: objects) else { return [] }
        let target = way.edges.last.map { paths.graph.edges[Int($0)].to } ?? Int32(way.root.object.index - 1)
        let references = references(way.root, way.edges, to: target)
        return references.enumerated().map { index, reference in
            let holder = reference.holder(named: index == 0 ? reference.from : TypeSugar.short(reference.from))
            let isGuess = reference.isInferred == true && reference.via.contains(ObjectNoun.memory.rawValue)
            return isGuess ? "\(holder) (possible, untyped memory)" : holder
        }
            + references.suffix(1).map { TypeSugar.short($0.to) }
    }

    private func references(_ root: HeapRoot, _ edges: [Int32], to object: Int32) -> [Reference] {
        let name = names.root(root).name
        let isCertain = root.kind == .global || root.kind == .runtime
        guard let first = edges.first.map({ paths.graph.edges[Int($0)].from }) else {
            return [direct(name, to: paths.roles.typeName(object), isCertain: isCertain)]
        }
        var steps = PathFolding.runs(ofPath: paths.path(edges))
        var result: [Reference] = []
        if paths.roles[first] == .user || paths.roles[first] == .library {
            result.append(direct(name, to: paths.roles.typeName(first), isCertain: isCertain))
        } else if let step = steps.first {
            // What the root names directly is storage, a box or memory: the root stands for it.
            var reference = step.reference(names.symbolicator)
            reference.via.insert(paths.roles.typeName(first), at: 0)
            reference.from = name
            reference.field = ""
            result.append(reference)
            steps.removeFirst()
        }
        return result + steps.map { $0.reference(names.symbolicator) }
    }

    private func direct(_ root: String, to type: String, isCertain: Bool) -> Reference {
        var reference = Reference(from: root, field: "", to: type)
        reference.isInferred = isCertain ? nil : true
        return reference
    }
}
