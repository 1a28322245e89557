/// Memory that malloc keeps for later.
package enum FreeMemory {
    /// Gives it back to the system, after work that took much and will not come again soon. Takes a millisecond.
    package static func giveBack() { _ = trim(0) }
}

/// `malloc_trim` of the C library, which its module does not show.
@_silgen_name("malloc_trim")
private func trim(_ padding: Int) -> CInt
