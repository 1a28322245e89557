import GameprofBasics
import SeriesStatistics

/// How a figure went over the commits.
public struct FigureTrend: Sendable {
    public var name: String
    public var unit: MeasureUnit
    public var points: [FigurePoint]
    /// Equal runs give equal values: a difference is a change of the program. Otherwise the values scatter.
    public var isExact: Bool
    /// Of scattering figures, by the medians of the commits. Indexes of `points`.
    public var changes: [ChangePoint]

    /// Change points are looked for in the last so many commits.
    public static let reach = 400

    /// A change of less, of a figure that scatters, is none.
    public static let leastChange = 0.02

    static let search = ChangePointSearch(window: 50, p: 0.0001, magnitude: leastChange)

    public init(name: String, unit: MeasureUnit, points: [FigurePoint]) {
        self.name = name
        self.unit = unit
        self.points = points
        isExact = Self.isExact(unit: unit, points)
        changes = isExact ? [] : Self.lasting(Self.changePoints(points), of: points.count)
    }

    /// Without the beginning and the end of a stretch of fewer commits than a change needs: a slow minute of the machine.
    private static func lasting(_ changes: [ChangePoint], of count: Int) -> [ChangePoint] {
        var result: [ChangePoint] = []
        for change in changes {
            if let last = result.last, change.index - last.index < HistoryCheck.leastCommits {
                result.removeLast()
            } else {
                result.append(change)
            }
        }
        if let last = result.last, count - last.index < HistoryCheck.leastCommits { result.removeLast() }
        return result
    }

    /// By the medians of the commits. Indexes of `points`.
    static func changePoints(_ points: [FigurePoint]) -> [ChangePoint] {
        let medians = points.suffix(reach).compactMap { median($0.values) }
        let skipped = points.count - medians.count
        return search.changePoints(in: medians).map { point in
            var point = point
            point.index += skipped
            return point
        }
    }

    /// Times scatter always. Of other figures one commit with two values proves it; without repeated runs, that more than a
    /// third of the commits changed them.
    static func isExact(unit: MeasureUnit, _ points: [FigurePoint]) -> Bool {
        guard unit != .nanoseconds else { return false }
        let recent = points.suffix(30)
        guard recent.allSatisfy({ point in point.values.allSatisfy { $0 == point.values[0] } }) else { return false }
        let changed = zip(recent, recent.dropFirst()).count { $0.values[0] != $1.values[0] }
        return recent.count < 6 || changed * 3 <= recent.count
    }

    /// Commits at which the value changed: of exact figures each, of others the change points. Indexes of `points`.
    public var changedAt: [Int] {
        guard isExact else { return changes.map(\.index) }
        return points.indices.dropFirst().filter { points[$0].values[0] != points[$0 - 1].values[0] }
    }

    /// The median of the last commit.
    public var last: Double? { points.last.flatMap { median($0.values) } }
}
