import SourceModel

/// Follows one function in order and notes which object holds which. Branches are followed apart, loops once.
final class ObjectWalker {
    let analysis: ObjectAnalysis
    let place: FunctionPlace
    let generics: [String: TypeReference]
    var objects: [HeapObject] = []
    var state = HeapState()
    private var children: [ChildKey: Int] = [:]
    private var exits: [(state: HeapState, value: [Int])] = []
    var callbacks: [ObjectSummary.Callback] = []
    /// Objects that stand for what some center or run loop keeps.
    var tokens: Set<Int> = []
    var localFunctions: [String: Function] = [:]
    private var walked: Set<ObjectIdentifier> = []
    private var changes = 0
    /// Closures around the current place: what they return is no result of the function.
    private var closureDepth = 0
    var depth = 0
    private(set) var this: Int?

    /// Paths through a function, and objects, that are distinguished.
    private static let stateLimit = 6
    static let objectLimit = 600

    private struct ChildKey: Hashable {
        var object: Int
        var field: String
    }

    var module: Module { analysis.module }
    var path: String { place.type?.path ?? "" }

    init(analysis: ObjectAnalysis, place: FunctionPlace) {
        self.analysis = analysis
        self.place = place
        generics = (place.type?.generics ?? [:]).merging(place.function.generics) { $1 }
    }

    func summary() -> ObjectSummary {
        guard let body = place.function.body else { return ObjectSummary() }
        if let type = place.type, !place.function.isStatic {
            let isValue = type.isValue || (!type.isDeclared && module.isKnownClass(type.name) == false)
            this = add(
                HeapObject(
                    origin: .root(.this), type: .named([type.path], arguments: []), info: type,
                    isReference: type.isClass ? true : isValue ? false : reference(type), position: 0))
            state.names["self"] = [this!]
        }
        for (number, parameter) in place.function.parameters.enumerated() {
            let object = add(.root(.parameter(number)), parameter.type, at: 0)
            state.names[parameter.name] = [object]
        }
        let isExpression = body.count == 1 && place.function.result != nil
        let ends = run(body, [state], value: isExpression)
        exits += ends.map { ($0, []) }
        return ObjectOutcome(walker: self, exits: exits).summary
    }

    // MARK: Objects

    func add(_ object: HeapObject) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    func add(_ origin: HeapObject.Origin, _ type: TypeReference?, at position: Int) -> Int {
        let info = type.flatMap(declaration)
        let value = type.flatMap { module.isValue(bound($0), from: path) }
        return add(
            HeapObject(
                origin: origin, type: type, info: info,
                isReference: value.map { !$0 } ?? info.flatMap(reference)
                    ?? (Self.locks.contains(type?.name ?? "") ? false : nil), position: position))
    }

    private func bound(_ type: TypeReference) -> TypeReference {
        type.name.flatMap { generics[$0] } ?? type
    }

    func declaration(_ type: TypeReference) -> TypeInfo? {
        guard let found = module.type(of: bound(type), from: path), found.isDeclared else { return nil }
        return found
    }

    /// Whether objects of the type are counted; for a protocol what its conforming types say.
    private func reference(_ type: TypeInfo) -> Bool? {
        if type.isClass { return true }
        if type.isValue { return false }
        if module.isClassBound(type) { return true }
        let kinds = Set(analysis.conformers(to: type).map(\.isClass))
        return kinds.count == 1 ? kinds.first : nil
    }

    // MARK: Fields

    /// What a property of an object holds now.
    func read(_ object: Int, _ name: String) -> [Int] {
        guard let slot = slot(object, name) else { return [] }
        return read(object, slot)
    }

    func element(of object: Int) -> [Int] {
        let type = objects[object].type.map { module.resolve(bound($0)) }
        return read(object, Slot(name: "[…]", type: type?.element, isOwning: true, keeper: keeper(around: object)))
    }

    /// A property, and what its declaration says.
    struct Slot {
        var name: String
        var type: TypeReference?
        var isOwning: Bool
        var keeper: Keeper?
        var unknowns: [String] = []
    }

    func read(_ object: Int, _ slot: Slot) -> [Int] {
        if let links = state.links[object]?[slot.name] { return links.map(\.to) }
        if case .copy(let original) = objects[object].origin { return read(original, slot) }
        if let name = slot.type?.name, KnownTypes.values.contains(name) { return [] }
        guard objects.count < Self.objectLimit else { return [] }
        let key = ChildKey(object: object, field: slot.name)
        let child = children[key] ?? add(.field(of: object, slot.name), slot.type, at: objects[object].position)
        children[key] = child
        state.links[object, default: [:]][slot.name] = [
            HeapLink(
                to: child, position: 0, isFound: true, isOwning: slot.isOwning, keeper: slot.keeper,
                unknowns: slot.unknowns)
        ]
        return [child]
    }

    /// Nil: no stored property, or one that was not seen.
    func slot(_ object: Int, _ name: String) -> Slot? {
        guard let info = objects[object].info else { return nil }
        guard let property = module.storedProperty(name, of: info) else { return hiddenSlot(object, name, of: info) }
        guard !property.variable.isStatic else { return nil }
        let declared = property.variable.type ?? module.madeType(property)
        let type = declared.map { substituted($0, in: objects[object]) }
        guard property.isRequirement else {
            guard property.isStored else { return nil }
            return Slot(
                name: property.variable.name, type: type, isOwning: property.isOwning, keeper: keeper(property))
        }
        let stored = analysis.conformers(to: info).compactMap { module.storedProperty(name, of: $0) }
        guard !stored.isEmpty else { return nil }
        return Slot(
            name: property.variable.name, type: type, isOwning: stored.allSatisfy(\.isOwning),
            keeper: keeper(stored[0]),
            unknowns: stored.count == 1 ? [] : ["Which class stands behind \(info.name) is not known."])
    }

    /// A property that a conforming type has and the protocol does not speak of.
    private func hiddenSlot(_ object: Int, _ name: String, of info: TypeInfo) -> Slot? {
        guard info.kind == .protocol else { return nil }
        let conformers = analysis.conformers(to: info)
        let found = conformers.compactMap { module.storedProperty(name, of: $0) }.filter(\.isStored)
        guard let property = found.first else { return nil }
        return Slot(
            name: property.variable.name, type: property.variable.type ?? module.madeType(property),
            isOwning: property.isOwning, keeper: keeper(property),
            unknowns: conformers.count == 1 ? [] : ["Which type stands behind \(info.name) is not known."])
    }

    func keeper(_ property: Property) -> Keeper {
        Keeper(
            type: property.type, field: property.variable.name, file: property.file,
            position: property.variable.position, isInValue: module.type(named: property.type)?.isValue ?? false,
            declared: property.variable.type)
    }

    /// The property in which a collection, or a copy, lies.
    func keeper(around object: Int) -> Keeper? {
        guard case .field(let owner, let name) = objects[object].origin else { return nil }
        return name == "[…]" ? keeper(around: owner) : slot(owner, name)?.keeper
    }

    /// `Value` of `Bindable<Value>` in a `Bindable<Int>`.
    private func substituted(_ type: TypeReference, in object: HeapObject) -> TypeReference {
        guard let names = object.info?.generics.keys, names.count == 1, let name = names.first,
            case .named(_, let arguments)? = object.type?.unwrapped, arguments.count == 1
        else { return type }
        func replace(_ type: TypeReference) -> TypeReference {
            switch type {
            case .named([name], _): return arguments[0]
            case .named(let path, let inner): return .named(path, arguments: inner.map(replace))
            case .array(let element): return .array(replace(element))
            case .dictionary(let key, let value): return .dictionary(replace(key), replace(value))
            case .optional(let inner): return .optional(replace(inner))
            default: return type
            }
        }
        return replace(type)
    }

    /// Gives a property of an object a new value.
    func write(
        _ object: Int, _ slot: Slot, _ values: [Int], at position: Int, replaces: Bool,
        by closure: ForeignClosure? = nil
    ) {
        changes += 1
        state.history.append(changes)
        let links = values.map(snapshot).map {
            HeapLink(
                to: $0, position: position, isFound: false, isOwning: slot.isOwning, keeper: slot.keeper,
                unknowns: slot.unknowns, closure: closure)
        }
        if replaces, slot.name != "[…]" {
            state.links[object, default: [:]][slot.name] = links
        } else {
            if state.links[object]?[slot.name] == nil { _ = read(object, slot) }
            let old = state.links[object]?[slot.name] ?? []
            state.links[object, default: [:]][slot.name] =
                old + links.filter { link in !old.contains { $0.to == link.to && !$0.isFound } }
        }
    }

    // MARK: Statements

    func run(_ body: [Statement], _ states: [HeapState], value: Bool = false) -> [HeapState] {
        var states = states
        for statement in body {
            states = distinct(states.flatMap { step(statement, $0, value: value) })
        }
        return states
    }

    /// Of states that nothing was done to apart one is enough.
    private func distinct(_ states: [HeapState]) -> [HeapState] {
        guard states.count > 1 else { return states }
        var seen: Set<[Int]> = []
        return Array(states.filter { seen.insert($0.history).inserted }.prefix(Self.stateLimit))
    }

    private func step(_ statement: Statement, _ start: HeapState, value: Bool) -> [HeapState] {
        state = start
        switch statement {
        case .expression(let expression):
            let made = evaluate(expression, expected: value ? place.function.result : nil)
            if value, closureDepth == 0 {
                exits.append((state, made))
                return []
            }
            return [state]
        case .variable(let variable):
            declare(variable)
            return [state]
        case .loop(let loop):
            if let sequence = loop.sequence {
                for (name, values) in zip(loop.names, elements(of: sequence, count: loop.names.count)) {
                    bind(name, values)
                }
            }
            conditions(loop.conditions)
            let before = start
            return distinct(run(loop.body, [state]) + (loop.sequence == nil ? [] : [before]))
        case .choice(let choice): return step(choice)
        case .later(let body): return run(body, [state])
        case .function(let function):
            declare(function)
            return [state]
        case .leave(let kind, let expression):
            let made = expression.map { evaluate($0, expected: place.function.result) } ?? []
            guard kind == .returns, closureDepth == 0 else { return closureDepth > 0 ? [state] : [] }
            exits.append((state, made))
            return []
        }
    }

    /// What each name of a loop stands for: of `zip` and of places and elements another object each.
    private func elements(of sequence: Expression, count: Int) -> [[Int]] {
        if case .call(let call) = sequence, count == 2 {
            if call.name == "zip", call.arguments.count == 2 {
                return call.arguments.map { argument in
                    evaluate(argument.value).flatMap { element(of: $0) }.prefix(1).map { another($0) }
                }
            }
            if call.name == "enumerated", let base = call.base {
                return [[], evaluate(base).flatMap { element(of: $0) }]
            }
        }
        let found = evaluate(sequence).flatMap { element(of: $0) }
        return [[Int]](repeating: found, count: count)
    }

    /// An object of the same type that is not the same.
    private func another(_ object: Int) -> Int {
        var other = objects[object]
        if !other.isClosure { other.origin = .made }
        return add(other)
    }

    private func step(_ choice: Choice) -> [HeapState] {
        if let subject = choice.subject { _ = evaluate(subject) }
        let before = state
        if choice.isGuard {
            for branch in choice.branches { _ = run(branch, [before]) }
            state = before
            conditions(choice.conditions)
            return [state]
        }
        conditions(choice.conditions)
        let inside = state
        var ends = choice.branches.flatMap { run($0, [inside]) }
        if !choice.isExhaustive { ends.append(before) }
        for index in ends.indices {
            // Names of the branches end with them.
            ends[index].names.merge(before.names) { inner, outer in inner.isEmpty ? outer : inner }
            ends[index].weak = before.weak
        }
        return distinct(ends)
    }

    private func conditions(_ conditions: [Condition]) {
        for condition in conditions {
            switch condition {
            case .binding(let name, let value?): bind(name, evaluate(value))
            case .binding(let name, nil): state.weak.remove(name)
            case .pattern(let names, let value):
                let found = evaluate(value)
                for name in names { bind(name, found.flatMap { element(of: $0) }) }
            case .test(let expression): _ = evaluate(expression)
            }
        }
    }

    func bind(_ name: String, _ objects: [Int]) {
        state.names[name] = objects
        state.weak.remove(name)
        for closure in state.capturing[name] ?? [] where !objects.isEmpty {
            write(
                closure, Slot(name: "{\(name)}", type: nil, isOwning: true, keeper: nil), objects,
                at: self.objects[closure].position, replaces: true)
        }
    }

    private func declare(_ variable: Variable) {
        var values = variable.initializer.map { evaluate($0, expected: variable.type) } ?? []
        if !variable.isLet {
            values = values.map(copied)
            state.variable.formUnion(values)
        }
        if values.isEmpty, let type = variable.type, type.isCollection || declaration(type)?.isValue == true {
            values = [add(.made, type, at: variable.position)]
            state.variable.formUnion(values)
        }
        state.names[variable.name] = values
        if variable.isLet { state.changeable.remove(variable.name) } else { state.changeable.insert(variable.name) }
        state.capturing[variable.name] = nil
        if variable.ownership == .strong {
            state.weak.remove(variable.name)
        } else {
            state.weak.insert(variable.name)
        }
    }

    /// What is a value becomes another one when a variable takes it.
    private func copied(_ object: Int) -> Int {
        let original = objects[object]
        guard original.isReference == false, !original.isClosure, objects.count < Self.objectLimit else {
            return object
        }
        let copy = add(
            HeapObject(
                origin: .copy(of: object), type: original.type, info: original.info, isReference: false,
                position: original.position))
        state.links[copy] = state.links[object]
        return copy
    }

    /// What another gets of a value that lies in a variable.
    func snapshot(_ object: Int) -> Int { state.variable.contains(object) ? copied(object) : object }

    private func declare(_ function: Function) {
        localFunctions[function.name] = function
        let object = add(HeapObject(origin: .closure(nil), isReference: true, position: function.position))
        var names: Set<String> = []
        (function.body ?? []).walk { part in
            if case .name(let name, _) = part { names.insert(name) }
            return true
        }
        names.subtract(function.parameters.map(\.name))
        if let type = place.type,
            ImplicitSelf.isUsed(in: function.body ?? [], except: Set(state.names.keys), of: type, module)
        {
            names.insert("self")
        }
        capture(names, by: object, at: function.position)
        state.names[function.name] = [object]
        let saved = state.names
        for parameter in function.parameters {
            state.names[parameter.name] = [add(.made, parameter.type, at: function.position)]
        }
        follow(function.body ?? [], restoring: saved)
    }

    /// Runs the body of a closure or a local function as if it were called here.
    private func follow(_ body: [Statement], restoring names: [String: [Int]]) {
        guard closureDepth < 8 else { return }
        closureDepth += 1
        let weak = state.weak
        let ends = run(body, [state])
        closureDepth -= 1
        if let last = ends.first { state = last }
        // Where ways part within, what each did has been done.
        for other in ends.dropFirst() {
            for (object, fields) in other.links {
                for (field, links) in fields {
                    let old = state.links[object]?[field] ?? []
                    let new = links.filter { link in !link.isFound && !old.contains { $0.to == link.to } }
                    if !new.isEmpty { state.links[object, default: [:]][field] = old + new }
                }
            }
            state.history += other.history
        }
        state.names = names
        state.weak = weak
    }

    // MARK: Closures

    /// The closure as an object that holds what it captures.
    func make(_ closure: Closure) -> Int {
        let object = add(HeapObject(origin: .closure(closure), isReference: true, position: closure.position))
        var names: Set<String> = []
        for capture in closure.captures { names.insert(capture.source ?? capture.name) }
        closure.body.walk { part in
            switch part {
            case .name(let name, _): names.insert(name)
            case .closure(let inner): for capture in inner.captures { names.insert(capture.source ?? capture.name) }
            default: break
            }
            return true
        }
        names = names.filter { Captures.isStrong(closure, of: [$0]) && !Captures.declares(closure, $0) }
        capture(names, by: object, at: closure.position)
        return object
    }

    private func capture(_ names: Set<String>, by closure: Int, at position: Int) {
        for name in names.sorted() where !state.weak.contains(name) {
            if state.changeable.contains(name) { state.capturing[name, default: []].append(closure) }
            let held = (state.names[name] ?? []).filter { $0 != this || objects[$0].isReference != false }
            guard !held.isEmpty else { continue }
            write(
                closure, Slot(name: "{\(name)}", type: nil, isOwning: true, keeper: nil), held, at: position,
                replaces: true)
        }
    }

    /// Follows a closure's body, once. `arguments`: what it is called with, as far as that is known.
    func follow(closure object: Int, arguments: [[Int]]) {
        guard case .closure(let closure?) = objects[object].origin,
            walked.insert(ObjectIdentifier(closure)).inserted
        else { return }
        let (saved, weak) = (state.names, state.weak)
        defer { state.weak = weak }
        for (number, name) in closure.parameters.enumerated() {
            state.names[name] = number < arguments.count ? arguments[number] : []
        }
        if closure.parameters.isEmpty {
            for (number, values) in arguments.enumerated() { state.names["$\(number)"] = values }
        }
        for capture in closure.captures {
            if let source = capture.source { state.names[capture.name] = state.names[source] ?? [] }
            if capture.ownership == .strong { state.weak.remove(capture.name) } else { state.weak.insert(capture.name) }
        }
        follow(closure.body, restoring: saved)
    }

    /// What a closure gives: the value of its one expression, what it returns, or, for a builder, every value in it.
    func results(ofClosure object: Int, arguments: [[Int]] = []) -> [Int] {
        guard case .closure(let closure?) = objects[object].origin, depth < 24 else { return [] }
        let saved = state
        defer { state.names = saved.names }
        for (number, name) in closure.parameters.enumerated() {
            state.names[name] = number < arguments.count ? arguments[number] : []
        }
        if closure.parameters.isEmpty {
            for (number, values) in arguments.enumerated() { state.names["$\(number)"] = values }
        }
        var found: [Int] = []
        func look(_ body: [Statement]) {
            for statement in body {
                switch statement {
                case .expression(.assignment): break
                case .expression(let value), .leave(.returns, let value?): found += evaluate(value)
                case .variable(let variable): declare(variable)
                case .choice(let choice): for branch in choice.branches { look(branch) }
                default: break
                }
            }
        }
        look(closure.body)
        return found
    }
}
