/// Some of the numbers below a count: a bit each.
package struct BitSet: Sendable {
    @usableFromInline var words: [UInt64]

    package init(count: Int) { words = [UInt64](repeating: 0, count: count / 64 + 1) }

    @inlinable package func contains(_ number: Int) -> Bool { words[number / 64] >> UInt64(number % 64) & 1 != 0 }

    /// Whether it was not in it before.
    @discardableResult
    @inlinable package mutating func insert(_ number: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(number % 64)
        guard words[number / 64] & bit == 0 else { return false }
        words[number / 64] |= bit
        return true
    }

    @inlinable package mutating func remove(_ number: Int) { words[number / 64] &= ~(1 << UInt64(number % 64)) }

    @inlinable package func withWords<Result>(_ body: (UnsafeBufferPointer<UInt64>) -> Result) -> Result {
        words.withUnsafeBufferPointer(body)
    }
}
