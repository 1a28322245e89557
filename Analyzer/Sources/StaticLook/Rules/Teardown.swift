import SourceModel
import SuspectModel

/// What is known of the end of a stored closure, token or task.
struct Teardown {
    let module: Module
    /// Paths of the types whose functions may end it.
    let types: Set<String>

    /// `types`: the owner's and the keeper's.
    init(module: Module, types: [String]) {
        self.module = module
        self.types = Set(
            types.flatMap { path in
                [path] + (module.type(named: path).map { module.lineage(of: $0).map(\.path) } ?? [])
            })
    }

    /// Functions of other modules are asked too: the types tell them apart.
    private var uses: [MemberUses] { [module.uses, module.outsideUses] }

    /// The first function, deinitialisers and `besides` aside, that empties one of the members.
    func emptying(_ members: [String], besides: String = "") -> String? {
        members.lazy.flatMap { member in uses.flatMap { $0.emptying(member) } }
            .first { $0.kind != .initializer && types.contains($0.type) && $0.function != besides }
            .map(Self.text)
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
            types.contains(summary.type)
                && Self.endings.contains { summary.function == $0 || summary.function.hasPrefix($0) }
        }.map(Self.text)
    }

    /// The first function, `besides` aside, that gives one of the members another value.
    func replacing(_ members: [String], besides: String) -> String? {
        members.lazy.flatMap { member in
            uses.flatMap { $0.summaries(mentioning: member) }.filter { $0.assigns.contains(member) }
        }.first { $0.kind != .initializer && types.contains($0.type) && $0.function != besides }.map(Self.text)
    }

    /// The first function that passes one of the members on as inout.
    func lending(_ members: [String]) -> String? {
        members.lazy.flatMap { member in
            uses.flatMap { $0.summaries(mentioning: member) }.filter { $0.lends.contains(member) }
        }.first { types.contains($0.type) }.map(Self.text)
    }

    /// The first function that takes entries out of one of the members.
    func removing(_ members: [String]) -> MemberUses.Summary? {
        members.lazy.flatMap { member in
            uses.flatMap { $0.summaries(mentioning: member) }.filter { $0.removes.contains(member) }
        }.first { types.contains($0.type) }
    }

    /// The first function, deinitialisers and `besides` aside, that mentions a member and calls one of `methods`.
    func ending(_ member: String, by methods: Set<String>, besides: String = "") -> String? {
        uses.flatMap { $0.ending(member, by: methods) }
            .first { $0.kind != .deinitializer && types.contains($0.type) && $0.function != besides }
            .map(Self.text)
    }

    /// Whether a deinitialiser mentions the member and calls one of `methods`.
    func endsInDeinit(_ member: String, by methods: Set<String>) -> Bool {
        uses.flatMap { $0.ending(member, by: methods) }.contains {
            $0.kind == .deinitializer && types.contains($0.type)
        }
    }

    /// `Table.clear()`.
    static func text(_ summary: MemberUses.Summary) -> String {
        let type = summary.type.split(separator: ".").last.map { "\($0)." } ?? ""
        return "\(type)\(summary.function)\(summary.kind == .accessor ? "" : "()")"
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
    /// There is one object of the type, which is never to die: a shared instance, and an initialiser nobody else can call.
    func isSingleton(_ type: TypeInfo) -> Bool {
        guard hasSharedInstance(type) else { return false }
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
