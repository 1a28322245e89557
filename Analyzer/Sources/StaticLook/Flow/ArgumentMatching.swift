import SourceModel

/// Finds which parameter each argument of a call is for.
enum ArgumentMatching {
    /// Places of parameters, one for each argument; nil when the call does not fit the function.
    static func match(_ arguments: [Argument], _ parameters: [Function.Parameter], module: Module) -> [Int]? {
        var result: [Int] = []
        var next = 0
        var used = Set<Int>()
        for argument in arguments where !argument.isTrailing {
            var index = next
            while index < parameters.count, parameters[index].label != argument.label {
                guard parameters[index].hasDefault || mayTrail(parameters[index], arguments, module) else { return nil }
                index += 1
            }
            guard index < parameters.count else { return nil }
            result.append(index)
            used.insert(index)
            next = index + 1
        }
        let trailing = arguments.filter(\.isTrailing)
        for (number, argument) in trailing.enumerated() {
            let open = parameters.indices.filter { !used.contains($0) }
            let functions = open.filter { isCallable(parameters[$0], module) }
            let index: Int?
            if number == 0 {
                let others = open.filter { mayBeCallable(parameters[$0], module) }
                index = trailing.count == 1 ? functions.last ?? others.last : functions.first ?? others.first
            } else {
                index = open.first { parameters[$0].label == argument.label }
            }
            guard let index else { return nil }
            result.append(index)
            used.insert(index)
        }
        let missing = parameters.indices.contains { !used.contains($0) && !parameters[$0].hasDefault }
        return missing ? nil : result
    }

    private static func mayTrail(_ parameter: Function.Parameter, _ arguments: [Argument], _ module: Module) -> Bool {
        arguments.contains(where: \.isTrailing) && isCallable(parameter, module)
    }

    /// What its type says is no function takes no trailing closure.
    private static func mayBeCallable(_ parameter: Function.Parameter, _ module: Module) -> Bool {
        switch module.resolve(parameter.type).unwrapped {
        case .array, .dictionary, .tuple: return false
        case .named(let path, _):
            guard let name = path.last else { return true }
            return !KnownTypes.values.contains(name) && module.type(named: name)?.isDeclared != true
        default: return true
        }
    }

    private static func isCallable(_ parameter: Function.Parameter, _ module: Module) -> Bool {
        module.isFunction(parameter.type)
    }
}
