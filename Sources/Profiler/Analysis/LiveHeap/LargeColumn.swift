import CGameprofProcessor
import GameprofBasics

/// Numbers or rows by position, in memory that the caller gives back: copies are the same, and cost no counting. Of a heap with
/// millions of blocks each access by chance would miss the caches and the translation of small pages.
struct LargeColumn<Element: BitwiseCopyable> {
    let elements: UnsafeMutablePointer<Element>
    let count: Int

    /// Of memory without a value.
    init(capacity count: Int) {
        elements = .allocate(capacity: count)
        self.count = count
        LargePages.take(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(start: elements, count: count)))
    }

    init(repeating element: Element, count: Int) {
        self.init(capacity: count)
        elements.initialize(repeating: element, count: count)
    }

    func deallocate() { elements.deallocate() }

    @inline(__always)
    subscript(_ index: Int) -> Element {
        get { elements[index] }
        nonmutating set { elements[index] = newValue }
    }

    /// Has the element in the caches by the time that it is asked for.
    @inline(__always)
    func fetch(_ index: Int) { gp_prefetch(elements + index) }
}

extension UnsafeBufferPointer {
    /// Has the element in the caches by the time that it is asked for.
    @inline(__always)
    func fetch(_ index: Int) { if let baseAddress { gp_prefetch(baseAddress + index) } }
}
