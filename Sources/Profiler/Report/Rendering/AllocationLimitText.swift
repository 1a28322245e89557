import GameprofAnalysis
import GameprofBasics

/// What is said of a test's limit of allocations that was not kept.
package enum AllocationLimitText {
    private static let typeLimit = 5
    private static let makerLimit = 3

    /// The number, the types, and the functions that made the most. `type`: whose objects were counted; nil: every block.
    package static func text(_ totals: AllocationTotals, limit: Int, type: String?) -> String {
        let number = NumberFormat.count(Int(clamping: totals.total), "allocation")
        let counted = type.map { "\(number) of \($0)" } ?? number
        let lines = ["\(counted), at most \(NumberFormat.count(limit)) expected: \(types(totals))"]
        let makers = totals.byMaker.prefix(makerLimit).map { row in
            "\(NumberFormat.count(row.count)) × \(row.type)" + (row.maker.map { " in \($0)" } ?? "")
        }
        return (lines + makers).joined(separator: "\n")
    }

    private static func types(_ totals: AllocationTotals) -> String {
        let named = totals.byType.prefix(typeLimit).map { "\(NumberFormat.count($0.count)) × \($0.type)" }
        let more = totals.byType.count - typeLimit
        return named.joined(separator: ", ") + (more > 0 ? ", \(NumberFormat.count(more, "more type"))" : "") + "."
    }
}
