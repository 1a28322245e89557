import SourceModel
import StaticFindingModel

/// Lets every rule look at every part of a module.
enum Looking {
    /// A share of the work.
    struct Part: Sendable {
        var types: [TypeInfo] = []
        var functions: [FunctionPlace] = []
    }

    /// At most `count` parts of about the same size.
    static func parts(of module: Module, count: Int) -> [Part] {
        var parts = [Part](repeating: Part(), count: max(1, count))
        let types = module.types.filter { $0.isOwn(in: module) }
        for (index, type) in types.enumerated() { parts[index % parts.count].types.append(type) }
        for (number, file) in module.files.prefix(module.ownCount).enumerated() {
            let part = number % parts.count
            parts[part].functions += file.functions.map { FunctionPlace(function: $0, type: nil, file: number) }
            if !file.topLevel.isEmpty {
                let main = Function(name: "main", kind: .function, body: file.topLevel, position: 0)
                parts[part].functions.append(FunctionPlace(function: main, type: nil, file: number))
            }
        }
        return parts
    }

    static func suspects(in part: Part, of module: Module) -> [Look.Found] {
        let look = Look(module: module)
        let rules = Rules.all.map { $0.init() }
        for type in part.types {
            if module.isOwn(file: type.file) { for rule in rules { rule.look(at: type, look) } }
            for method in type.functions where module.isOwn(file: method.file) {
                self.look(FunctionPlace(function: method.function, type: type, file: method.file), rules, look)
            }
            for property in type.properties where module.isOwn(file: property.file) {
                for accessor in property.variable.accessors {
                    let named = Function(
                        name: property.variable.name, kind: .accessor, isStatic: property.variable.isStatic,
                        body: accessor.body, position: accessor.position)
                    self.look(FunctionPlace(function: named, type: type, file: property.file), rules, look)
                }
                guard property.variable.isLazy else { continue }
                let named = Function(
                    name: property.variable.name, kind: .accessor, body: nil, position: property.variable.position)
                let place = FunctionPlace(function: named, type: type, file: property.file)
                let flows = look.analysis.flows(ofLazy: property, in: type)
                for rule in rules { rule.look(at: flows, of: place, look) }
            }
        }
        for place in part.functions { self.look(place, rules, look) }
        return look.found
    }

    private static func look(_ place: FunctionPlace, _ rules: [any Rule], _ look: Look) {
        let flows = look.analysis.flows(of: place)
        for rule in rules {
            rule.look(at: flows, of: place, look)
            rule.look(at: place, look)
        }
    }

    /// Rules that know more of the closure at a place than that it is stored.
    private static let specific: Set<String> = [
        Subscription.name, TimerRule.name, NotificationRule.name, DispatchSourceRule.name, Observation.name,
        EndlessTask.name,
    ]

    private static func place(_ suspect: StaticFinding) -> String {
        "\(suspect.file):\(suspect.line):\(suspect.column)"
    }

    /// One suspect for a rule at a place, the surest; then fingerprints, which distinguish equal ones by their order.
    static func unique(_ found: [Look.Found]) -> [StaticFinding] {
        let suspects = found.map(\.suspect)
        var best: [String: StaticFinding] = [:]
        let specific = Set(suspects.lazy.filter { Self.specific.contains($0.rule) }.map(Self.place))
        let others = suspects.filter { $0.rule != ObjectCycle.name }
        let lines = Set(others.map { "\($0.file):\($0.line)" })
        let holders = Set(others.lazy.filter { !$0.holder.isEmpty }.map { "\($0.function) \($0.holder)" })
        for found in found {
            let suspect = found.suspect
            // What another rule says of the same place, or of a property on the way round, it says better.
            if suspect.rule == ObjectCycle.name,
                lines.contains("\(suspect.file):\(suspect.line)")
                    || found.keepers.contains(where: {
                        holders.contains("\(found.function) \($0)") || holders.contains(" \($0)")
                    })
            {
                continue
            }
            if suspect.rule == StoredClosure.name, specific.contains(Self.place(suspect)) { continue }
            let key = "\(suspect.file):\(suspect.line):\(suspect.column):\(suspect.rule)"
            if let known = best[key], known.confidence >= suspect.confidence { continue }
            best[key] = suspect
        }
        var result = best.values.sorted {
            ($0.file, $0.line, $0.column, $0.rule) < ($1.file, $1.line, $1.column, $1.rule)
        }
        var seen: [String: Int] = [:]
        for index in result.indices {
            let suspect = result[index]
            let name = suspect.file.split(separator: "/").last ?? ""
            let shape = "\(suspect.rule)|\(name)|\(suspect.type)|\(suspect.function)|\(suspect.holder)"
            let number = seen[shape, default: 0]
            seen[shape] = number + 1
            result[index].fingerprint = ContentHash.of(Array("\(shape)|\(number)".utf8))
        }
        return Together.named(result)
    }
}
