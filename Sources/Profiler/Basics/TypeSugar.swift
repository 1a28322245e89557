/// Writes the standard library's types as sources write them, and its storage classes as the values that they hold.
package enum TypeSugar {
    private enum Form { case array, dictionary, set, optional }

    private static let generic: [(head: String, form: Form)] = [
        ("_ContiguousArrayStorage", .array), ("_DictionaryStorage", .dictionary), ("_SetStorage", .set),
        ("ContiguousArray", .array), ("Array", .array), ("Dictionary", .dictionary), ("Optional", .optional),
    ]

    /// Names that are nested deeper, or longer, are nobody's to read.
    private static let depthLimit = 24
    private static let lengthLimit = 2_000

    /// `[UInt8]` of `_ContiguousArrayStorage<UInt8>`, `String` of `__StringStorage`; other names as they are.
    package static func sugared(_ name: String) -> String {
        switch name.hasPrefix("Swift.") ? name.dropFirst("Swift.".count) : name[...] {
        case "__StringStorage": return "String"
        case "__SharedStringStorage": return "String (shared storage)"
        default: break
        }
        guard name.utf8.count <= lengthLimit, name.contains("<") else { return name }
        let tokens = Array(NameTokens(name))
        return tokens.contains { $0.depth > depthLimit } ? name : sugared(name, tokens[...])
    }

    /// The bare name; of a collection's storage with its element: `Board` of `Game.Board<Card>`, `[UInt8]`.
    package static func short(_ name: String) -> String {
        guard TypeName.module(of: name) == "Swift" else { return TypeName.bare(name) }
        return ShortNames.strip(sugared(name))
    }

    private static func sugared(_ name: String, _ tokens: ArraySlice<NameTokens.Token>) -> String {
        // The name that may have arguments stands in `path`.
        var (result, path) = ("", "")
        var index = tokens.startIndex
        while index < tokens.endIndex {
            let token = tokens[index]
            if token.kind == .identifier || token.kind == .mark(".") {
                path += name[token.range]
            } else if token.kind == .mark("<"), let end = tokens[index...].firstIndex(where: { closes($0, token) }) {
                let arguments = split(tokens[(index + 1)..<end]).map { sugared(name, $0) }
                result +=
                    form(of: path).flatMap { write($0, arguments) } ?? "\(path)<\(arguments.joined(separator: ", "))>"
                path = ""
                index = end
            } else {
                result += path + name[token.range]
                path = ""
            }
            index += 1
        }
        return result + path
    }

    private static func closes(_ token: NameTokens.Token, _ opening: NameTokens.Token) -> Bool {
        token.kind == .mark(">") && token.depth == opening.depth
    }

    private static func split(_ arguments: ArraySlice<NameTokens.Token>) -> [ArraySlice<NameTokens.Token>] {
        let depth = arguments.first?.depth
        return arguments.split(omittingEmptySubsequences: false) { $0.kind == .mark(",") && $0.depth == depth }
            .map { $0.drop { $0.kind == .mark(" ") } }
    }

    private static func form(of name: String) -> Form? {
        // A program may have an Array of its own.
        generic.first { name == "Swift." + $0.head || (name == $0.head && name.hasPrefix("_")) }?.form
    }

    private static func write(_ form: Form, _ arguments: [String]) -> String? {
        switch (form, arguments.count) {
        case (.array, 1): "[\(arguments[0])]"
        case (.set, 1): "Set<\(arguments[0])>"
        case (.dictionary, 2): "[\(arguments[0]): \(arguments[1])]"
        case (.optional, 1):
            NameTokens(arguments[0]).contains { $0.kind == .arrow } ? "(\(arguments[0]))?" : "\(arguments[0])?"
        default: nil
        }
    }
}
