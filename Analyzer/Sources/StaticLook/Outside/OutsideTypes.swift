import BuildIndex

/// Kinds of types that other modules declare, by name; empty where no build's index was read.
struct OutsideTypes: Sendable {
    private var isClass: [String: Bool] = [:]

    init() {}

    /// From the types that a module's files mention. A name that is both in different modules is left out.
    init(_ symbols: some Sequence<IndexSymbol>) {
        var ambiguous: Set<String> = []
        for symbol in symbols where symbol.isType && symbol.kind != .protocol {
            let isClass = symbol.kind == .class
            if let other = self.isClass.updateValue(isClass, forKey: symbol.name), other != isClass {
                ambiguous.insert(symbol.name)
            }
        }
        for name in ambiguous { isClass[name] = nil }
    }

    /// Nil when it is not known, or a protocol.
    func isClass(_ name: String) -> Bool? { isClass[name] }
}
