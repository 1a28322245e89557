import SourceModel

extension Module {
    /// The sources are those of a program: what is not called in them is not called.
    var isProgram: Bool {
        files.prefix(ownCount).contains { file in
            !file.topLevel.isEmpty || file.types.contains { $0.attributes.contains("main") }
        }
    }

    /// Whether something calls the function, or refers to it, other than deinitialisers of the types with those paths.
    /// Of a function that other modules or a framework may call, and of a library's, it is taken for granted.
    /// `maker`: the function that makes what is to be ended, and where: what it calls before that ends something else.
    func isReached(
        _ summary: MemberUses.Summary, besidesDeinitOf types: Set<String>, and maker: Maker? = nil
    ) -> Bool {
        guard isProgram else { return true }
        var waiting = [summary]
        var seen: Set<String> = []
        while let next = waiting.popLast() {
            guard seen.insert("\(next.function) \(next.file) \(next.position)").inserted else { continue }
            switch next.kind {
            case .deinitializer:
                if types.contains(next.type) { continue }
                return true
            case .initializer, .accessor, .subscription: return true
            case .function: break
            }
            if next.isExposed || (next.type.isEmpty && next.function == "main") || isWitness(next) { return true }
            if seen.count > 64 { return true }
            for caller in uses.summaries(mentioning: next.function) + uses.summaries(calling: next.function)
            where mayCall(caller, next) {
                guard let maker, caller.is(maker.place) else {
                    waiting.append(caller)
                    continue
                }
                if maker.calls(next.function) { return true }
            }
        }
        return false
    }

    /// A type that was not read may demand the function.
    private func isWitness(_ summary: MemberUses.Summary) -> Bool {
        guard let type = type(named: summary.type) else { return !summary.type.isEmpty }
        return lineage(of: type).flatMap(\.inherited).contains { parent in
            self.type(of: parent, from: type.path) == nil && !Self.plain.contains(parent.name ?? "")
        }
    }

    /// Protocols that demand no function which ends anything.
    private static let plain: Set<String> = [
        "Sendable", "Equatable", "Hashable", "Comparable", "Codable", "Encodable", "Decodable", "Identifiable",
        "CustomStringConvertible", "CustomDebugStringConvertible", "Error", "LocalizedError", "CaseIterable",
        "AnyObject", "Actor", "RawRepresentable", "OptionSet", "Copyable", "ObservableObject", "Observable",
        "Int", "String", "Strideable", "AdditiveArithmetic", "SendableMetatype", "BitwiseCopyable",
    ]

    private func mayCall(_ caller: MemberUses.Summary, _ callee: MemberUses.Summary) -> Bool {
        if caller.is(callee) { return false }
        guard let receivers = caller.receivers[callee.function] else {
            // Referred to, not called.
            return caller.mentions.contains(callee.function)
        }
        return receivers.contains { receiver in
            switch receiver {
            case "": return callee.type.isEmpty || caller.type == callee.type || areRelated(caller.type, callee.type)
            case "self", "super": return caller.type == callee.type || areRelated(caller.type, callee.type)
            default:
                let made = receiver.first?.isUppercase == true ? TypeReference.named([receiver], arguments: []) : nil
                let local = caller.locals[receiver] ?? made
                let own = type(named: caller.type).flatMap { property(receiver, of: $0) }
                guard let declared = local ?? own.flatMap({ $0.variable.type ?? madeType($0) }) else { return true }
                if resolve(declared).isCollection { return true }
                guard let target = type(of: declared, from: caller.type), target.isDeclared else {
                    return resolve(declared).name == nil
                }
                return target.path == callee.type || areRelated(target.path, callee.type)
            }
        }
    }

    /// One inherits from the other, or conforms to it.
    private func areRelated(_ one: String, _ other: String) -> Bool {
        guard let first = type(named: one), let second = type(named: other) else { return true }
        return lineage(of: first).contains { $0 === second } || lineage(of: second).contains { $0 === first }
    }

    /// Whether a function with the name of this one takes a plain value that names the entry to remove.
    func takesKey(_ summary: MemberUses.Summary) -> Bool {
        guard let type = type(named: summary.type) else { return false }
        let methods = methods(summary.function, of: type)
        return !methods.isEmpty
            && methods.allSatisfy { method in
                method.function.parameters.contains { KnownTypes.values.contains($0.type.name ?? "") }
            }
    }

}

/// A function that makes what others may end, and the place where it does.
struct Maker {
    var place: FunctionPlace
    var position: Int

    /// Whether it calls the function, or refers to it, behind the place, or gives it what is made there.
    func calls(_ name: String) -> Bool {
        var found = false
        func look(_ body: [Statement], isLate: Bool) {
            body.walk { part in
                switch part {
                case .call(let call) where call.name == name:
                    found = found || isLate || call.position > position || isGiven(to: call)
                case .member(_, name, let at), .name(name, let at): found = found || isLate || at > position
                // A closure runs when it is called.
                case .closure(let closure): if Captures.mentions(closure.body, [name]) { found = true }
                default: break
                }
                return !found
            }
        }
        look(place.function.body ?? [], isLate: false)
        (place.function.body ?? []).walkStatements { statement in
            if case .later(let inner) = statement { look(inner, isLate: true) }
        }
        return found
    }

    private func isGiven(to call: Call) -> Bool {
        var found = false
        for argument in call.arguments {
            argument.value.walk { part in
                found = found || part.position == position
                return !found
            }
        }
        return found
    }
}
