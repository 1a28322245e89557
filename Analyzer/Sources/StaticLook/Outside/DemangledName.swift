import Foundation
import GameprofBasics
import SourceModel
import SourceReader

/// What the mangled name of a declaration says: where it belongs, and its type, or that of what it returns.
struct DemangledName {
    /// The module that declares the outermost type, or the function itself.
    var module: String
    /// Types around it, and its own name last: `["Engine", "Settings", "onChange"]`.
    var path: [String]
    /// Nil for a type, and for what returns nothing that has a name.
    var type: TypeReference?

    /// The path of the type that a member belongs to; empty outside of one.
    var owner: String { path.dropLast().joined(separator: ".") }

    /// Nil when the USR is none of Swift's, or the name has an unusual form: an operator, a local function.
    init?(usr: String) {
        guard usr.hasPrefix("s:"), !usr.hasPrefix("s:e:"), var text = Self.demangle("$s" + usr.dropFirst(2)) else {
            return nil
        }
        if text.hasPrefix("static ") { text.removeFirst("static ".count) }
        let declaration = Self.plain(text)
        let name = NameTokens.prefix(of: declaration[...], before: " ", "(")
        var names = NameTokens.split(name, at: ".").map { String(NameTokens.prefix(of: $0, before: "<")) }
        guard names.count > 1, names.allSatisfy(Self.isIdentifier) else { return nil }
        module = names.removeFirst()
        path = names
        let rest = declaration[name.endIndex...]
        let type =
            rest.hasPrefix(" : ") ? rest.dropFirst(" : ".count) : rest.hasPrefix("(") ? Self.result(of: rest) : nil
        self.type = type.flatMap { Self.known(TypeTextReader.read(String($0))) }
    }

    /// Without what distinguishes extensions, statics and private names.
    private static func plain(_ text: String) -> String {
        let tokens = Array(NameTokens(text))
        var result = ""
        var index = 0
        while index < tokens.count {
            let token = tokens[index]
            let end = token.kind == .mark("(") ? tokens[index...].firstIndex { closes($0, token) } : nil
            // An extension's prefix stands in brackets in front of the name, a private name in those behind a point.
            if index == 0, let end, text[token.range.upperBound...].hasPrefix("extension in ") {
                index = end + 2
            } else if let end, result.hasSuffix("."), index + 1 < end {
                result += text[tokens[index + 1].range]
                index = end + 1
            } else {
                result += text[token.range]
                index += 1
            }
        }
        return result
    }

    private static func closes(_ token: NameTokens.Token, _ opening: NameTokens.Token) -> Bool {
        token.kind == .mark(")") && token.depth == opening.depth
    }

    private static func isIdentifier(_ name: String) -> Bool {
        Identifier.isRaw(name[...]) || !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// What stands behind the first arrow outside of brackets.
    private static func result(of text: Substring) -> Substring? {
        NameTokens(text).first { $0.depth == 0 && $0.kind == .arrow }
            .map { text[$0.range.upperBound...].drop { $0 == " " } }
    }

    /// In the words of a source: without modules, and with the standard library's own names for what has a short form.
    /// A name without a module is a type parameter, of which nothing is known. Nil when nothing is left.
    private static func known(_ type: TypeReference) -> TypeReference? {
        switch type {
        case .named(let path, let arguments):
            guard path.count > 1 else { return nil }
            let inner = arguments.map { known($0) ?? .other }
            switch (path.joined(separator: "."), inner.count) {
            case ("Swift.Optional", 1): return inner[0] == .other ? nil : .optional(inner[0])
            case ("Swift.Array", 1): return .array(inner[0])
            case ("Swift.Dictionary", 2): return .dictionary(inner[0], inner[1])
            default: return .named(Array(path.dropFirst()), arguments: inner)
            }
        case .array(let element): return .array(known(element) ?? .other)
        case .dictionary(let key, let value): return .dictionary(known(key) ?? .other, known(value) ?? .other)
        case .optional(let inner): return known(inner).map { .optional($0) }
        case .function(let result, let isEscaping):
            return .function(result: known(result) ?? .tuple([]), isEscaping: isEscaping)
        case .composition(let parts):
            let parts = parts.compactMap(known)
            return parts.isEmpty ? nil : .composition(parts)
        case .tuple, .metatype, .other: return nil
        }
    }

    private static func demangle(_ name: String) -> String? {
        guard let buffer = runtimeDemangle(name, name.utf8.count, nil, nil, 0) else { return nil }
        defer { free(buffer) }
        return Identifier.withSpaces(String(cString: buffer))
    }
}

/// libswiftCore's `swift_demangle`: the result is the caller's to free.
@_silgen_name("swift_demangle")
private func runtimeDemangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
