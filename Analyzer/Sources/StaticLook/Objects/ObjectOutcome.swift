import SourceModel

/// What a function has done when it ends: to objects of its caller, and circles.
struct ObjectOutcome {
    let walker: ObjectWalker
    let exits: [(state: HeapState, value: [Int])]

    var summary: ObjectSummary {
        var summary = ObjectSummary()
        summary.callbacks = walker.callbacks
        var seen: Set<String> = []
        for (state, value) in exits {
            var heap = EndOfFunction(walker: walker, state: state)
            for cycle in heap.cycles()
            where seen.insert("cycle \(cycle.position) \(cycle.closure != nil)").inserted
                && seen.insert("links \(cycle.links)").inserted
            {
                summary.cycles.append(cycle)
            }
            for effect in heap.effects(value) {
                guard seen.insert("\(effect.from) \(effect.field) \(effect.to)").inserted else { continue }
                summary.effects.append(effect)
            }
            for place in heap.returned(value) where !summary.returned.contains(place) { summary.returned.append(place) }
        }
        let cleared = exits.map { EndOfFunction(walker: walker, state: $0.state).cleared }
        if let first = cleared.first {
            let always = cleared.dropFirst().reduce(first) { $0.intersection($1) }
            summary.clears = always.map { (ObjectPlace(root: $0.root, path: $0.path.dropLast()), $0.path.last ?? "") }
        }
        return summary
    }
}

/// The objects as they are at one of the function's ends.
private struct EndOfFunction {
    let walker: ObjectWalker
    let state: HeapState
    /// Links that are part of a circle which has been found.
    private var inCircles: Set<String> = []

    init(walker: ObjectWalker, state: HeapState) {
        self.walker = walker
        self.state = state
    }

    private struct Step {
        var from: Int
        var field: String
        var link: HeapLink
    }

    private func steps(from object: Int) -> [Step] {
        var result: [Step] = []
        for (field, links) in (state.links[object] ?? [:]).sorted(by: { $0.key < $1.key }) {
            for link in links where link.isOwning { result.append(Step(from: object, field: field, link: link)) }
        }
        if case .copy(let original) = walker.objects[object].origin {
            for step in steps(from: original) where state.links[object]?[step.field] == nil {
                result.append(Step(from: object, field: step.field, link: step.link))
            }
        }
        return result
    }

    // MARK: Circles

    mutating func cycles() -> [ObjectCycleFound] {
        var found: [ObjectCycleFound] = []
        for object in state.links.keys.sorted() {
            for step in steps(from: object) where !step.link.isFound {
                guard let way = way(from: step.link.to, to: object) else { continue }
                let circle = [step] + way
                for part in circle { inCircles.insert("\(part.from) \(part.field) \(part.link.to)") }
                if let cycle = report(circle) { found.append(cycle) }
            }
        }
        return found
    }

    /// The shortest.
    private func way(from start: Int, to end: Int) -> [Step]? {
        if start == end { return [] }
        var before: [Int: Step] = [:]
        var waiting = [start]
        var next = 0
        while next < waiting.count, waiting.count < 400 {
            let object = waiting[next]
            next += 1
            for step in steps(from: object) where before[step.link.to] == nil && step.link.to != start {
                before[step.link.to] = step
                if step.link.to == end {
                    var way: [Step] = []
                    var place = end
                    while place != start, let step = before[place] {
                        way.append(step)
                        place = step.from
                    }
                    return way.reversed()
                }
                waiting.append(step.link.to)
            }
        }
        return nil
    }

    private func report(_ circle: [Step]) -> ObjectCycleFound? {
        let objects = circle.map { walker.objects[$0.from] }
        // Values are copied: only a counted object, or a closure, can be led back to.
        guard objects.contains(where: { !$0.isClosure && $0.isReference == true }), !relinks(circle) else { return nil }
        // Elements of one collection that refer to each other need not do so both ways.
        let counted = Set(
            circle.map(\.from).filter { !walker.objects[$0].isClosure && walker.objects[$0].isReference != false })
        if counted.count == 1, let only = counted.first, !walker.isSingle(only) { return nil }
        let through = zip(circle, objects).contains { step, object in
            object.isReference == false && !object.isClosure && captured(step.from, in: circle)
        }
        guard !through else { return nil }
        let closing = circle.first { step in
            !step.link.isFound && walker.objects[step.link.to].isClosure
        }
        let last = circle.filter { !$0.link.isFound }.max { $0.link.position < $1.link.position }
        guard let end = closing ?? last else { return nil }
        var closure: Closure?
        if case .closure(let found) = walker.objects[end.link.to].origin { closure = found }
        let isClosed = walker.objects[end.link.to].isClosure
        // A closure elsewhere, in the same file, says more than the call that leads to it.
        let foreign =
            isClosed ? nil : circle.lazy.compactMap(\.link.closure).first { $0.place.file == walker.place.file }
        var unknowns: [String] = []
        for step in circle { unknowns += step.link.unknowns }
        for object in objects where object.isReference == nil {
            unknowns.append("Whether \(object.type?.name ?? "what is kept") is a class is not known.")
        }
        let fields = circle.compactMap { $0.link.keeper?.field }
        let named = objects.filter { !$0.isClosure && $0.type?.name != nil && $0.type?.isCollection == false }
        let keeper =
            end.link.keeper ?? previousKeeper(of: end, in: circle)
            ?? circle.lazy.filter { !$0.link.isFound }.compactMap(\.link.keeper).last
        return ObjectCycleFound(
            closure: closure ?? foreign?.closure,
            position: foreign?.closure.position
                ?? (isClosed ? walker.objects[end.link.to].position : end.link.position),
            place: foreign?.place,
            keeper: keeper, fields: fields,
            types: circle.compactMap { $0.link.keeper?.type } + objects.compactMap { $0.info?.path },
            way: named.compactMap { $0.type?.name },
            type: named.first { $0.isReference != false }?.info?.path ?? "",
            closures: objects.compactMap { object in
                if case .closure(let closure) = object.origin { return closure }
                return nil
            } + circle.compactMap(\.link.closure?.closure),
            unknowns: unknowns, keepers: circle.compactMap { $0.link.keeper?.name },
            states: circle.compactMap { step in
                guard let keeper = step.link.keeper,
                    walker.module.type(of: keeper.declared, from: keeper.type)?.kind == .enum
                else { return nil }
                return keeper.field
            },
            references: circle.compactMap { step in
                guard let keeper = step.link.keeper, !walker.objects[step.link.to].isClosure,
                    walker.objects[step.link.to].isReference != false || keeper.declared?.isOptional == true,
                    let owner = walker.module.type(named: keeper.type),
                    walker.module.property(keeper.field, of: owner)?.variable.isLet == false
                else { return nil }
                return (keeper.field, keeper.type)
            },
            hasToken: circle.contains { walker.tokens.contains($0.from) },
            links: circle.map { "\($0.from) \($0.field) \($0.link.to)" }.sorted())
    }

    /// `link.previous.next = link.next`: neighbours that such properties led to already are tied to each other.
    private func relinks(_ circle: [Step]) -> Bool {
        let fields = Set(circle.map(\.field))
        return circle.allSatisfy { step in
            guard case .field(let owner, let name) = walker.objects[step.from].origin else { return false }
            return fields.contains(name) && !circle.contains { $0.from == owner }
        }
    }

    /// A closure captures a variable's value, not what a copy of it gets later.
    private func captured(_ object: Int, in circle: [Step]) -> Bool {
        circle.contains { step in
            step.link.to == object && walker.objects[step.from].isClosure
                && walker.place(of: object) != nil && walker.place(of: object)?.path.isEmpty == true
        }
    }

    private func previousKeeper(of step: Step, in circle: [Step]) -> Keeper? {
        guard let index = circle.firstIndex(where: { $0.from == step.from && $0.link.to == step.link.to }) else {
            return nil
        }
        for distance in 1..<max(2, circle.count) {
            let part = circle[(index - distance + circle.count) % circle.count]
            if let keeper = part.link.keeper { return keeper }
        }
        return nil
    }

    // MARK: Effects

    /// Objects that a caller knows, and that are held on the way from here through what the function made.
    private func places(from object: Int, _ returned: [Int]) -> [(ObjectPlace, [String], ForeignClosure?)] {
        var found: [(ObjectPlace, [String], ForeignClosure?)] = []
        var seen: Set<Int> = [object]
        var waiting: [(Int, [String], ForeignClosure?)] = [(object, [], nil)]
        while let (next, unknowns, outer) = waiting.popLast(), seen.count < 200 {
            var inner = outer
            if case .closure(let closure?) = walker.objects[next].origin {
                inner = ForeignClosure(closure: closure, place: walker.place)
            }
            if returned.contains(next) {
                found.append((ObjectPlace(root: .result), unknowns, inner))
                continue
            }
            if let place = walker.place(ofContents: next) {
                if walker.objects[next].type.flatMap(\.name).map(KnownTypes.values.contains) != true {
                    found.append((place, unknowns, inner))
                }
                continue
            }
            for step in steps(from: next) where seen.insert(step.link.to).inserted {
                waiting.append((step.link.to, unknowns + step.link.unknowns, step.link.closure ?? inner))
            }
        }
        return found
    }

    func effects(_ value: [Int]) -> [ObjectSummary.Effect] {
        var result: [ObjectSummary.Effect] = []
        let made = value.filter { walker.place(ofContents: $0) == nil }
        func add(_ from: ObjectPlace, _ step: Step) {
            guard !inCircles.contains("\(step.from) \(step.field) \(step.link.to)"), result.count < 64 else { return }
            let links = state.links[step.from]?[step.field] ?? []
            for (place, unknowns, closure) in places(from: step.link.to, made) where place != from {
                result.append(
                    ObjectSummary.Effect(
                        from: from, field: step.field, to: place, keeper: step.link.keeper,
                        replaces: step.field != "[…]" && !links.contains(where: \.isFound),
                        unknowns: step.link.unknowns + unknowns, closure: closure ?? step.link.closure))
            }
        }
        for object in state.links.keys.sorted() {
            guard let place = walker.place(of: object) else { continue }
            for step in steps(from: object) where !step.link.isFound { add(place, step) }
        }
        for object in made {
            for step in steps(from: object) { add(ObjectPlace(root: .result), step) }
        }
        return result
    }

    func returned(_ value: [Int]) -> [ObjectPlace] { value.compactMap { walker.place(ofContents: $0) } }

    /// Fields that hold nothing any more.
    var cleared: Set<ObjectPlace> {
        var result: Set<ObjectPlace> = []
        for (object, fields) in state.links {
            guard var place = walker.place(of: object) else { continue }
            for (field, links) in fields where links.isEmpty && field != "[…]" && !field.hasPrefix("{") {
                place.path.append(field)
                result.insert(place)
                place.path.removeLast()
            }
        }
        return result
    }
}
