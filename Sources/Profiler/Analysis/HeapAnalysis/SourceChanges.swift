import GameprofBasics
import GameprofTrace

/// Numbers the changes in sources that make references go: of a property, of what a closure or a task captures. A change
/// concerns every reference of its declaration.
struct SourceChanges {
    /// Stands for all references that libraries declare: only a call that undoes them makes them go.
    static let librarys: Int32 = 0

    private struct Change: Hashable {
        enum Kind { case librarys, property, whole, capture, wait }

        var kind: Kind
        /// Number of the declaring type, or hash of the closure's function.
        var holder: UInt64 = 0
        var label: Int32 = 0
        var target: Int32 = 0
    }

    private struct Property {
        var change: Int32
        var from: Int32
        var to: Int32
        /// Of the first instance.
        var target: Int32
        /// Its name, or who made its holder, says that it leads back to an owner.
        var leadsBack: Bool
        /// Its name or its type says that it holds parts, or its holder made what it holds.
        var holdsParts: Bool
    }

    private let paths: PathBuilder
    private let isForeign: (String) -> Bool
    private let wasMade: (Int32, String) -> Bool
    private var numbers: [Change: Int32] = [Change(kind: .librarys): librarys]
    private var properties: [Property] = []
    /// Of collections whose elements name, as the case of an enum, what leads back to an owner.
    private var storages: Set<Int32> = []
    private var types: [TypeID: Int32] = [:]
    private var holders: [TypeID: Int32?] = [:]
    private var names: [String: Int32] = [:]
    private var closures: [UInt64: UInt64] = [:]
    private var graph: HeapGraph { paths.graph }
    private var roles: ObjectRoles { paths.roles }

    /// `isForeign`: whether a module of that name is of another package. `wasMade`: whether an object was allocated inside
    /// a member of the type with that bare name.
    init(paths: PathBuilder, isForeign: @escaping (String) -> Bool, wasMade: @escaping (Int32, String) -> Bool) {
        self.paths = paths
        self.isForeign = isForeign
        self.wasMade = wasMade
    }

    /// The change that makes the reference go; −1: none by itself.
    mutating func number(of edge: HeapGraph.Edge) -> Int32 {
        if paths.owners[edge] == .library { return Self.librarys }
        if roles[edge.from] == .closure || edge.function != 0 && roles[edge.to] != .closure { return capture(edge) }
        switch roles[edge.from] {
        case .user: return property(edge)
        case .storage:
            if FieldName.namesBackReference(graph.label(of: edge)) { storages.insert(edge.from) }
            return -1
        case .task, .library, .box, .closure, .raw: return -1
        }
    }

    /// The change that ends tasks: one for all that run the same code, or were made by the same.
    mutating func number(of family: TaskWaits.Family, _ waits: TaskWaits) -> Int32 {
        let made = family.tasks.map { task in
            let function = waits.function(of: task)
            return function == 0 ? UInt64(graph.object(task).stack.rawValue) : closure(function)
        }
        var hash = StableHash()
        for key in Set(made).sorted() { hash.combine(key) }
        return number(Change(kind: .wait, holder: hash.value))
    }

    /// Properties that own their target where another leads back: made weak, they would lose it.
    var owning: Set<Int32> {
        let back = Set(properties.filter(leadsBack).map { [$0.to, $0.from] })
        return Set(
            properties.filter { !leadsBack($0) && ($0.holdsParts || back.contains([$0.from, $0.to])) }.map(\.change))
    }

    /// Properties that are collections.
    var collections: Set<Int32> { Set(properties.filter { roles[$0.target] == .storage }.map(\.change)) }

    private func leadsBack(_ property: Property) -> Bool { property.leadsBack || storages.contains(property.target) }

    private mutating func capture(_ edge: HeapGraph.Edge) -> Int32 {
        // A closure that captures one object alone has that for its context: a thunk's context then refers to the object itself.
        let isWhole = edge.function != 0 && roles[edge.to] != .closure
        let function = isWhole ? edge.function : paths.contexts.function(of: edge.from)
        // What adapts one closure to another's type stands in no source.
        if paths.names[function].map(FunctionName.isThunk) == true { return -1 }
        // What a closure captures is told apart by its number: self may be an object of a subclass.
        let target = isWhole ? -1 : edge.kind == .capture ? -2 - Int32(min(edge.position, 1 << 30)) : type(of: edge.to)
        return number(Change(kind: .capture, holder: closure(function), target: target))
    }

    /// Equal for all addresses of one closure: its number tells it from the others of its function.
    private mutating func closure(_ function: UInt64) -> UInt64 {
        if let known = closures[function] { return known }
        let hash = paths.names.identity(of: function)
        closures[function] = hash
        return hash
    }

    private mutating func property(_ edge: HeapGraph.Edge) -> Int32 {
        let declaring = edge.declaredType.isNone ? graph.object(edge.from).type : edge.declaredType
        guard let owner = holder(declaring) else { return Self.librarys }
        let change = Change(kind: .property, holder: UInt64(owner), label: edge.label)
        if edge.kind == .field, let known = numbers[change] { return known }
        let label = graph.label(of: edge)
        guard edge.kind == .field, !label.isEmpty, !label.hasPrefix("$"), !label.hasPrefix("_$") else { return -1 }
        // What no `weak` compiles for, as in the cases of an enum, goes with the property that has it.
        let whole = edge.cannotBeWeak ? name(FieldName.property(of: label)) : 0
        let number = number(edge.cannotBeWeak ? Change(kind: .whole, holder: UInt64(owner), label: whole) : change)
        numbers[change] = number
        let (from, to) = (type(of: edge.from), type(of: edge.to))
        let makes = roles[edge.to] == .user && from != to && wasMade(edge.to, TypeName.bare(roles.typeName(edge.from)))
        properties.append(
            Property(
                change: number, from: from, to: to, target: edge.to,
                leadsBack: FieldName.namesBackReference(label)
                    || from != to && wasMade(edge.from, TypeName.bare(roles.typeName(edge.to))),
                holdsParts: roles[edge.to] == .storage || makes || FieldName.namesPart(label)))
        return number
    }

    /// The number of a class as its source declares it; nil: another package does.
    private mutating func holder(_ type: TypeID) -> Int32? {
        if let known = holders[type] { return known }
        let declarer = graph.typeName(type) ?? ""
        let number = TypeName.module(of: declarer).map(isForeign) == true ? nil : name(TypeName.declared(declarer))
        holders[type] = .some(number)
        return number
    }

    private mutating func number(_ change: Change) -> Int32 {
        if let known = numbers[change] { return known }
        let number = Int32(numbers.count)
        numbers[change] = number
        return number
    }

    /// Equal for objects of one declaration.
    private mutating func type(of object: Int32) -> Int32 {
        switch roles[object] {
        case .user, .library, .storage:
            let type = graph.object(object).type
            if let known = types[type] { return known }
            let number = name(TypeName.declared(roles.typeName(object)))
            types[type] = number
            return number
        case let role: return name(role.noun.rawValue)
        }
    }

    private mutating func name(_ name: String) -> Int32 {
        if let known = names[name] { return known }
        let number = Int32(names.count)
        names[name] = number
        return number
    }
}
