import SourceModel

/// Members used by their bare names, which stand for members of `self`.
enum ImplicitSelf {
    /// `except`: names that mean something else.
    static func isUsed(in body: [Statement], except names: Set<String>, of type: TypeInfo, _ module: Module) -> Bool {
        var found = false
        body.walk { part in
            if case .name(let name, _) = part, !names.contains(name) {
                let method = module.methods(name, of: type).first { $0.function.kind == .function }
                let property = module.property(name, of: type)
                found = found || method.map { !$0.function.isStatic } ?? false
                found = found || property.map { !$0.variable.isStatic } ?? false
            }
            return !found
        }
        return found
    }
}
