import GameprofBasics

/// The names of the closures that a snapshot speaks of.
package struct FunctionNames: Sendable {
    private var plain: [UInt64: String] = [:]
    private var hashes: [UInt64: UInt64] = [:]
    private var origins: [UInt64: FrameOrigin] = [:]
    private var place: [UInt64: String] = [:]
    private var providers: Set<UInt64> = []
    private var places: [String: Set<String>] = [:]

    /// `lookUp`: the function at an exact address, its name demangled.
    package init(addresses: Set<UInt64>, lookUp: (UInt64) -> SymbolicatedFrame?) {
        for address in addresses {
            guard let frame = lookUp(address) else { continue }
            let name = FunctionName.plain(frame.function)
            guard !name.isEmpty else { continue }
            let isUsersGlue =
                frame.origin == .runtime && frame.isRuntimeSupport && !FunctionName.isThunk(name)
                && !frame.image.hasPrefix("libswift") && !SystemModules.all.contains(frame.module)
            if frame.returnsValue { providers.insert(address) }
            origins[address] = isUsersGlue ? .user : frame.origin
            plain[address] = name
            place[address] = frame.place
            if let place = frame.place { places[name, default: []].insert(place) }
            hashes[address] = StableHash.of(FunctionName.unnumbered(name))
        }
    }

    /// Demangled and simplified; nil when the address has no symbol.
    package subscript(_ address: UInt64) -> String? { plain[address] }

    /// Whether it is a closure whose caller gets a value from it.
    package func returnsValue(_ address: UInt64) -> Bool { providers.contains(address) }

    /// Whose code it is, of a forwarder whose it leads to; nil when the address has no symbol.
    package func origin(of address: UInt64) -> FrameOrigin? { origins[address] }

    /// Equal for all addresses of one function, and not for its overloads, where the debug information tells them apart.
    package func identity(of address: UInt64) -> UInt64 {
        guard let name = plain[address] else { return address }
        let isAmbiguous = (places[name]?.count ?? 0) > 1
        return StableHash.of(isAmbiguous ? "\(name) \(place[address] ?? "")" : name)
    }

    /// Equal for equal functions of different builds; 0: no name.
    package func hash(of address: UInt64) -> UInt64 { hashes[address] ?? 0 }
}
