import SourceModel

/// Every call in the module's own functions, by the called name: `Card` for `Card(…)` and `Card.init(…)`.
struct CallIndex {
    struct Site {
        var call: Call
        var place: FunctionPlace
    }

    /// A text that an expression can stand for, and the call that gives it.
    struct Constant {
        var text: String
        var position: Int
        var file: Int
    }

    private var sites: [String: [Site]] = [:]
    private var mentions: [String: Int] = [:]
    private var declared: [String: Int] = [:]
    private var parents: Set<String> = []
    private let module: Module

    /// Linear in the module.
    init(_ module: Module) {
        self.module = module
        for type in module.types {
            parents.formUnion(type.inherited.compactMap(\.name))
            for method in type.functions {
                declared[method.function.name, default: 0] += 1
                add(FunctionPlace(function: method.function, type: type, file: method.file))
            }
            for property in type.properties {
                let accessors = property.variable.accessors.flatMap { $0.body ?? [] }
                let value = property.variable.initializer.map { [Statement.expression($0)] } ?? []
                let named = Function(
                    name: property.variable.name, kind: .accessor, body: value + accessors,
                    position: property.variable.position)
                add(FunctionPlace(function: named, type: type, file: property.file))
            }
        }
        for (number, file) in module.files.enumerated() {
            for function in file.functions {
                declared[function.name, default: 0] += 1
                add(FunctionPlace(function: function, type: nil, file: number))
            }
            let main = Function(
                name: "main", kind: .function, body: file.globals.map { .variable($0) } + file.topLevel, position: 0)
            add(FunctionPlace(function: main, type: nil, file: number))
        }
    }

    private mutating func add(_ place: FunctionPlace) {
        guard module.isOwn(file: place.file) else { return }
        (place.function.body ?? []).walk { part in
            switch part {
            case .call(let call):
                if let name = Self.name(of: call) { sites[name, default: []].append(Site(call: call, place: place)) }
            case .name(let name, _): mentions[name, default: 0] += 1
            case .type(let type, _): if let name = type.name { mentions[name, default: 0] += 1 }
            case .member(let base, let name, _):
                mentions[name, default: 0] += 1
                // A member of a type: none is made.
                if case .name? = base, !["init", "self"].contains(name) { return false }
            default: break
            }
            return true
        }
    }

    private static func name(of call: Call) -> String? {
        if call.name == "init", case .name(let type, _)? = call.base, type.first?.isUppercase == true { return type }
        return call.name
    }

    func calls(of name: String) -> [Site] { sites[name] ?? [] }

    /// Whether the function is mentioned where it is not called.
    func isPassedOn(_ name: String) -> Bool { mentions[name, default: 0] > calls(of: name).count }

    /// In the order of the sources.
    var all: [Site] {
        sites.values.joined().sorted { ($0.place.file, $0.call.position) < ($1.place.file, $1.call.position) }
    }

    /// The texts that the expression can stand for; nil: not all of them are seen.
    func texts(of expression: Expression, in place: FunctionPlace, at position: Int, depth: Int = 0) -> [Constant]? {
        guard depth < 6 else { return nil }
        switch expression {
        case .literal(.text(let text?)): return [Constant(text: text, position: position, file: place.file)]
        case .name(let name, _):
            if let parameter = place.function.parameters.firstIndex(where: { $0.name == name }) {
                return place.function.declares(name) ? nil : arguments(parameter, of: place, depth)
            }
            guard !place.function.declares(name) else { return nil }
            if let type = place.type, let property = module.property(name, of: type) {
                return texts(of: property, depth)
            }
            guard let variable = module.global(named: name), variable.isLet, let value = variable.initializer else {
                return nil
            }
            return texts(of: value, in: place, at: position, depth: depth + 1)
        case .member(.name(let base, _)?, let name, _):
            let type = ["self", "Self"].contains(base) ? place.type : module.type(named: base)
            return type.flatMap { module.property(name, of: $0) }.flatMap { texts(of: $0, depth) }
        default: return nil
        }
    }

    /// The texts that a constant property has in all objects of its type.
    func texts(of property: Property, _ depth: Int = 0) -> [Constant]? {
        guard property.variable.isLet, module.isOwn(file: property.file), let type = module.type(named: property.type)
        else { return nil }
        let name = property.variable.name
        if let value = property.variable.initializer {
            let place = FunctionPlace(
                function: Function(name: name, kind: .accessor, body: nil, position: property.variable.position),
                type: type, file: property.file)
            return texts(of: value, in: place, at: property.variable.position, depth: depth + 1)
        }
        let makers = type.methods("init")
        guard !property.variable.isStatic, makers.count == 1, let maker = makers.first?.function,
            let file = makers.first?.file, !type.inherited.contains(where: { Self.decoding.contains($0.name ?? "") })
        else { return nil }
        var values: [Expression] = []
        for case .expression(.assignment(let target, let value, "=", _)) in maker.body ?? [] {
            switch target {
            case .name(name, _), .member(.name("self", _)?, name, _): values.append(value)
            default: break
            }
        }
        guard values.count == 1 else { return nil }
        let place = FunctionPlace(function: maker, type: type, file: file)
        return texts(of: values[0], in: place, at: maker.position, depth: depth + 1)
    }

    private static let decoding: Set<String> = ["Codable", "Decodable", "NSCoding", "NSSecureCoding"]

    /// What all callers of a function, or makers of a type, give to the parameter with that number.
    private func arguments(_ number: Int, of place: FunctionPlace, _ depth: Int) -> [Constant]? {
        let function = place.function
        let parameter = function.parameters[number]
        var name = function.name
        switch function.kind {
        case .function: guard declared[name] == 1 else { return nil }
        case .initializer:
            guard let type = place.type, !parents.contains(type.name) else { return nil }
            // `.init(…)`, `self.init(…)` and `super.init(…)` may mean it.
            let labels = function.parameters.map(\.label)
            guard !calls(of: "init").contains(where: { $0.call.arguments.map(\.label) == labels }) else { return nil }
            name = type.name
        default: return nil
        }
        let sites = calls(of: name)
        guard !function.isExposed, !parameter.isInout, !sites.isEmpty, mentions[name] == sites.count else { return nil }
        var result: [Constant] = []
        for site in sites {
            let given = site.call.arguments
            guard given.count == function.parameters.count, given[number].label == parameter.label,
                let found = texts(of: given[number].value, in: site.place, at: site.call.position, depth: depth + 1)
            else { return nil }
            result += found
        }
        return result
    }
}

extension Function {
    /// Whether a parameter or something in its body bears the name, and hides a property.
    func rebinds(_ name: String) -> Bool { parameters.contains { $0.name == name } || declares(name) }

    fileprivate func declares(_ name: String) -> Bool {
        var found = false
        func bind(_ conditions: [Condition]) {
            for condition in conditions {
                switch condition {
                case .binding(name, _): found = true
                case .pattern(let names, _): found = found || names.contains(name)
                default: break
                }
            }
        }
        (body ?? []).walkStatements { statement in
            switch statement {
            case .variable(let variable): found = found || variable.name == name
            case .loop(let loop):
                found = found || loop.names.contains(name)
                bind(loop.conditions)
            case .choice(let choice): bind(choice.conditions)
            case .function(let inner): found = found || inner.parameters.contains { $0.name == name }
            default: break
            }
        }
        (body ?? []).walk { part in
            if case .closure(let closure) = part { found = found || closure.parameters.contains(name) }
            return !found
        }
        return found
    }
}
