import GameprofBasics

/// Memory whose allocator does not say where its blocks are, and that was scanned for objects (`ObjectScan`). Nothing is known of what
/// lies between these.
struct ScannedMemory {
    /// By address.
    let ranges: [Range<UInt64>]
    /// What objects occupied that were freed, by address.
    let freed: [Range<UInt64>]

    func contains(_ address: UInt64, count: UInt64 = 1) -> Bool { Self.range(in: ranges, address, count) }

    /// Whether an object that was freed has left what stands at an address.
    func isFreed(_ address: UInt64) -> Bool { Self.range(in: freed, address, 1) }

    private static func range(in ranges: [Range<UInt64>], _ address: UInt64, _ count: UInt64) -> Bool {
        let found = partition(0..<ranges.count) { ranges[$0].upperBound > address }
        return found < ranges.count && ranges[found].lowerBound <= address
            && count <= ranges[found].upperBound - address
    }
}
