import GameprofBasics
import GameprofTrace

/// What an object is in a path that a person reads.
enum ObjectRole: Sendable {
    /// A class of the user's modules: the ends of a reference.
    case user
    /// A class of the system: folded, unless nothing else is there.
    case library
    /// Storage of an array, dictionary, set or string.
    case storage
    /// A captured variable, enum payload, existential box or error box.
    case box
    case closure
    case task
    case raw

    /// How the report calls an object that has no class of its own.
    var noun: ObjectNoun {
        switch self {
        case .user, .library, .storage: .object
        case .box: .capturedVariable
        case .closure: .closureContext
        case .task: .task
        case .raw: .memory
        }
    }
}

/// The role and the printed type of every object of a graph.
struct ObjectRoles: Sendable {
    private var roles: [ObjectRole]
    private let types: [TypeID]
    private let names: [String]
    /// Types of boxes that belong to a stored value, not to a closure.
    private let payloads: Set<TypeID>

    init(_ graph: HeapGraph) {
        let byType = graph.types.map(Self.role)
        names = graph.types.map { $0?.name ?? "" }
        types = graph.objects.map(\.type)
        roles = graph.objects.map { byType[$0.type.index] }
        payloads = Self.payloads(graph)
        let variables = Self.variables(graph)
        for edge in graph.edges {
            if edge.function != 0, roles[Int(edge.to)] == .box { roles[Int(edge.to)] = .closure }
            if edge.kind == .capture, roles[Int(edge.from)] == .box, !payloads.contains(types[Int(edge.from)]),
                !variables.contains(edge.from)
            {
                roles[Int(edge.from)] = .closure
            }
        }
    }

    /// Captured variables that hold a closure: one function and nothing else. What they hold looks like the one capture of
    /// a context, but no function comes with a reference to them.
    private static func variables(_ graph: HeapGraph) -> Set<Int32> {
        var held: [Int32: Int] = [:]
        var functions = Set<Int32>()
        var captured = Set<Int32>()
        var entered = Set<Int32>()
        for edge in graph.edges {
            held[edge.from, default: 0] += 1
            if edge.function != 0 {
                functions.insert(edge.from)
                entered.insert(edge.to)
            } else if edge.kind == .capture || edge.kind == .box {
                captured.insert(edge.to)
            }
        }
        return functions.intersection(captured).subtracting(entered).filter {
            held[$0] == 1 && graph.type(of: $0)?.kind == .local
        }
    }

    /// Types of the boxes that stored values own without being closures: payloads of indirect enums. Only the
    /// reference to a context tells it from one; a stored closure always comes with its function. What a context or
    /// another box holds by a name lies in a value, too: a captured variable's box has none.
    private static func payloads(_ graph: HeapGraph) -> Set<TypeID> {
        var result = Set<TypeID>()
        var contexts = Set<TypeID>()
        for edge in graph.edges {
            let type = graph.objects[Int(edge.to)].type
            guard graph.types[type.index]?.kind == .local else { continue }
            let isStored =
                [.field, .element, .key, .value].contains(edge.kind)
                || [.capture, .box].contains(edge.kind) && !graph.label(of: edge).isEmpty
            if edge.function != 0 { contexts.insert(type) }
            if isStored, edge.function == 0, edge.ownership == .strong { result.insert(type) }
        }
        return result.subtracting(contexts)
    }

    private static func role(_ type: TypeNameRecord?) -> ObjectRole {
        guard let type else { return .raw }
        switch type.kind {
        case .local, .genericBox, .error: return .box
        case .task, .job: return .task
        case .classInstance:
            if TypeName.isUsers(type.name) { return .user }
            return type.name.hasPrefix("Swift.") ? .storage : .library
        }
    }

    subscript(_ object: Int32) -> ObjectRole { roles[Int(object)] }

    /// How the report calls what has no class of its own: an object of that type in that role.
    func noun(of type: TypeID, _ role: ObjectRole) -> String {
        (role == .box && payloads.contains(type) ? ObjectNoun.boxedValue : role.noun).rawValue
    }

    /// A word of a task, or of its frames, that names the task: it knows itself.
    func isTaskItself(_ edge: HeapGraph.Edge) -> Bool { edge.from == edge.to && self[edge.from] == .task }

    /// The type with module, or what the object is when it has no class.
    func typeName(_ object: Int32) -> String {
        let name = names[types[Int(object)].index]
        switch roles[Int(object)] {
        case .user, .library, .storage: return name.isEmpty ? ObjectNoun.object.rawValue : name
        case .box where !name.isEmpty: return name
        case let role: return noun(of: types[Int(object)], role)
        }
    }
}
