import GameprofBasics
import SourceModel
import StaticFindingModel

/// What is known of the end of a stored closure, token or task.
struct Teardown {
    let module: Module
    /// Paths of the types whose functions may end it.
    let types: Set<String>

    /// The function that makes what is to be ended.
    var maker: Maker?
    /// Which ends come too seldom.
    var outrun: Outrun?
    /// The members tie nodes of a chain.
    var isChain = false

    /// `types`: the owner's and the keeper's; of a protocol those that conform to it are meant.
    init(module: Module, types: [String], maker: Maker? = nil) {
        self.module = module
        self.maker = maker
        self.types = Set(
            types.flatMap { path -> [String] in
                guard let type = module.type(named: path) else { return [path] }
                let others = type.kind == .protocol ? module.conformers(to: type) : module.lineage(of: type)
                return [path] + others.map(\.path)
            })
    }

    /// Functions of other modules are asked too: their types distinguish them.
    private var uses: [MemberUses] { [module.uses, module.outsideUses] }

    /// The first function, deinitialisers and `besides` aside, that empties one of the members.
    func emptying(_ members: [String], besides: FunctionPlace? = nil) -> String? {
        members.lazy.flatMap { member in
            uses.flatMap { $0.emptying(member) }.filter { summary in
                guard mayEnd(summary, member) else { return false }
                return summary.emptiesItself.contains(member)
                    || !isDeclared(summary.emptiesByCall[member] ?? [], of: member)
            }
        }
        .first { $0.kind != .initializer && !$0.is(besides) && isReached($0) }
        .map(Self.text)
    }

    /// The function belongs to one of the types, or the member to no other type than these.
    private func mayEnd(_ summary: MemberUses.Summary, _ member: String) -> Bool {
        if types.contains(summary.type) { return true }
        guard summary.locals[member] == nil else { return false }
        let owners = module.owners(ofProperty: member)
        return !owners.isEmpty && owners.isSubset(of: types)
    }

    /// Whether the methods belong to a type of these sources: what they do to what it holds they say themselves.
    private func isDeclared(_ methods: Set<String>, of member: String) -> Bool {
        guard !methods.isEmpty else { return false }
        return types.contains { path in
            guard let owner = module.type(named: path), let property = module.property(member, of: owner),
                let type = module.type(of: property.variable.type ?? module.madeType(property), from: path),
                type.isDeclared
            else { return false }
            return methods.allSatisfy { !module.methods($0, of: type).isEmpty }
        }
    }

    /// Whether something calls the function that does not wait for what it ends to die.
    private func isReached(_ summary: MemberUses.Summary) -> Bool {
        !untiesTooFew(summary) && module.isReached(summary, besidesDeinitOf: types, and: maker)
    }

    private func untiesTooFew(_ summary: MemberUses.Summary) -> Bool {
        isChain && outrun.map { $0.untiesTooFew(summary) } ?? false
    }

    /// The first function, deinitialisers and `besides` aside, that ends what the token in a property stands for.
    func endingToken(_ member: String, besides: FunctionPlace) -> String? {
        let methods: Set = ["cancel", "invalidate", "dispose", "unsubscribe", "disconnect", "detach", "remove", "stop"]
        return ending(member, by: methods, besides: besides) ?? emptying([member], besides: besides)
            ?? uses.lazy.flatMap { $0.summaries(mentioning: member) }.first { summary in
                mayEnd(summary, member) && summary.kind != .deinitializer && !summary.is(besides)
                    && !summary.calls.isDisjoint(with: methods) && isReached(summary)
            }.map(Self.text)
    }

    /// Names of functions that end the life of an object.
    private static let endings: Set<String> = [
        "cancel", "close", "finish", "stop", "terminate", "invalidate", "dispose", "tearDown", "teardown", "shutdown",
        "shutDown", "end", "release", "removeAll", "complete", "clear", "detach", "disconnect", "unsubscribe", "reset",
        "destroy", "deactivate", "unbind", "quiesce",
    ]

    /// The first function with the name of an ending that empties the member.
    func ended(_ member: String) -> String? {
        uses.flatMap { $0.emptying(member) }.first { summary in
            mayEnd(summary, member)
                && Self.endings.contains { summary.function == $0 || summary.function.hasPrefix($0) }
                && isReached(summary)
        }.map(Self.text)
    }

    /// The first function that may let one of the members go, whichever object's it is, and whenever it is called: no
    /// proof that it ends, but what is seen no longer says that nothing does. What runs when the types' objects die does
    /// not count, and what is given a key of the entry to remove.
    func perhapsEnding(_ members: [String]) -> String? {
        members.lazy.compactMap { member in emptyingSomewhere(member) ?? emptyingThroughSetter(member) }.first
    }

    private func emptyingSomewhere(_ member: String) -> String? {
        uses.lazy.flatMap { $0.summaries(mentioning: member) }.first { summary in
            let methods = summary.emptiesByCall[member, default: []].union(
                leavesEntries(summary, of: member) ? [] : summary.removesByCall[member, default: []])
            let isItself =
                summary.emptiesItself.contains(member) || summary.removesItself.contains(member)
                || summary.lends.contains(member)
                || (summary.assignsCase.contains(member) && !summary.is(maker?.place) && mayBeState(member))
            return (isItself || (!methods.isEmpty && !isDeclared(methods, of: member)))
                && summary.kind != .initializer && mayMean(summary, member) && !module.takesKey(summary)
                && !untiesTooFew(summary) && module.isReached(summary, besidesDeinitOf: types)
        }.map(Self.text)
    }

    /// Whether `.idle` as its value can be the case of an enum.
    private func mayBeState(_ member: String) -> Bool {
        types.contains { path in
            guard let property = module.type(named: path).flatMap({ module.property(member, of: $0) }) else {
                return false
            }
            return module.type(of: property.variable.type, from: path).map { $0.kind == .enum } ?? true
        }
    }

    /// `player.onFinish(nil)`, or `player.finish = nil` where that is computed.
    private func emptyingThroughSetter(_ member: String) -> String? {
        for setter in uses.flatMap({ $0.summaries(mentioning: member) })
        where setter.assigns.contains(member) && types.contains(setter.type) {
            if setter.kind == .accessor, setter.function != member, let end = emptyingSomewhere(setter.function) {
                return end
            }
            let callers = uses.lazy.flatMap { $0.summaries(calling: setter.function) }
            if let caller = callers.first(where: {
                $0.givesNil.contains(setter.function) && module.isReached($0, besidesDeinitOf: types)
            }) {
                return Self.text(caller)
            }
        }
        return nil
    }

    /// The member is one of the types', and no other of that name which the function's own type has.
    private func mayMean(_ summary: MemberUses.Summary, _ member: String) -> Bool {
        if types.contains(summary.type) { return true }
        guard summary.locals[member] == nil, !module.owners(ofProperty: member).isDisjoint(with: types) else {
            return false
        }
        return module.type(named: summary.type).flatMap { module.property(member, of: $0) } == nil
    }

    /// The first function, `besides` aside, that gives one of the members another value.
    func replacing(_ members: [String], besides: FunctionPlace) -> String? {
        members.lazy.flatMap { member in
            uses.flatMap { $0.summaries(mentioning: member) }.filter { $0.assigns.contains(member) }
        }.first {
            $0.kind != .initializer && types.contains($0.type) && !$0.is(besides) && isReached($0)
        }.map(Self.text)
    }

    /// The first function that passes one of the members on as inout.
    func lending(_ members: [String]) -> String? {
        members.lazy.flatMap { member in
            uses.flatMap { $0.summaries(mentioning: member) }.filter { $0.lends.contains(member) }
        }.first { types.contains($0.type) && isReached($0) }.map(Self.text)
    }

    /// The first function that takes entries out of one of the members.
    func removing(_ members: [String]) -> MemberUses.Summary? {
        members.lazy.flatMap { member in
            uses.flatMap { $0.summaries(mentioning: member) }.filter { summary in
                mayEnd(summary, member) && summary.removes.contains(member) && !leavesEntries(summary, of: member)
                    && (summary.removesItself.contains(member)
                        || !isDeclared(summary.removesByCall[member] ?? [], of: member))
            }
        }.first { isReached($0) }
    }

    /// Whether the function takes out too few entries of the member, or lets them go to others, which nothing empties but
    /// what makes them, and which nothing takes them out of, but to put them back.
    private func leavesEntries(
        _ summary: MemberUses.Summary, of member: String, past seen: Set<String> = []
    ) -> Bool {
        if let outrun, outrun.takesTooFew(summary, of: member) { return true }
        guard let destinations = summary.removesAside[member] else { return false }
        let seen = seen.union([member])
        let others = destinations.subtracting(seen)
        let isTaken = others.contains { other in
            uses.flatMap { $0.summaries(mentioning: other) }.contains { next in
                next.removes.contains(other) && mayEnd(next, other) && isReached(next)
                    && !leavesEntries(next, of: other, past: seen)
            }
        }
        guard !isTaken else { return false }
        return Teardown(
            module: module, types: Array(types), maker: maker.map { Maker(place: $0.place, position: .max) }
        )
        .emptying(Array(others), besides: maker?.place) == nil
    }

    /// The first function, deinitialisers and `besides` aside, that mentions a member and calls one of `methods`.
    func ending(_ member: String, by methods: Set<String>, besides: FunctionPlace? = nil) -> String? {
        uses.flatMap { $0.ending(member, by: methods) }
            .first {
                $0.kind != .deinitializer && mayEnd($0, member) && !$0.is(besides) && isReached($0)
            }
            .map(Self.text)
    }

    /// The first function, deinitialisers of these types aside, that finishes a sequence: of an owner that stores its
    /// own continuation that one, otherwise any.
    func finishing() -> String? {
        let own = types.compactMap { module.type(named: $0) }.flatMap(\.properties).filter { property in
            let type = property.variable.type.map(module.resolve)?.unwrapped
            return property.isStored && type?.name == "Continuation"
        }.map(\.variable.name)
        return uses.lazy.flatMap { $0.summaries(calling: "finish") }.first { summary in
            let receivers = summary.receivers["finish"] ?? []
            let isOwn = own.isEmpty || own.contains { receivers.contains($0) && mayEnd(summary, $0) }
            return isOwn && !(summary.kind == .deinitializer && types.contains(summary.type)) && isReached(summary)
        }.map(Self.text)
    }

    /// Whether a deinitialiser mentions the member and calls one of `methods`.
    func endsInDeinit(_ member: String, by methods: Set<String>) -> Bool {
        uses.flatMap { $0.ending(member, by: methods) }.contains {
            $0.kind == .deinitializer && types.contains($0.type)
        }
    }

    /// Whether the function itself empties one of the members, behind the place or when it ends.
    static func isBehind(_ position: Int, in body: [Statement], emptying members: [String]) -> Bool {
        var found = false
        func look(_ statements: [Statement], isLate: Bool) {
            statements.walk { part in
                if case .closure = part { return false }
                let target: Expression?
                switch part {
                case .assignment(let assigned, .literal(.none), "=", let at),
                    .assignment(let assigned, .literal(.emptyArray), "=", let at),
                    .assignment(let assigned, .literal(.emptyDictionary), "=", let at):
                    target = isLate || at > position ? assigned : nil
                case .call(let call) where call.name == "removeAll" && call.arguments.isEmpty:
                    target = isLate || call.position > position ? call.base : nil
                default: return true
                }
                if case .element? = target { return true }
                if let name = target.flatMap(UseCollector.lastName), members.contains(name) { found = true }
                return true
            }
        }
        look(body, isLate: false)
        body.walkStatements { statement in
            if case .later(let inner) = statement { look(inner, isLate: true) }
        }
        return found
    }

    /// `Table.clear()`.
    static func text(_ summary: MemberUses.Summary) -> String {
        let type = summary.type.isEmpty ? "" : NameTokens.last(of: summary.type) + "."
        return "\(type)\(summary.function)\(summary.kind == .accessor ? "" : "()")"
    }

    static func seldom(_ summary: MemberUses.Summary) -> String {
        "\(text(summary)) lets some go: that it does so for every one was not seen."
    }

    /// Whether the closure itself empties one of the members, or calls one of `methods`.
    static func isWithin(_ closure: Closure, emptying members: [String], calling methods: Set<String> = []) -> Bool {
        var summary = MemberUses.Summary(type: "", function: "", kind: .function, file: 0)
        UseCollector.collect(closure.body, into: &summary)
        return !summary.empties.union(summary.removes).isDisjoint(with: members)
            || !summary.calls.isDisjoint(with: methods)
    }
}

extension Module {
    /// There is one object of the type, which is never to die: a shared instance, and an initialiser that nothing else can call.
    func isSingleton(_ type: TypeInfo) -> Bool {
        guard hasSharedInstance(type) else { return false }
        let makers = uses.summaries(calling: type.name)
        if isProgram, makers.allSatisfy({ $0.kind == .accessor && $0.type == type.path }) { return true }
        let initializers = type.methods("init")
        return !initializers.isEmpty && initializers.allSatisfy(\.function.isPrivate)
    }

    /// The type keeps an object of itself for ever.
    func hasSharedInstance(_ type: TypeInfo) -> Bool {
        type.properties.contains { property in
            guard property.variable.isStatic, property.variable.isLet else { return false }
            if property.variable.type?.name == type.name { return true }
            guard case .call(let call)? = property.variable.initializer else { return false }
            return call.name == type.name || (call.name == "init" && call.base != nil)
        }
    }
}
