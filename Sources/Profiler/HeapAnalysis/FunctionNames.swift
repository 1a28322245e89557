/// The names of the closures that a snapshot speaks of.
struct FunctionNames: Sendable {
    private var plain: [UInt64: String] = [:]
    private var hashes: [UInt64: UInt64] = [:]

    /// `lookUp`: the demangled name of the function at an exact address.
    init(addresses: Set<UInt64>, lookUp: (UInt64) -> String?) {
        for address in addresses {
            guard let name = lookUp(address).map(FunctionName.plain), !name.isEmpty else { continue }
            plain[address] = name
            hashes[address] = StableHash.of(FunctionName.unnumbered(name))
        }
    }

    /// Demangled and simplified; nil when the address has no symbol.
    subscript(_ address: UInt64) -> String? { plain[address] }

    /// Equal for equal functions of different builds; 0: no name.
    func hash(of address: UInt64) -> UInt64 { hashes[address] ?? 0 }
}
