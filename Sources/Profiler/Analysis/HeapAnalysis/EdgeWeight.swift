import GameprofBasics
import GameprofTrace

/// How much a single reference, seen alone, looks like the one that should not own its target.
struct EdgeWeight {
    let graph: HeapGraph
    let roles: ObjectRoles
    let contexts: ClosureContexts
    let names: FunctionNames
    let owners: EdgeOwners

    /// 4: a closure captures the object whose method made it · 3: a closure captures an object · 2: a property with
    /// the name of a back reference · 1: between two objects of the user, or a task that holds one · 0: everything
    /// else · −1: memory without a type, what a task says of itself, and what a library declares, which nobody can change.
    func callAsFunction(of edge: HeapGraph.Edge) -> Int {
        let target = roles[edge.to]
        guard target != .raw, roles[edge.from] != .raw, !roles.isTaskItself(edge), owners[edge] != .library else {
            return -1
        }
        guard target == .user || target == .library else { return 0 }
        if edge.function != 0 || roles[edge.from] == .closure {
            let name = edge.function != 0 ? names[edge.function] : contexts.name(of: edge.from)
            let isSelf = name.flatMap(FunctionName.enclosingType) == TypeName.bare(roles.typeName(edge.to))
            return isSelf ? 4 : target == .user ? 3 : 1
        }
        guard target == .user else { return 0 }
        if edge.kind == .field, FieldName.namesBackReference(graph.label(of: edge)) { return 2 }
        return [.user, .box, .task].contains(roles[edge.from]) ? 1 : 0
    }
}
