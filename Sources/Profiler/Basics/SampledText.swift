/// How estimates are printed.
package enum SampledText {
    /// `11 MB–13 MB`
    package static func bytes(_ interval: ClosedRange<UInt64>) -> String {
        "\(NumberFormat.bytes(interval.lowerBound))–\(NumberFormat.bytes(interval.upperBound))"
    }

    /// `1,100–1,300`
    package static func count(_ interval: ClosedRange<UInt64>) -> String {
        "\(NumberFormat.count(interval.lowerBound))–\(NumberFormat.count(interval.upperBound))"
    }

    /// `12 MB (11 MB–13 MB)`; without the range where the figure is exact.
    package static func bytes(_ counts: AllocationCounts, _ figure: AllocationFigure) -> String {
        NumberFormat.bytes(counts[figure]) + (counts.interval(figure).map { " (\(bytes($0)))" } ?? "")
    }

    /// `1,200 (1,100–1,300)`; the same.
    package static func count(_ counts: AllocationCounts, _ figure: AllocationFigure) -> String {
        NumberFormat.count(counts[figure]) + (counts.interval(figure).map { " (\(count($0)))" } ?? "")
    }

    /// `1 allocation`, `1,200 (1,100–1,300) allocations`
    package static func count(_ counts: AllocationCounts, _ figure: AllocationFigure, _ noun: String) -> String {
        "\(count(counts, figure)) \(noun)\(counts[figure] == 1 ? "" : "s")"
    }

    /// What stands above the figures. `mean`: bytes between two samples.
    package static func method(samples: UInt64, mean: UInt64) -> String {
        guard samples > 0 else {
            // e^−3 = 0.05
            return
                "No block was sampled: in 95 of 100 recordings less than \(NumberFormat.bytes(mean &* 3)) was allocated."
        }
        let blocks = NumberFormat.count(Int(clamping: samples), "sampled block")
        return
            "Estimates from \(blocks), one for \(NumberFormat.bytes(mean)) on average. In parentheses: the range that "
            + "holds the true figure in 95 of 100 recordings. Blocks of 0 bytes are not counted."
    }
}
