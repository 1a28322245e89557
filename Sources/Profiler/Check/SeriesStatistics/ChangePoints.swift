/// A place in a series from which on its values are others than before.
public struct ChangePoint: Hashable, Sendable {
    /// Of the first value after the change.
    public var index: Int
    /// Means of the values since the change point before and until the next.
    public var before: Double
    public var after: Double
    /// Of Student's t-test between these values.
    public var p: Double

    /// The larger of the relative changes forward and backward.
    public var magnitude: Double {
        func change(_ from: Double, _ to: Double) -> Double {
            from == 0 ? (to == 0 ? 0 : .infinity) : abs(to / from - 1)
        }
        return max(change(before, after), change(after, before))
    }
}

/// Change points by E-divisive means (Matteson and James, arXiv 1306.4933) as Hunter and Apache Otava use them (Fleming et al.,
/// arXiv 2301.03034): in overlapping windows, with Student's t-test instead of permutations, so that the same series always
/// has the same change points; weak ones are then removed one by one.
public struct ChangePointSearch: Sendable {
    /// Length of a window; the next one begins half a window later, or at the last change point.
    public var window: Int
    /// Significance of a change point; in the windows ten times as much.
    public var p: Double
    /// Relative change that is none.
    public var magnitude: Double

    public init(window: Int = 50, p: Double = 0.001, magnitude: Double = 0) {
        self.window = max(2, window)
        self.p = p
        self.magnitude = magnitude
    }

    /// In the order of the series. Cost: values times window size.
    public func changePoints(in series: [Double]) -> [ChangePoint] {
        var indexes = candidates(in: series)
        while !indexes.isEmpty {
            let points = Self.points(series, at: indexes)
            guard let weakest = points.max(by: { $0.p < $1.p }), weakest.p >= p else {
                guard let least = points.min(by: { $0.magnitude < $1.magnitude }), least.magnitude <= magnitude else {
                    return points
                }
                indexes.removeAll { $0 == least.index }
                continue
            }
            indexes.removeAll { $0 == weakest.index }
        }
        return []
    }

    private static func points(_ series: [Double], at indexes: [Int]) -> [ChangePoint] {
        let ends = [0] + indexes + [series.count]
        return indexes.indices.map { number in
            point(series[ends[number]..<ends[number + 1]], series[ends[number + 1]..<ends[number + 2]])
        }
    }

    private static func point(_ before: ArraySlice<Double>, _ after: ArraySlice<Double>) -> ChangePoint {
        ChangePoint(
            index: after.startIndex, before: before.reduce(0, +) / Double(before.count),
            after: after.reduce(0, +) / Double(after.count), p: StudentT.test(before, after))
    }

    /// Indexes of what is significant in a window.
    private func candidates(in series: [Double]) -> [Int] {
        var found: Set<Int> = []
        var start = 0
        while start < series.count {
            let end = min(start + window, series.count)
            let new = divide(series[start..<end])
            found.formUnion(new)
            start = max(start + window / 2, new.max() ?? 0)
        }
        return found.sorted()
    }

    /// Divides a window at its best place, then its parts, as long as the division is significant.
    private func divide(_ window: ArraySlice<Double>) -> [Int] {
        let energy = EnergyStatistic(window)
        let limit = p < 0.05 ? 10 * p : p
        var parts = [window.indices]
        var found: [Int] = []
        while true {
            let best = parts.compactMap { part in energy.best(in: part).map { (part, $0) } }
                .max { $0.1.value < $1.1.value }
            guard let (part, division) = best else { return found }
            guard
                StudentT.test(window[part.lowerBound..<division.index], window[division.index..<part.upperBound])
                    <= limit
            else { return found }
            found.append(division.index)
            parts.removeAll { $0 == part }
            parts += [part.lowerBound..<division.index, division.index..<part.upperBound]
        }
    }
}
