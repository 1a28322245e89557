import GameprofBasics
import GameprofTrace

/// Turns references between blocks into steps between the user's objects.
struct PathBuilder {
    let graph: HeapGraph
    let roles: ObjectRoles
    let contexts: ClosureContexts
    let names: FunctionNames
    let owners: EdgeOwners

    /// The steps of a cycle; its first object is where the last step leads back to.
    func cycle(_ edges: [Int32]) -> [PathStep] {
        let isAnchor = anchors(edges)
        guard
            let first = edges.indices.first(where: { isAnchor(graph.edges[Int(edges[$0])].from) })
        else { return [] }
        return steps(Array(edges[first...] + edges[..<first]), isAnchor: isAnchor)
    }

    /// The steps of a path that begins at an object worth naming.
    func path(_ edges: [Int32]) -> [PathStep] {
        steps(edges, isAnchor: anchors(edges))
    }

    /// The user's objects; without any, the most telling role that the path has.
    private func anchors(_ edges: [Int32]) -> (Int32) -> Bool {
        let present = Set(edges.map { roles[graph.edges[Int($0)].from] })
        for role in [ObjectRole.user, .library, .task, .closure, .box] where present.contains(role) {
            guard role == .closure else { return { roles[$0] == role } }
            // What adapts one closure to another's type has no name of its own.
            let named = Set(edges.map { graph.edges[Int($0)].from }.filter { isNamedClosure($0) })
            return named.isEmpty ? { roles[$0] == role } : { named.contains($0) }
        }
        return { _ in true }
    }

    private func isNamedClosure(_ object: Int32) -> Bool {
        roles[object] == .closure && contexts.name(of: object).map { !FunctionName.isThunk($0) } ?? false
    }

    private func steps(_ edges: [Int32], isAnchor: (Int32) -> Bool) -> [PathStep] {
        var result: [PathStep] = []
        var current: PathStep?
        for (index, position) in edges.enumerated() {
            let edge = graph.edges[Int(position)]
            var step = current ?? begin(at: edge)
            extend(&step, with: edge)
            step.edges.append(position)
            if isAnchor(edge.to) || index == edges.count - 1 {
                finish(&step, with: edge)
                result.append(step)
                current = nil
            } else {
                note(edge, on: &step)
                step.via.append(roles.typeName(edge.to))
                current = step
            }
        }
        return result
    }

    private func begin(at edge: HeapGraph.Edge) -> PathStep {
        PathStep(
            from: name(of: edge.from), to: "", field: edge.kind == .field ? graph.label(of: edge) : "",
            declaredIn: graph.typeName(edge.declaredType), declaration: edge.flags, isLibrarys: true, path: "",
            ownership: .strong, via: [],
            fromObject: edge.from, toObject: edge.to)
    }

    private func extend(_ step: inout PathStep, with edge: HeapGraph.Edge) {
        step.isLibrarys = step.isLibrarys && [.library, .neutral].contains(owners[edge])
        step.cannotBeWeak = edge.cannotBeWeak
        step.isConstant = edge.flags.contains(edge.owner == 0 ? .constant : .lastConstant)
        step.isInExistential = edge.flags.contains(.classInExistential)
        step.owner = edge.owner == 0 ? nil : graph.labels[Int(edge.owner)]
        if edge.ownership == .conservative { step.ownership = .conservative }
        if !step.isCapture { step.path = FieldName.joined(step.path, label(of: edge)) }
        if [.element, .key, .value].contains(edge.kind) { step.goesThroughCollection = true }
        if roles[edge.to] == .task { step.goesThroughTask = true }
        if edge.function != 0 || roles[edge.to] == .closure {
            step.isCapture = true
            step.function = edge.function != 0 ? edge.function : contexts.function(of: edge.to)
            step.closure = names[step.function]
        }
    }

    /// What a property of the user's holds is worth a name, whoever made its class.
    private func note(_ edge: HeapGraph.Edge, on step: inout PathStep) {
        guard step.held == nil, roles[edge.to] == .library, roles[step.fromObject] == .user, !step.isCapture,
            step.writtenField != nil, step.via.allSatisfy({ $0.hasPrefix("Swift.") })
        else { return }
        step.held = PathStep.Held(
            type: roles.typeName(edge.to), path: step.path, position: step.via.count, ownership: step.ownership)
    }

    private func finish(_ step: inout PathStep, with edge: HeapGraph.Edge) {
        step.to = name(of: edge.to)
        step.toObject = edge.to
        if roles[step.fromObject] == .closure, roles[edge.to] == .closure {
            step.isBetweenClosures = true
            (step.isCapture, step.closure) = (false, nil)
            step.function = contexts.function(of: edge.to)
            return
        }
        if roles[edge.from] == .closure, !step.isCapture {
            step.isCapture = true
            step.function = contexts.function(of: edge.from)
            step.closure = names[step.function]
        }
        step.returnsValue = step.isCapture && names.returnsValue(step.function)
        step.capturesSelf = step.closure.flatMap(FunctionName.enclosingType) == TypeName.bare(step.to)
    }

    private func name(of object: Int32) -> String {
        guard roles[object] == .closure else { return roles.typeName(object) }
        return contexts.name(of: object) ?? roles.typeName(object)
    }

    private func label(of edge: HeapGraph.Edge) -> String {
        let label = graph.label(of: edge)
        switch edge.kind {
        case .field: return label
        case .element, .value: return FieldName.inside("[…]", label)
        case .key: return FieldName.inside("[key]", label)
        case .task, .box: return label
        case .capture: return roles[edge.from] == .box ? label : ""
        case .none, .raw: return ""
        }
    }
}
