/// The names of the closures that a snapshot speaks of.
struct FunctionNames: Sendable {
    private var plain: [UInt64: String] = [:]
    private var hashes: [UInt64: UInt64] = [:]
    private var origins: [UInt64: FrameOrigin] = [:]

    /// `lookUp`: the function at an exact address, its name demangled.
    init(addresses: Set<UInt64>, lookUp: (UInt64) -> SymbolicatedFrame?) {
        for address in addresses {
            guard let frame = lookUp(address) else { continue }
            let name = FunctionName.plain(frame.function)
            guard !name.isEmpty else { continue }
            let isUsersGlue =
                frame.origin == .runtime && frame.isPlumbing && !name.hasPrefix("thunk for ")
                && !frame.image.hasPrefix("libswift") && !TypeName.systemModules.contains(frame.module)
            origins[address] = isUsersGlue ? .user : frame.origin
            plain[address] = name
            hashes[address] = StableHash.of(FunctionName.unnumbered(name))
        }
    }

    /// Demangled and simplified; nil when the address has no symbol.
    subscript(_ address: UInt64) -> String? { plain[address] }

    /// Whose code it is, of a forwarder whose it leads to; nil when the address has no symbol.
    func origin(of address: UInt64) -> FrameOrigin? { origins[address] }

    /// Equal for equal functions of different builds; 0: no name.
    func hash(of address: UInt64) -> UInt64 { hashes[address] ?? 0 }
}
