/// Reads the module off a mangled Swift name.
package enum ModuleName {
    /// The module in which the function is declared: of an extension, the one that declares the extension. Empty when
    /// the name does not say.
    package static func of(_ mangled: String) -> String {
        let full = Demangler.full(mangled)
        if let full, let module = FunctionName.extendingModule(full) { return module }
        let name = mangled.utf8.dropFirst(mangled.hasPrefix("_T0") ? 3 : 2)
        // Such an identifier is encoded, or refers to words of its own: the demangler knows how.
        if name.first == UInt8(ascii: "0") { return full.flatMap(FunctionName.module) ?? "" }
        return leading(name)
    }

    /// The grammar's beginning of a context: a length and an identifier, or a standard substitution.
    private static func leading(_ name: Substring.UTF8View) -> String {
        guard let first = name.first else { return "" }
        if first == UInt8(ascii: "s") { return "Swift" }
        if first == UInt8(ascii: "S") {
            let second = name.dropFirst().first
            if second == UInt8(ascii: "o") || second == UInt8(ascii: "C") { return "" }
            return second == UInt8(ascii: "c") ? "_Concurrency" : "Swift"
        }
        let digits = name.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let length = Int(Substring(digits)), length > 0, length < name.count else { return "" }
        return String(Substring(name.dropFirst(digits.count).prefix(length)))
    }
}
