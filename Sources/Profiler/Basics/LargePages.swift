import Foundation

/// Pages of 2 MiB for memory of millions of elements: with small ones each access by chance misses the translation of its page.
package enum LargePages {
    private static let size = 2 << 20
    private static let advice = CInt(14)  // MADV_HUGEPAGE

    /// For memory that nothing was written to yet, as far as they cover it.
    package static func take(_ memory: UnsafeMutableRawBufferPointer) {
        guard memory.count >= 2 * size, let base = memory.baseAddress else { return }
        let start = base.alignedUp(toMultipleOf: size)
        madvise(start, (base + memory.count).alignedDown(toMultipleOf: size) - start, advice)
    }
}

extension Array {
    /// - Parameter fill: writes all elements.
    package init(large count: Int, _ fill: (UnsafeMutablePointer<Element>) -> Void) {
        self.init(unsafeUninitializedCapacity: count) { buffer, filled in
            LargePages.take(UnsafeMutableRawBufferPointer(buffer))
            if let base = buffer.baseAddress { fill(base) }
            filled = count
        }
    }

    /// An empty one with room for so many.
    package init(room count: Int) {
        self.init(unsafeUninitializedCapacity: count) { buffer, _ in
            LargePages.take(UnsafeMutableRawBufferPointer(buffer))
        }
    }
}
