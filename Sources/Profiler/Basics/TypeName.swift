/// Reads the names of types as Swift prints them.
package enum TypeName {
    /// "Game" of "Game.Box<Other.Card>"; nil when the name has no module.
    package static func module(of name: String) -> String? {
        guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
        let head = name[..<dot]
        return head.utf8.contains { "<(, [".utf8.contains($0) } ? nil : String(head)
    }

    package static func isUsers(_ name: String) -> Bool {
        guard let module = module(of: name) else { return false }
        return !SystemModules.all.contains(module)
    }

    /// "Game.Box" of "Game.Box<Game.Card>": a class of the user's as the source declares it. Others as they are: the
    /// element tells one array from another.
    package static func declared(_ name: String) -> String {
        guard isUsers(name), name.contains("<") else { return name }
        var (depth, result) = (0, "")
        for index in name.indices {
            switch name[index] {
            case "<": depth += 1
            case ">" where index > name.startIndex && name[name.index(before: index)] == "-": break
            case ">": depth -= 1
            default: if depth == 0 { result.append(name[index]) }
            }
        }
        return result
    }

    /// Whether a pattern means the type: by the whole name, as reports print it, or by what stands behind one of its dots, without
    /// arguments.
    package static func matches(_ name: String, _ pattern: GlobPattern) -> Bool {
        if pattern.matches(name) || pattern.matches(ShortNames.strip(TypeSugar.sugared(name))) { return true }
        let path = declared(name).split(separator: ".")
        return path.indices.contains { pattern.matches(path[$0...].joined(separator: ".")) }
    }

    /// "Box" of "Game.Outer<Int>.Box<Game.Card>": neither module, nor enclosing types, nor arguments.
    package static func bare(_ name: String) -> String {
        var (depth, start) = (0, name.startIndex)
        var end: String.Index?
        for index in name.indices {
            switch name[index] {
            case "<", "(", "[":
                if depth == 0, name[index] == "<", end == nil { end = index }
                depth += 1
            case ">" where index > name.startIndex && name[name.index(before: index)] == "-": break
            case ">", ")", "]": depth -= 1
            case "." where depth == 0: (start, end) = (name.index(after: index), nil)
            default: break
            }
        }
        return start < (end ?? name.endIndex) ? String(name[start..<(end ?? name.endIndex)]) : name
    }
}
