import SourceModel
import StaticFindingModel

/// Two objects that one function makes hold each other.
struct MutualReference: Rule {
    static let name = "mutual-reference"
    static let summary = "a function lets two objects hold each other strongly"

    private struct Link {
        var from: String
        var field: String
        var to: String
        var position: Int
    }

    func look(at place: FunctionPlace, _ look: Look) {
        guard let body = place.function.body else { return }
        let links = links(in: body)
        guard links.count > 1 else { return }
        let typing = LocalTypes.typing(of: place, module: look.module)
        for (index, link) in links.enumerated() {
            guard let first = links[..<index].first(where: { $0.from == link.to && $0.to == link.from }),
                let one = strength(of: first, typing, look.module), let two = strength(of: link, typing, look.module),
                !isCleared(first, in: body), !isCleared(link, in: body)
            else { continue }
            let isKnown = one && two
            let owner = typing.info(of: .name(link.from, at: 0))
            var teardown = Teardown(module: look.module, types: [owner?.path ?? "", place.type?.path ?? ""])
            teardown.outrun = Outrun(calls: look.calls, module: look.module, maker: place)
            let other = typing.info(of: .name(first.from, at: 0))
            teardown.isChain = owner != nil && owner === other
            let members = [link.field, first.field]
            let end = teardown.emptying(members, besides: place) ?? teardown.perhapsEnding(members)
            teardown.outrun = nil
            let seldom = end == nil ? teardown.emptying(members, besides: place) : nil
            let note =
                end.map { ["\($0) takes them apart: whether that is always called is not known."] }
                ?? seldom.map { ["\($0) takes some apart: that it does so for every one was not seen."] } ?? []
            look.report(
                Look.Suspicion(
                    rule: name, confidence: end != nil ? .low : isKnown && seldom == nil ? .high : .medium,
                    file: place.file,
                    position: link.position,
                    message: "\(first.from).\(first.field) holds \(first.to), and from here on "
                        + "\(link.from).\(link.field) holds \(link.to).",
                    fix: ObjectCycle.fix(cutting: [
                        "\(owner?.name ?? link.from).\(link.field)", "\(other?.name ?? first.from).\(first.field)",
                    ]),
                    unknowns: note + (isKnown ? [] : ["The declaration of a property was not seen: it may be weak."]),
                    place: place, type: owner?.path ?? "", field: link.field,
                    holder: "\(owner?.name ?? link.from).\(link.field)"))
        }
    }

    private func links(in body: [Statement]) -> [Link] {
        var result: [Link] = []
        body.walk { expression in
            if case .assignment(let target, .name(let to, _), "=", let at) = expression,
                case .member(.name(let from, _)?, let field, _) = target, from != to, from != "self", to != "self"
            {
                result.append(Link(from: from, field: field, to: to, position: at))
            }
            return true
        }
        return result
    }

    /// True: strong; false: its declaration was not seen; nil: not strong.
    private func strength(of link: Link, _ typing: Typing, _ module: Module) -> Bool? {
        guard let owner = typing.info(of: .name(link.from, at: 0)), owner.isDeclared else {
            let value = module.isValue(typing.type(of: .name(link.from, at: 0)), from: typing.path)
            let other = module.isValue(typing.type(of: .name(link.to, at: 0)), from: typing.path)
            return value == false && other == false ? false : nil
        }
        guard owner.isClass, let property = module.property(link.field, of: owner), property.isOwning else {
            return nil
        }
        return true
    }

    private func isCleared(_ link: Link, in body: [Statement]) -> Bool {
        var found = false
        body.walk { expression in
            if case .assignment(.member(.name(link.from, _)?, link.field, _), .literal(.none), _, _) = expression {
                found = true
            }
            return !found
        }
        return found
    }
}

/// Types of what a function declares, without following its order.
enum LocalTypes {
    static func typing(of place: FunctionPlace, module: Module) -> Typing {
        var generics = place.type?.generics ?? [:]
        generics.merge(place.function.generics) { $1 }
        var typing = Typing(module: module, path: place.type?.path ?? "", file: place.file, generics: generics)
        for parameter in place.function.parameters { typing.locals[parameter.name] = parameter.type }
        (place.function.body ?? []).walkStatements { statement in
            switch statement {
            case .variable(let variable):
                if let type = variable.type {
                    typing.locals[variable.name] = type
                } else {
                    typing.values[variable.name] = variable.initializer
                }
            case .choice(let choice): bind(choice.conditions, &typing)
            case .loop(let loop): bind(loop.conditions, &typing)
            default: break
            }
        }
        return typing
    }

    private static func bind(_ conditions: [Condition], _ typing: inout Typing) {
        for case .binding(let name, let value?) in conditions { typing.values[name] = value }
    }
}
