/// A hash that is the same in every process and on every machine, unlike `Hasher`: FNV-1a with a final mix.
package struct StableHash: Sendable {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package mutating func combine(_ text: String) {
        for byte in text.utf8 { step(UInt64(byte)) }
        step(0xff)
    }

    package mutating func combine(_ word: UInt64) {
        state = Self.mix(state &+ 0x9e37_79b9_7f4a_7c15 &+ word)
    }

    private mutating func step(_ byte: UInt64) {
        state = (state ^ byte) &* 0x0000_0100_0000_01b3
    }

    package var value: UInt64 { Self.mix(state) }

    /// splitmix64's finaliser.
    package static func mix(_ word: UInt64) -> UInt64 {
        var z = word
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    package static func of(_ text: String) -> UInt64 {
        var hash = StableHash()
        hash.combine(text)
        return hash.value
    }
}

extension UInt64 {
    /// Sixteen lowercase hex digits.
    package var hexDigits: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
