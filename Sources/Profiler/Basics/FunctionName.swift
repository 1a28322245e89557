import Foundation

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
                guard let end = rest.range(of: "> of ") else { break }
                rest = rest[end.upperBound...]
                changed = true
            }
        }
        if rest.hasPrefix("("), let end = rest.range(of: ") await resume partial function for ") {
            rest = rest[end.upperBound...]
        }
        return String(rest)
    }

    /// The plain name without closure numbers, which shift when another closure is written above.
    package static func unnumbered(_ name: String) -> String {
        var result = ""
        var digitsAfterHash = false
        for character in plain(name) {
            if character == "#" {
                digitsAfterHash = true
                if result.last == " " { result.removeLast() }
                continue
            }
            if digitsAfterHash, character.isNumber { continue }
            digitsAfterHash = false
            result.append(character)
        }
        return result
    }

    /// How accessors are called behind their property or subscript.
    private static let accessors: Set<Substring> = [
        "getter", "setter", "modify", "modify2", "read", "read2", "willset", "didset", "init",
    ]

    /// "Puzzle" of "closure #1 in Puzzle.tilt(to:countOffset:)": the type whose member it is, without module.
    package static func enclosingType(_ name: String) -> String? {
        guard let member = plain(name).components(separatedBy: " in ").last else { return nil }
        var path = member.prefix { $0 != "(" }.split(separator: ".")
        if member.last != ")", let last = path.last, accessors.contains(last) { path.removeLast() }
        return path.count >= 2 ? TypeName.bare(path.dropLast().joined(separator: ".")) : nil
    }

    /// What a person reads in a stack: without "static", which only widens the column.
    package static func display(_ name: String) -> String {
        name.hasPrefix("static ") ? String(name.dropFirst("static ".count)) : name
    }

    /// Whether it is no name but "image+0x1a2b", which another build has elsewhere.
    package static func isPlace(_ name: String) -> Bool { name.contains("+0x") }

    package static func isClosure(_ name: String) -> Bool { name.contains("closure #") }

    package static func isInitializer(_ name: String) -> Bool {
        let name = plain(name).prefix { $0 != "(" }
        return ["init", "__allocating_init"].contains(name.split(separator: ".").last ?? "")
    }

    /// Of "closure #1 (Swift.Int) -> Swift.Bool in Form.init() -> Form", a name with its types: whether the closure's own
    /// result is one.
    package static func closureReturnsValue(_ name: String) -> Bool {
        guard let start = name.range(of: "closure #") else { return false }
        var depth = 0
        var previous: Character = " "
        var rest = name[start.upperBound...]
        while let next = rest.popFirst() {
            switch next {
            case " " where depth == 0 && rest.hasPrefix("in "): return false
            case "(", "[", "<": depth += 1
            case ">" where previous == "-":
                guard depth == 0 else { break }
                return !["() in ", "Swift.Never in "].contains { rest.dropFirst().hasPrefix($0) }
            case ")", "]", ">": depth -= 1
            default: break
            }
            previous = next
        }
        return false
    }
}
