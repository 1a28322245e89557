extension FixedWidthInteger {
    /// Adds as far as there are numbers: counts come out of traces and baselines, and their sums need not exist.
    package mutating func add(clamping other: Self) {
        let (sum, overflows) = addingReportingOverflow(other)
        self = overflows ? (other > 0 ? .max : .min) : sum
    }
}

extension Sequence where Element: FixedWidthInteger {
    /// The sum as far as there are numbers.
    package var clampedSum: Element { reduce(into: 0) { $0.add(clamping: $1) } }
}
