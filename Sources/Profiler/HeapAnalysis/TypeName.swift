/// Reads the names of types as Swift prints them.
enum TypeName {
    /// Modules that come with the toolchain: their objects are folded in a path, so that the user's stand out.
    static let systemModules: Set<String> = [
        "Swift", "_Concurrency", "Foundation", "FoundationEssentials", "FoundationInternationalization",
        "FoundationNetworking", "FoundationXML", "Dispatch", "Observation", "_StringProcessing", "_RegexParser",
        "RegexBuilder", "Synchronization", "Distributed", "_Differentiation", "XCTest", "Testing", "Builtin", "__C",
        "Cxx", "CxxStdlib", "Glibc", "_Volatile", "Runtime",
    ]

    /// "Game" of "Game.Box<Other.Card>"; nil when the name has no module.
    static func module(of name: String) -> String? {
        guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return nil }
        let head = name[..<dot]
        return head.contains { "<(, [".contains($0) } ? nil : String(head)
    }

    static func isUsers(_ name: String) -> Bool {
        guard let module = module(of: name) else { return false }
        return !systemModules.contains(module)
    }

    /// "Box" of "Game.Outer.Box<Game.Card>": neither module, nor enclosing types, nor arguments.
    static func bare(_ name: String) -> String {
        let head = name.prefix { $0 != "<" }
        return head.split(separator: ".").last.map(String.init) ?? name
    }
}
