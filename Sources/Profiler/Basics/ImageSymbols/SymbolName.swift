/// A symbol's name as a person wants to read it.
package struct SymbolName: Hashable, Sendable {
    /// `Puzzle.tilt(to:)`; without the noise of specializations, merged functions, forwarders and thunks.
    package var function: String
    /// The Swift module that the function belongs to; empty for C and C++.
    package var module: String
    /// Made by the compiler around a function: a thunk, a witness, an accessor of metadata.
    package var isGlue: Bool
    /// Of a closure: its caller gets a value from it.
    package var returnsValue = false
    /// Functions of the same code were made one.
    package var isMerged = false

    /// Reads a symbol or a linkage name of the debug information.
    package init(symbol: String) {
        guard let simplified = Demangler.simplified(symbol) else {
            // A main that is async, a script's own lines too, and its parts: `async_MainTQ0_`.
            function = symbol.hasPrefix("async_Main") ? "main" : symbol
            module = symbol.hasPrefix("swift::") || symbol.hasPrefix("swift_") ? "Swift" : ""
            isGlue = false
            return
        }
        (function, isGlue) = Self.strip(simplified)
        module = ModuleName.of(symbol)
        isMerged = simplified.hasPrefix("merged ")
        if FunctionName.isClosure(function) {
            returnsValue = Demangler.full(symbol).map(FunctionName.closureReturnsValue) ?? false
        }
    }

    private static let pureGlue = [
        "thunk for ", "outlined ", "lazy protocol witness table ", "type metadata ", "base witness table ",
        "value witness ", "destroy for ", "initializeWith", "initializeBuffer", "assignWith", "getEnumTag",
        "storeEnumTag", "destructive", "associated type ", "lazy cache variable", "metadata ", "full type metadata",
        "__swift_", "block_copy_helper", "block_destroy_helper",
    ]

    private static func strip(_ name: String) -> (function: String, isGlue: Bool) {
        var rest = name[...]
        var isGlue = false
        var changed = true
        while changed {
            changed = false
            for prefix in FunctionName.noise where rest.hasPrefix(prefix) {
                rest = rest.dropFirst(prefix.count)
                changed = true
            }
            for prefix in FunctionName.glue where rest.hasPrefix(prefix) {
                rest = rest.dropFirst(prefix.count)
                isGlue = true
                changed = true
            }
        }
        rest = FunctionName.withoutConformance(rest)
        if pureGlue.contains(where: rest.hasPrefix) { isGlue = true }
        // Of a closure in a script's own lines the demangler names no function.
        if rest.hasSuffix(" in ") { rest += "main" }
        return (FunctionName.withoutAllocation(rest), isGlue)
    }
}
