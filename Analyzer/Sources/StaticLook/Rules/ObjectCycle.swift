import SourceModel
import StaticFindingModel

/// Objects that a function ties together, itself and by the functions that it calls, until they hold each other.
struct ObjectCycle: Rule {
    static let name = "object-cycle"
    static let summary = "objects that a function and those it calls tie together hold each other in a circle"

    func look(at place: FunctionPlace, _ look: Look) {
        for cycle in look.objects.summary(of: place).cycles { report(cycle, place, look) }
    }

    func look(at type: TypeInfo, _ look: Look) {
        guard type.isClass else { return }
        for property in type.properties where property.variable.isLazy && look.module.isOwn(file: property.file) {
            let function = Function(
                name: property.variable.name, kind: .accessor, body: nil, position: property.variable.position)
            let place = FunctionPlace(function: function, type: type, file: property.file)
            for cycle in look.objects.summary(ofLazy: property, in: type).cycles { report(cycle, place, look) }
        }
    }

    private func report(_ cycle: ObjectCycleFound, _ caller: FunctionPlace, _ look: Look) {
        let place = cycle.place ?? caller
        let types = cycle.types.compactMap { look.module.type(named: $0) }
        guard !types.contains(where: look.module.isSingleton),
            !Teardown.isBehind(cycle.position, in: place.function.body ?? [], emptying: cycle.fields),
            !cycle.closures.contains(where: {
                Teardown.isWithin(
                    $0, emptying: cycle.fields,
                    calling: cycle.hasToken ? ["invalidate", "cancel", "removeObserver"] : [])
            })
        else { return }
        var judgement = StorageJudgement.of(
            names: cycle.fields, types: cycle.types + [place.type?.path ?? ""], unknowns: cycle.unknowns,
            states: cycle.states, place, at: cycle.position, look)
        if cycle.hasToken {
            let teardown = Teardown(module: look.module, types: cycle.types)
            if let function = cycle.fields.lazy.compactMap({ teardown.endingToken($0, besides: place) })
                .first
            {
                judgement.confidence = .low
                judgement.unknowns.append(
                    "\(function) ends it by its token: whether that is always called is not known.")
            }
        }
        for (field, type) in cycle.references where judgement.confidence == .high {
            let teardown = Teardown(module: look.module, types: [type])
            if let function = teardown.replacing([field], besides: caller) {
                judgement.confidence = .low
                judgement.unknowns.append("\(function) gives \(field) another value: when that happens is not known.")
            }
        }
        var way: [String] = []
        for name in cycle.way where way.last != name { way.append(name) }
        if way.count > 1, way.first == way.last { way.removeLast() }
        let circle = (way + [way.first ?? ""]).joined(separator: " → ")
        let keeper = cycle.keeper?.name ?? way.first ?? ""
        look.report(
            Look.Suspicion(
                rule: name, confidence: judgement.confidence, file: place.file, position: cycle.position,
                message: cycle.closure != nil
                    ? "The closure is kept by \(keeper) and captures what keeps that: \(circle)."
                    : "From here on \(keeper) leads back to what keeps it: \(circle).",
                fix: cycle.closure != nil
                    ? "capture weakly what leads back: [weak …]" : Self.fix(cutting: cycle.keepers),
                unknowns: judgement.unknowns, place: place, type: cycle.type, field: cycle.keeper?.field ?? "",
                holder: keeper), along: cycle.keepers, in: caller.name)
    }

    static func fix(cutting keepers: [String]) -> String {
        var names: [String] = []
        for name in keepers where !names.contains(name) { names.append(name) }
        switch names.count {
        case 0: return "make one of the references weak"
        // A list's own link: weak, it would lose its nodes.
        case 1: return "set \(names[0]) to nil when the objects are done with"
        default:
            return
                "make \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "") weak, the one that leads back"
        }
    }
}
