import SourceModel

/// How often the functions of a program are called, as far as the calls are seen.
struct Runs {
    enum Bound {
        /// A loop counts as two passes, and only calls count whose receiver is known.
        case least
        /// A loop or a closure counts as `many`, and so does whoever calls what cannot be seen.
        case most
    }

    static let many = 100

    let calls: CallIndex
    let module: Module
    let bound: Bound
    /// Calls that do not count.
    var excluded: (CallIndex.Site) -> Bool = { _ in false }

    func count(_ place: FunctionPlace, depth: Int = 0) -> Int {
        let function = place.function
        if function.name == "main" { return 1 }
        let isMade = function.kind == .initializer
        guard depth < 6, isMade || function.kind == .function else { return unseen }
        let name = isMade ? place.type?.name ?? "" : function.name
        if bound == .most, function.isExposed || calls.isPassedOn(name) { return Self.many }
        var sum = 0
        for site in calls.calls(of: name) where !excluded(site) {
            guard isMade || means(site, place) else { continue }
            if site.place.function === function { return unseen }
            sum += passes(of: site) * count(site.place, depth: depth + 1)
            if sum >= Self.many { return Self.many }
        }
        return sum
    }

    private var unseen: Int { bound == .most ? Self.many : 0 }

    private func means(_ site: CallIndex.Site, _ place: FunctionPlace) -> Bool {
        guard let base = site.call.base else {
            return place.type == nil || site.place.type.map { areRelated($0, place.type) } == true
        }
        if case .name("self", _) = base { return site.place.type.map { areRelated($0, place.type) } ?? false }
        let typing = LocalTypes.typing(of: site.place, module: module)
        guard let type = typing.type(of: base) else { return bound == .most }
        return typing.info(of: type).map { areRelated($0, place.type) } ?? false
    }

    private func areRelated(_ one: TypeInfo, _ other: TypeInfo?) -> Bool {
        guard let other else { return false }
        return module.lineage(of: one).contains { $0 === other } || module.lineage(of: other).contains { $0 === one }
    }

    private func passes(of site: CallIndex.Site) -> Int {
        let body = site.place.function.body ?? []
        func holds(_ part: [Statement]) -> Bool {
            var found = false
            part.walk { expression in
                if case .call(let call) = expression, call.position == site.call.position { found = true }
                return !found
            }
            return found
        }
        var isLooped = false
        var isLater = false
        body.walkStatements { statement in
            switch statement {
            case .loop(let loop):
                isLooped = isLooped || holds(loop.body + loop.conditions.flatMap(\.expressions).map { .expression($0) })
            case .function(let function): isLater = isLater || holds(function.body ?? [])
            default: break
            }
        }
        body.walk { part in
            if case .closure(let closure) = part, holds(closure.body) { isLater = true }
            return !isLater
        }
        switch bound {
        case .most: return isLooped || isLater ? Self.many : 1
        case .least: return isLooped ? 2 : 1
        }
    }
}
