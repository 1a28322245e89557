/// A hash of bytes that is the same in every process and program: FNV-1a, mixed with their number.
public enum ContentHash {
    /// Sixteen lowercase hex digits.
    public static func of(_ bytes: [UInt8]) -> String {
        var state: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        state = (state ^ UInt64(bytes.count)) &* 0x9e37_79b9_7f4a_7c15
        state ^= state >> 31
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
