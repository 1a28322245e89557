import Foundation

/// Mangled names of what the optimiser makes of a closure. LLVM tells copies apart by what follows a dot, which stands in
/// no mangled name.
package enum ClosureSymbol {
    /// The closure to which a partial application forwards: of `…U_TA` and `…U_TA.31` it is `…U_`; nil: it is none.
    package static func closure(ofForwarder symbol: String) -> String? {
        let name = symbol.prefix { $0 != "." }
        return name.hasSuffix("TA") ? closure(ofBody: String(name.dropLast(2))) : nil
    }

    /// The closure whose code it is: of `…U_` itself and of `…U_Tf4nn_g`, its specialisation, it is `…U_`. A forwarder is
    /// another.
    package static func closure(ofBody symbol: String) -> String {
        let name = symbol.prefix { $0 != "." }
        guard !name.hasSuffix("TA"),
            let end = name.range(of: "U[0-9]*_(?=Tf)", options: [.backwards, .regularExpression])
        else { return String(name) }
        return String(name[..<end.upperBound])
    }
}
