import SourceModel

/// One object of which a function knows, or a value that holds objects: a closure, a collection, a struct.
struct HeapObject {
    enum Origin {
        /// `self`, or a parameter.
        case root(ObjectPlace.Root)
        /// What a property, or an element ("[…]"), held when the function began.
        case field(of: Int, String)
        /// A copy of a value.
        case copy(of: Int)
        case closure(Closure?)
        case made
    }

    var origin: Origin
    var type: TypeReference?
    /// The declaration of its type, where that was read.
    var info: TypeInfo?
    /// Nil: not known.
    var isReference: Bool?
    var position: Int

    var isClosure: Bool { if case .closure = origin { true } else { false } }
}

/// That an object holds another.
struct HeapLink {
    var to: Int
    /// Of the assignment or call.
    var position: Int
    /// What the function found when it began, not what it did.
    var isFound: Bool
    /// Weak and unowned references lead on, but keep nothing alive.
    var isOwning: Bool
    var keeper: Keeper?
    var unknowns: [String] = []
    /// The closure in a called function that holds it in the end.
    var closure: ForeignClosure?
}

/// A closure in another function than the one that is looked at.
struct ForeignClosure {
    var closure: Closure
    var place: FunctionPlace
}

/// Who holds whom at one point of a function, and what its names stand for.
struct HeapState {
    var links: [Int: [String: [HeapLink]]] = [:]
    var names: [String: [Int]] = [:]
    /// Names that keep nothing alive, and that a closure does not keep alive either.
    var weak: Set<String> = []
    /// Values in local variables, which can change where they are: any other user gets a copy.
    var variable: Set<Int> = []
    /// Closures that captured a variable, not a value: what it gets later they hold as well.
    var capturing: [String: [Int]] = [:]
    /// Local variables that can change.
    var changeable: Set<String> = []
    /// Counts what was done to `links`: two states of equal history are equal.
    var history: [Int] = []
}

/// A place that a function knows from outside.
struct ObjectPlace: Hashable {
    enum Root: Hashable {
        case this
        case parameter(Int)
        /// What the closure gives that is passed for the parameter.
        case resultOf(Int)
        case result
    }

    var root: Root
    /// Properties from there on; "[…]" is an element.
    var path: [String] = []
}

/// What a function does to objects that its caller knows.
struct ObjectSummary {
    struct Effect {
        var from: ObjectPlace
        var field: String
        var to: ObjectPlace
        var keeper: Keeper?
        /// What the field held before is gone.
        var replaces: Bool
        var unknowns: [String]
        var closure: ForeignClosure?
    }

    /// A call of a closure that was passed for a parameter.
    struct Callback {
        var parameter: Int
        var arguments: [[ObjectPlace]]
    }

    var effects: [Effect] = []
    var callbacks: [Callback] = []
    /// Fields that are empty in the end.
    var clears: [(from: ObjectPlace, field: String)] = []
    /// What it may return; where it returns what it made, effects begin at `result`.
    var returned: [ObjectPlace] = []
    var cycles: [ObjectCycleFound] = []
}

/// Objects that hold each other in a circle when a function has done its work.
struct ObjectCycleFound {
    /// The closure that closes it; nil: an object does.
    var closure: Closure?
    var position: Int
    /// Where the closure stands, if that is another function.
    var place: FunctionPlace?
    /// The property that keeps the closure, or what leads back.
    var keeper: Keeper?
    /// Names of the properties on the way, and paths of the types on it.
    var fields: [String]
    var types: [String]
    /// Names of the types, in order.
    var way: [String]
    /// Path of the type of the first object on it.
    var type: String
    var closures: [Closure]
    var unknowns: [String]
    /// Names of the properties, with their types: `Dialog.handler`.
    var keepers: [String]
    /// Those whose values are cases of an enum.
    var states: [String]
    /// Those of the others that are variables for objects, with the paths of their types.
    var references: [(field: String, type: String)]
    /// A token on the way stands for what some center or run loop keeps.
    var hasToken: Bool
    /// Every link of it, whichever was found first.
    var links: [String]
}

/// Looks at functions and remembers what they do to objects. One for each thread.
final class ObjectAnalysis {
    let module: Module
    private var known: [ObjectIdentifier: ObjectSummary] = [:]
    private var inProgress: Set<ObjectIdentifier> = []
    private var conformers: [String: [TypeInfo]] = [:]

    init(module: Module) { self.module = module }

    /// Walked once; empty for a function that is being walked already.
    func summary(of place: FunctionPlace) -> ObjectSummary {
        let key = ObjectIdentifier(place.function)
        if let found = known[key] { return found }
        guard inProgress.count < 16, inProgress.insert(key).inserted else { return ObjectSummary() }
        defer { inProgress.remove(key) }
        let found = ObjectWalker(analysis: self, place: place).summary()
        known[key] = found
        return found
    }

    /// What the initial value of a lazy property does, which can refer to `self`.
    func summary(ofLazy property: Property, in type: TypeInfo) -> ObjectSummary {
        guard let value = property.variable.initializer else { return ObjectSummary() }
        let at = property.variable.position
        let target = Expression.member(.name("self", at: 0), property.variable.name, at: at)
        let function = Function(
            name: property.variable.name, kind: .accessor,
            body: [.expression(.assignment(target: target, value: value, operation: "=", at: at))], position: at)
        return ObjectWalker(analysis: self, place: FunctionPlace(function: function, type: type, file: property.file))
            .summary()
    }

    /// Classes, structs and enums that conform to the protocol with that path.
    func conformers(to type: TypeInfo) -> [TypeInfo] {
        if let found = conformers[type.path] { return found }
        let found = module.conformers(to: type)
        conformers[type.path] = found
        return found
    }
}
