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
        let bytes = Array(name.utf8.prefix(lengthLimit + 1))
        guard bytes.count <= lengthLimit, bytes.contains(UInt8(ascii: "<")), depth(of: bytes) <= depthLimit else {
            return name
        }
        return String(decoding: sugared(bytes[...]), as: UTF8.self)
    }

    /// The bare name; of a collection's storage with its element: `Board` of `Game.Board<Card>`, `[UInt8]`.
    package static func short(_ name: String) -> String {
        guard TypeName.module(of: name) == "Swift" else { return TypeName.bare(name) }
        return ShortNames.strip(sugared(name))
    }

    private static func depth(of name: [UInt8]) -> Int {
        var (depth, deepest) = (0, 0)
        for byte in name {
            if byte == UInt8(ascii: "<") { depth += 1 }
            if byte == UInt8(ascii: ">") { depth -= 1 }
            deepest = max(deepest, depth)
        }
        return deepest
    }

    private static func sugared(_ name: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var index = name.startIndex
        while index < name.endIndex {
            guard name[index] == UInt8(ascii: "<"), let end = closing(name, from: index) else {
                result.append(name[index])
                index += 1
                continue
            }
            let arguments = split(name[(index + 1)..<end]).map { String(decoding: sugared($0), as: UTF8.self) }
            let start = result.lastIndex { !isIdentifier($0) }.map { $0 + 1 } ?? 0
            if let form = form(of: String(decoding: result[start...], as: UTF8.self)),
                let written = write(form, arguments)
            {
                result.removeSubrange(start...)
                result += Array(written.utf8)
            } else {
                result += Array("<\(arguments.joined(separator: ", "))>".utf8)
            }
            index = end + 1
        }
        return result
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
        case (.optional, 1): arguments[0].contains("->") ? "(\(arguments[0]))?" : "\(arguments[0])?"
        default: nil
        }
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), 0x80...: true
        default: false
        }
    }

    /// The place of the bracket that closes the one at `start`; arrows do not count.
    private static func closing(_ name: ArraySlice<UInt8>, from start: Int) -> Int? {
        var depth = 0
        for index in start..<name.endIndex {
            if name[index] == UInt8(ascii: "<") { depth += 1 }
            guard name[index] == UInt8(ascii: ">"), name[index - 1] != UInt8(ascii: "-") else { continue }
            depth -= 1
            if depth == 0 { return index }
        }
        return nil
    }

    private static func split(_ arguments: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var (depth, start) = (0, arguments.startIndex)
        for index in arguments.indices {
            switch arguments[index] {
            case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ">") where index > start && arguments[index - 1] == UInt8(ascii: "-"): break
            case UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                parts.append(arguments[start..<index])
                start = index + 1
            case UInt8(ascii: " ") where depth == 0 && index == start: start = index + 1
            default: break
            }
        }
        return parts + [arguments[start...]]
    }
}
