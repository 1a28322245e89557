import GameprofAnalysis
import GameprofBasics

/// What a loop allocates frame by frame, a row for each type and place in the user's code.
package enum SteadyRows {
    package struct Row {
        /// `[String: Int] ← PuzzleMove.userInfo, PuzzleMove.swift:38`
        package var name: String
        package var allocations: Double
        package var bytes: UInt64
    }

    /// Most bytes first.
    package static func rows(_ loop: Report.FrameLoop, names: ShortNames) -> [Row] {
        let stacks = Dictionary(grouping: loop.steady ?? []) { row in
            names[row.type] + (row.allocatedBy.maker.map { " ← \($0)" } ?? "")
        }
        return stacks.map { name, rows in
            Row(
                name: name, allocations: rows.reduce(0) { $0 + $1.allocationsPerFrame },
                bytes: UInt64(estimating: rows.reduce(0) { $0 + $1.bytesPerFrame }))
        }
        .sorted { ($0.bytes, $1.name) > ($1.bytes, $0.name) }
    }
}
