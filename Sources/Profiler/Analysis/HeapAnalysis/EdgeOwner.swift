import GameprofBasics
import GameprofTrace

/// Whose declaration makes a reference: the user's code can change its own, a library's not.
enum EdgeOwner: Sendable {
    case user
    /// A property that a library's class declares, also where an instance of a user's subclass holds it, or a capture of a
    /// library's closure.
    case library
    /// What belongs to whatever holds it: the storage of a collection, a captured variable, a task.
    case neutral
    /// A closure without a name, memory without a type.
    case unknown
}

/// Tells the user's references from a library's.
struct EdgeOwners {
    let graph: HeapGraph
    let roles: ObjectRoles
    let contexts: ClosureContexts
    let names: FunctionNames

    /// Constant time.
    subscript(_ edge: HeapGraph.Edge) -> EdgeOwner {
        // The one object that a closure captures may serve as its context.
        if edge.function != 0, names.origin(of: edge.function) == .user { return .user }
        switch roles[edge.from] {
        case .library: return .library
        case .user:
            guard let declarer = graph.typeName(edge.declaredType) else { return .user }
            return TypeName.isUsers(declarer) ? .user : .library
        case .storage, .box, .task: return .neutral
        case .closure: return owner(ofFunction: contexts.function(of: edge.from))
        case .raw: return .unknown
        }
    }

    /// A thunk says nothing of the closure that it leads to.
    private func owner(ofFunction address: UInt64) -> EdgeOwner {
        switch names.origin(of: address) {
        case .user: .user
        case .library: .library
        case .runtime, nil: .unknown
        }
    }
}
