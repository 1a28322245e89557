/// Reads the names of types as Swift prints them.
package enum TypeName {
    /// "Game" of "Game.Box<Other.Card>"; nil when the name has no module.
    package static func module(of name: String) -> String? {
        var tokens = NameTokens(name)
        guard let head = tokens.next(), head.kind == .identifier, tokens.next()?.kind == .mark(".") else { return nil }
        return String(name[head.range])
    }

    package static func isUsers(_ name: String) -> Bool {
        guard let module = module(of: name) else { return false }
        return !SystemModules.all.contains(module)
    }

    /// Whether the text is a type's name: one of a variable or of a root has words behind it ("Cache.all of libCache.so").
    package static func isOne(_ text: String) -> Bool { NameTokens.split(text, at: " ").count == 1 }

    /// "Game.Box" of "Game.Box<Game.Card>": a class of the user's as the source declares it. Others as they are: the
    /// element tells one array from another.
    package static func declared(_ name: String) -> String {
        guard isUsers(name), name.contains("<") else { return name }
        var (depth, result) = (0, "")
        for token in NameTokens(name) {
            switch token.kind {
            case .mark("<"): depth += 1
            case .mark(">"): depth -= 1
            default: if depth == 0 { result += name[token.range] }
            }
        }
        return result
    }

    /// The generic arguments with which the name ends: `Swift.Int`, `Game.Card` of
    /// `Swift._DictionaryStorage<Swift.Int, Game.Card>`.
    package static func arguments(_ name: String) -> [Substring] {
        let tokens = Array(NameTokens(name))
        guard let end = tokens.last, end.kind == .mark(">"),
            let start = tokens.last(where: { $0.kind == .mark("<") && $0.depth == end.depth })
        else { return [] }
        return list(name[start.range.upperBound..<end.range.lowerBound])
    }

    /// The names of a list: `Board`, `Pair<Card, Int>` of `Board,Pair<Card, Int>`.
    package static func list(_ text: Substring) -> [Substring] {
        NameTokens.split(text, at: ",").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    }

    /// Whether a pattern means the type: by the whole name, as reports print it, or by what stands behind one of its dots, without
    /// arguments.
    package static func matches(_ name: String, _ pattern: GlobPattern) -> Bool {
        if pattern.matches(name) || pattern.matches(ShortNames.strip(TypeSugar.sugared(name))) { return true }
        let declared = declared(name)
        return NameTokens.split(declared, at: ".").contains { pattern.matches(String(declared[$0.startIndex...])) }
    }

    /// "Box" of "Game.Outer<Int>.Box<Game.Card>": neither module, nor enclosing types, nor arguments.
    package static func bare(_ name: String) -> String {
        let last = NameTokens.prefix(of: NameTokens.split(name, at: ".").last ?? "", before: "<")
        return last.isEmpty ? name : String(last)
    }
}
