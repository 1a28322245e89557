import SourceModel

/// Walks functions and remembers what it found. One for each thread.
final class FlowAnalysis {
    let module: Module
    private var known: [ObjectIdentifier: FunctionFlows] = [:]
    private var inProgress: Set<ObjectIdentifier> = []

    init(module: Module) { self.module = module }

    /// What a function does with what it is given and with `self`. Walked once.
    func flows(of place: FunctionPlace) -> FunctionFlows {
        let key = ObjectIdentifier(place.function)
        if let found = known[key] { return found }
        guard inProgress.count < 24, inProgress.insert(key).inserted else { return FunctionFlows() }
        defer { inProgress.remove(key) }
        let walker = FunctionWalker(analysis: self, place: place)
        let found = walker.walk(place.function.body ?? [])
        known[key] = found
        return found
    }

    /// What an initial value that can refer to `self` does.
    func flows(ofLazy property: Property, in type: TypeInfo) -> FunctionFlows {
        guard let initializer = property.variable.initializer else { return FunctionFlows() }
        let function = Function(
            name: property.variable.name, kind: .accessor, body: nil, position: property.variable.position)
        let walker = FunctionWalker(
            analysis: self, place: FunctionPlace(function: function, type: type, file: property.file))
        let target = Expression.member(
            .name("self", at: 0), property.variable.name, at: property.variable.position)
        return walker.walk([
            .expression(
                .assignment(target: target, value: initializer, operation: "=", at: property.variable.position))
        ])
    }

    /// Where a method of `type` keeps what it is given, by the place of the parameter. Paths begin at its object.
    func storage(ofParametersOf method: Method) -> [Int: [Flow]] {
        guard let type = module.type(named: method.type) else { return [:] }
        let found = flows(of: FunctionPlace(function: method.function, type: type, file: method.file))
        var result: [Int: [Flow]] = [:]
        for flow in found.flows {
            if case .parameter(let number) = flow.held.kind { result[number, default: []].append(flow) }
        }
        return result
    }
}
