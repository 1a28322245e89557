import GameprofTrace

/// Layouts of enums: where the case stands and what its payload holds (GenEnum.cpp).
enum EnumLayout {
    static func tagBytes(_ tags: UInt64) -> UInt64 { tags <= 1 ? 0 : tags <= 256 ? 1 : tags <= 65536 ? 2 : 4 }

    static func bits(_ values: UInt64) -> UInt64 {
        var bits: UInt64 = 0
        while 1 << bits < values { bits += 1 }
        return bits
    }

    /// The bits of a tag of `bytes` bytes that lie above the `used` lowest.
    private static func spareTag(_ bytes: UInt64, used: UInt64) -> [UInt8] {
        (0..<bytes).map { index in
            let taken = used > 8 * index ? used - 8 * index : 0
            return taken >= 8 ? 0 : 0xff << UInt8(taken)
        }
    }

    static func withoutPayload(_ cases: UInt64) -> TypeLayout {
        let bytes = tagBytes(cases)
        var layout = TypeLayout.plain(bytes, max(bytes, 1))
        let values: UInt64 = bytes == 1 ? 256 : bytes == 2 ? 65536 : UInt64(UInt32.max)
        if bytes != 0, cases < values {
            layout.extra = ExtraInhabitants(count: values - cases, first: cases, width: bytes)
        }
        layout.spare = spareTag(bytes, used: bits(cases))
        return layout
    }

    private static func guarded(_ steps: [LayoutStep], _ none: ExtraInhabitants) -> [LayoutStep] {
        // A reference is told from the pointer values that no object has by itself.
        if steps.count == 1, case .reference = steps[0].kind, none.width == 8, none.offset == steps[0].offset {
            return steps
        }
        return steps.isEmpty ? [] : [LayoutStep(.payload(none, steps))]
    }

    /// Of Optional, and of any enum with one payload case and `emptyCases` others.
    static func singlePayload(_ payload: TypeLayout, _ label: String, emptyCases: UInt64) -> TypeLayout {
        var layout = payload
        layout.steps = payload.steps.map { $0.moved(by: 0, label, isNotWeak: true) }
        guard payload.isSized, emptyCases > 0 else { return layout }
        // What is left of the payload's spare bits is not used again; only whether an extra tag has some is not known.
        layout.spare = layout.spare.map { [UInt8](repeating: 0, count: $0.count) }
        let used = min(emptyCases, payload.extra.count)
        if used > 0 {
            var none = payload.extra
            none.count = used
            if none.isDescending { none.first &+= payload.extra.count - used }
            layout.steps = guarded(layout.steps, none)
            if !payload.extra.isDescending { layout.extra.first &+= used }
            layout.extra.count -= used
        }
        let rest = emptyCases - used
        if rest > 0 {
            // Tag 0 is the payload; each further tag has room for as many cases as the payload's bits can tell apart.
            let perTag: UInt64 = payload.size >= 4 ? UInt64(UInt32.max) : 1 << (8 * payload.size)
            let tags = 1 + (rest + perTag - 1) / perTag
            let bytes = tagBytes(tags)
            let tag = ExtraInhabitants(
                offset: payload.size, count: UInt64(UInt32.max), first: 1, width: bytes, bits: bits(tags))
            layout.steps = guarded(layout.steps, tag)
            let spare = layout.spare ?? [UInt8](repeating: 0, count: Int(min(payload.size, 1 << 20)))
            layout.spare =
                payload.size + bytes <= TypeLayout.spareLimit ? spare + spareTag(bytes, used: bits(tags)) : nil
            layout.size = payload.size + bytes
            layout.extra.count = 0
        }
        return layout
    }

    /// A case with its payload.
    struct Payload {
        var name: String
        var layout: TypeLayout
    }

    /// - Parameter isFixed: no payload depends on a generic parameter.
    static func multiPayload(_ payloads: [Payload], emptyCases: UInt64, isFixed: Bool) -> TypeLayout {
        let size = payloads.reduce(0) { max($0, $1.layout.size) }
        var layout = TypeLayout.plain(size, payloads.reduce(1) { max($0, $1.layout.alignment) })
        layout.isAddressOnly = payloads.contains(where: \.layout.isAddressOnly)
        guard let spare = commonSpareBits(payloads, size, isUsed: isFixed && !layout.isAddressOnly) else {
            return .unknown
        }
        let spareBits = spare.reduce(0) { $0 + UInt64($1.nonzeroBitCount) }
        let usedBits = 8 * size - spareBits
        let perTag: UInt64 = usedBits >= 32 ? UInt64(UInt32.max) : 1 << usedBits
        let tags = UInt64(payloads.count) + (emptyCases + perTag - 1) / perTag
        let wanted = bits(tags)
        let inPayload = min(wanted, spareBits)
        let tagBytes = inPayload == wanted ? 0 : tagBytes(1 << (wanted - inPayload))
        let mask = highest(spare, Int(inPayload))
        if payloads.contains(where: { !$0.layout.steps.isEmpty }) {
            let steps = payloads.map { payload in
                payload.layout.steps.map { $0.moved(by: 0, payload.name, isNotWeak: true) }
            }
            layout.steps = [
                LayoutStep(
                    .cases(
                        LayoutStep.EnumCases(
                            mask: mask, extent: size, tagBytes: tagBytes, tagBits: wanted - inPayload, steps: steps)))
            ]
        }
        // The bits that this enum leaves unused serve an enum around it.
        layout.spare =
            size + tagBytes <= TypeLayout.spareLimit
            ? zip(spare, mask).map { $0 & ~$1 } + spareTag(tagBytes, used: wanted - inPayload) : nil
        // How many values are left decides the size of an optional around this enum. Where they lie in the payload's spare
        // bits, all words of such a value are zero but for those bits: it names no object, whatever its tag seems to be.
        let allBits = spareBits + (inPayload == wanted ? 0 : 8 * tagBytes)
        let allTags: UInt64 = allBits >= 31 ? UInt64(Int32.max) : 1 << allBits
        layout.extra = ExtraInhabitants(count: allTags &- tags, first: tags)
        if inPayload == 0 {
            layout.extra.offset = size
            layout.extra.width = tagBytes
            layout.extra.isDescending = true
        }
        layout.size += tagBytes
        return layout
    }

    /// Bits that no payload uses; nil: that is not known for one of them.
    private static func commonSpareBits(_ payloads: [Payload], _ size: UInt64, isUsed: Bool) -> [UInt8]? {
        guard isUsed else { return [UInt8](repeating: 0, count: Int(min(size, 1 << 20))) }
        guard size <= TypeLayout.spareLimit else { return nil }
        var result = [UInt8](repeating: 0xff, count: Int(size))
        for payload in payloads {
            guard let spare = payload.layout.spare else { return nil }
            for (index, byte) in spare.enumerated() { result[index] &= byte }
        }
        return result
    }

    /// The `wanted` highest of the bits.
    private static func highest(_ bits: [UInt8], _ wanted: Int) -> [UInt8] {
        var result = bits
        var drop = bits.reduce(0) { $0 + $1.nonzeroBitCount } - wanted
        for index in result.indices {
            while drop > 0, result[index] != 0 {
                result[index] &= result[index] &- 1
                drop -= 1
            }
        }
        return result
    }
}
