import Foundation
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
        guard usr.hasPrefix("s:"), !usr.hasPrefix("s:e:"), let text = Self.demangle("$s" + usr.dropFirst(2)) else {
            return nil
        }
        var rest = Self.plain(text)
        var type: Substring?
        if let colon = rest.range(of: " : ") {
            type = rest[colon.upperBound...]
            rest = String(rest[..<colon.lowerBound])
        } else if let open = Self.parameters(in: rest) {
            type = Self.result(of: rest[open...])
            rest = String(rest[..<open])
        }
        var names = rest.split(separator: ".", omittingEmptySubsequences: false).map(Self.withoutArguments)
        guard names.count > 1, names.allSatisfy(Self.isIdentifier) else {
            return nil
        }
        module = names.removeFirst()
        path = names
        self.type = type.flatMap { Self.known(TypeTextReader.read(String($0))) }
    }

    /// Without what distinguishes extensions, statics and private names.
    private static func plain(_ text: String) -> String {
        var text = text.hasPrefix("static ") ? String(text.dropFirst("static ".count)) : text
        // An extension's prefix begins with a bracket, a private name stands in one behind a point.
        if text.hasPrefix("(extension in "), let end = text.firstIndex(of: ":") {
            text = String(text[text.index(after: end)...])
        }
        while let open = text.utf8.indices.first(where: { text.utf8[$0...].starts(with: ".(".utf8) }),
            let space = text[open...].firstIndex(of: " "), let close = text[space...].firstIndex(of: ")")
        {
            let name = text.utf8.index(open, offsetBy: 2)
            text = "\(text[..<open]).\(text[name..<space])\(text[text.index(after: close)...])"
        }
        return text
    }

    private static func isIdentifier(_ name: String) -> Bool {
        !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    private static func withoutArguments(_ name: Substring) -> String {
        String(name.firstIndex(of: "<").map { name[..<$0] } ?? name)
    }

    /// Where the parameters begin: the first `(` outside of `<…>`.
    private static func parameters(in text: String) -> String.Index? {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "<": depth += 1
            case ">" where !isArrow(text, index): depth -= 1
            case "(" where depth == 0: return index
            default: break
            }
        }
        return nil
    }

    /// What stands behind the first arrow outside of brackets.
    private static func result(of text: Substring) -> Substring? {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "(", "<", "[": depth += 1
            case ")", "]": depth -= 1
            case ">":
                if !isArrow(text, index) {
                    depth -= 1
                } else if depth == 0 {
                    return text[text.index(after: index)...].drop { $0 == " " }
                }
            default: break
            }
        }
        return nil
    }

    private static func isArrow(_ text: some StringProtocol, _ index: String.Index) -> Bool {
        index > text.startIndex && text[text.index(before: index)] == "-"
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
        return String(cString: buffer)
    }
}

/// libswiftCore's `swift_demangle`: the result is the caller's to free.
@_silgen_name("swift_demangle")
private func runtimeDemangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
