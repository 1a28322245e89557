/// Reads the names of functions as the demangler prints them.
package enum FunctionName {
    /// What optimisation and interoperability write in front of a name.
    package static let noise = ["specialized ", "merged ", "generic specialization of ", "@objc ", "async "]

    /// What the compiler makes around a function, in front of its name.
    package static let glue = [
        "partial apply for ", "protocol witness for ", "vtable thunk for ", "dispatch thunk of ",
    ]

    private static let wrappers =
        noise + glue + [
            "partial apply forwarder for ", "reabstraction thunk helper for ", "objectdestroy for ", "outlined ",
            "static ",
            "@nonobjc ", "resume point of ", "suspend resume partial function for ", "default argument ",
            "async function pointer to ", "function pointer to ",
        ]

    /// The name without what the optimiser and the calling convention add, so that -Onone and -O agree.
    package static func plain(_ name: String) -> String {
        var rest = Substring(name)
        var changed = true
        while changed {
            changed = false
            for wrapper in wrappers where rest.hasPrefix(wrapper) {
                rest = rest.dropFirst(wrapper.count)
                changed = true
            }
            for wrapper in ["generic specialization <", "function signature specialization <"]
            where rest.hasPrefix(wrapper) {
                guard let inner = behind(" of ", closing: ">", in: rest) else { break }
                rest = inner
                changed = true
            }
        }
        if rest.hasPrefix("(") { rest = behind(" await resume partial function for ", closing: ")", in: rest) ?? rest }
        return String(rest)
    }

    /// What follows the words behind the first such bracket that closes the outermost; nil: no such words are there.
    private static func behind(_ words: String, closing bracket: Unicode.Scalar, in name: Substring) -> Substring? {
        let end = NameTokens(name).first { $0.depth == 0 && $0.kind == .mark(bracket) }
        guard let rest = end.map({ name[$0.range.upperBound...] }), rest.hasPrefix(words) else { return nil }
        return rest.dropFirst(words.count)
    }

    /// The plain name without closure numbers, which shift when another closure is written above.
    package static func unnumbered(_ name: String) -> String {
        let name = plain(name)
        var result = ""
        var isBehindMark = false
        for token in NameTokens(name) {
            if token.kind == .mark("#") {
                isBehindMark = true
                if result.last == " " { result.removeLast() }
                continue
            }
            let text = name[token.range]
            result += isBehindMark ? text.drop(while: \.isNumber) : text
            isBehindMark = false
        }
        return result
    }

    /// "closure #1", "deal()", "Game #1", "main()" of "closure #1 in deal() in Game #1 in main()": a declaration, then what it
    /// stands in.
    private static func scopes(_ name: Substring) -> [Substring] {
        var scopes: [Substring] = []
        var start = name.startIndex
        var before: (outer: NameTokens.Token?, inner: NameTokens.Token?)
        for token in NameTokens(name) {
            if let space = before.outer, let word = before.inner, token.depth == 0, token.kind == .mark(" "),
                space.kind == .mark(" "), name[word.range] == "in"
            {
                scopes.append(name[start..<space.range.lowerBound])
                start = token.range.upperBound
            }
            before = (before.inner, token)
        }
        return scopes + [name[start...]]
    }

    /// "P.go(_:)" of "P.go(_:) in conformance Puzzle": what the witness of a protocol's requirement is called by.
    package static func withoutConformance(_ name: Substring) -> Substring {
        guard let conformance = scopes(name).first(where: { $0.hasPrefix("conformance ") }) else { return name }
        return name[..<name.index(conformance.startIndex, offsetBy: -" in ".count)]
    }

    /// "Puzzle.init(name:)" of "Puzzle.__allocating_init(name:)", which is the same in the source.
    package static func withoutAllocation(_ name: Substring) -> String {
        var result = ""
        for token in NameTokens(name) {
            let word = name[token.range]
            let isOne =
                word == "__allocating_init" && result.hasSuffix(".") && name[token.range.upperBound...].hasPrefix("(")
            result += isOne ? "init" : word
        }
        return result
    }

    /// "Cards" of "(extension in Cards):Game.Board.deal() -> ()", a name with its types; nil: no extension of another module's type
    /// declares it.
    package static func extendingModule(_ name: String) -> String? {
        for token in NameTokens(name) where token.kind == .mark("(") {
            let rest = name[token.range.upperBound...]
            guard rest.hasPrefix("extension in ") else { continue }
            return String(NameTokens.prefix(of: rest.dropFirst("extension in ".count), before: ")"))
        }
        return nil
    }

    /// "Game" of "closure #1 (Swift.Int) -> () in static Game.Board.deal() -> ()", a name with its types.
    package static func module(_ name: String) -> String? {
        let declaration = scopes(name[...]).last ?? ""
        var word: Substring?
        for token in NameTokens(declaration) where token.depth == 0 {
            if token.kind == .mark("."), word != nil { break }
            word = token.kind == .identifier ? declaration[token.range] : nil
        }
        return word.map(String.init)
    }

    /// The parts of the outermost declaration's name: "Puzzle", "tilt" of "closure #1 in Puzzle.tilt(to:)".
    private static func path(_ name: String) -> (declaration: Substring, parts: [Substring]) {
        let declaration = scopes(plain(name)[...]).last ?? ""
        return (declaration, NameTokens.split(NameTokens.prefix(of: declaration, before: "("), at: "."))
    }

    /// "Game.Cache" of "static Game.Cache.shared : Game.Cache", a name with its types; nil: it is no variable's.
    package static func typeOfVariable(_ name: String) -> String? {
        let parts = NameTokens.split(name, at: " ")
        guard let colon = parts.firstIndex(of: ":"), colon + 1 < parts.endIndex else { return nil }
        return parts[(colon + 1)...].joined(separator: " ")
    }

    /// How accessors are called behind their property or subscript.
    private static let accessors: Set<Substring> = [
        "getter", "setter", "modify", "modify2", "read", "read2", "willset", "didset", "init",
    ]

    /// "getter" of "Grammar.term.getter"; nil: it is no accessor.
    private static func accessor(_ declaration: Substring, _ parts: [Substring]) -> Substring? {
        declaration.last == ")" ? nil : parts.last.flatMap { accessors.contains($0) ? $0 : nil }
    }

    /// "Puzzle" of "closure #1 in Puzzle.tilt(to:countOffset:)": the type whose member it is, without module.
    package static func enclosingType(_ name: String) -> String? {
        let (declaration, parts) = path(name)
        let path = parts.dropLast(accessor(declaration, parts) == nil ? 1 : 2)
        return path.last.map { TypeName.bare(String($0)) }
    }

    /// Whether it takes over what it is given: an initializer, or an accessor that sets.
    package static func isConsuming(_ name: String) -> Bool {
        let (declaration, parts) = path(name)
        return isInitializer(name) || ["setter", "modify", "modify2"].contains(accessor(declaration, parts))
    }

    /// Whether its caller owns what it returns of a property.
    package static func isGetter(_ name: String) -> Bool {
        let (declaration, parts) = path(name)
        return accessor(declaration, parts) == "getter"
    }

    /// "DialogOwner.showDialog()" of "closure #1 in Dialogs.DialogOwner.showDialog()": the outermost declaration with the type
    /// whose member it is, neither closures, modules nor wrappers.
    package static func member(_ name: String) -> String {
        let (declaration, parts) = path(name)
        return String(parts.count > 2 ? declaration[parts[parts.count - 2].startIndex...] : declaration)
    }

    /// What a person reads in a stack: without "static", which only widens the column.
    package static func display(_ name: String) -> String {
        name.hasPrefix("static ") ? String(name.dropFirst("static ".count)) : name
    }

    /// Whether it is no name but "image+0x1a2b", which another build has elsewhere.
    package static func isPlace(_ name: String) -> Bool {
        guard let mark = name.utf8.lastIndex(of: UInt8(ascii: "x")) else { return false }
        let digits = name[mark...].dropFirst()
        return name[...mark].hasSuffix("+0x") && !digits.isEmpty && digits.allSatisfy(\.isHexDigit)
    }

    package static func isClosure(_ name: String) -> Bool { closure(in: name) != nil }

    package static func isInitializer(_ name: String) -> Bool {
        let path = NameTokens.split(NameTokens.prefix(of: plain(name)[...], before: "("), at: ".")
        return ["init", "__allocating_init"].contains(path.last ?? "")
    }

    /// Of a class, with what stands in it: "Board.deinit", "closure #1 in Board.deinit".
    package static func isDeinitializer(_ name: String) -> Bool {
        path(name).parts.last?.hasSuffix("deinit") ?? false
    }

    /// Whether it is one, or stands in one, also of a class inside a function.
    package static func isInDeinit(_ name: String) -> Bool {
        isDeallocatingDeinit(name) || NameTokens(name).contains { name[$0.range] == "deinit" }
    }

    /// The compiler's part of one, which the user did not write.
    package static func isDeallocatingDeinit(_ name: String) -> Bool {
        NameTokens(name).contains { name[$0.range] == "__deallocating_deinit" }
    }

    /// What the optimiser puts into functions of its own: copies and releases of values.
    package static func isOutlined(_ name: String) -> Bool { NameTokens.split(name, at: " ").contains("outlined") }

    /// Data of the compiler's about a type: "type metadata for Board".
    package static func isMetadata(_ name: String) -> Bool {
        let words = NameTokens.split(name, at: " ")
        return zip(words, words.dropFirst()).contains { ["metadata", "descriptor"].contains($0) && $1 == "for" }
    }

    /// The runtime frees an object, or a collection of the standard library changes.
    package static func isOfContainer(_ name: String) -> Bool {
        name == "_swift_release_dealloc"
            || ["Array.", "ContiguousArray.", "Dictionary.", "Set.", "RangeReplaceableCollection."].contains {
                name.hasPrefix($0)
            }
    }

    /// Destroys a value where it stands in memory.
    package static func isDestroy(_ name: String) -> Bool {
        name == "swift_arrayDestroy" || name.hasPrefix("outlined destroy of ")
            || name.hasPrefix("UnsafeMutablePointer.deinitialize")
    }

    /// A release by hand.
    package static func isManualRelease(_ name: String) -> Bool { member(name).hasPrefix("Unmanaged.release") }

    /// A retain by hand.
    package static func isManualRetain(_ name: String) -> Bool {
        ["Unmanaged.retain", "Unmanaged.passRetained"].contains { member(name).hasPrefix($0) }
    }

    /// What adapts a closure to another type, of which no source has anything.
    package static func isThunk(_ name: String) -> Bool { name.hasPrefix("thunk for ") }

    /// Where the number of a closure begins.
    private static func closure(in name: String) -> String.Index? {
        var before: (outer: NameTokens.Token?, inner: NameTokens.Token?)
        for token in NameTokens(name) {
            if token.kind == .mark("#"), before.inner?.kind == .mark(" "), let word = before.outer,
                name[word.range] == "closure"
            {
                return token.range.upperBound
            }
            before = (before.inner, token)
        }
        return nil
    }

    /// Of "closure #1 (Swift.Int) -> Swift.Bool in Form.init() -> Form", a name with its types: whether the closure's own
    /// result is one.
    package static func closureReturnsValue(_ name: String) -> Bool {
        guard let start = closure(in: name), let closure = scopes(name[start...]).first,
            let arrow = NameTokens(closure).first(where: { $0.depth == 0 && $0.kind == .arrow })
        else { return false }
        return ![" ()", " Swift.Never"].contains(closure[arrow.range.upperBound...])
    }
}
