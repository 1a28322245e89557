import GameprofAnalysis
import GameprofBasics

/// The types of the allocations as people read them: what has no name is called by who made it, a row for each maker.
package enum AllocatedTypes {
    package struct Row: Hashable, Sendable {
        /// `[UInt8]`, `closure in Board.deal(_:) at Board.swift:12`, `memory for Board.load()`
        package var name: String
        /// As the report has it.
        package var type: String
        /// The type has a name of its own.
        package var isNamed: Bool
        package var counts: AllocationCounts
        /// The rows of the report that it is made of.
        package var sources: [Source] = []
    }

    /// A type, or one of its makers.
    package struct Source: Hashable, Sendable {
        /// Index of the type's row.
        package var row: Int
        /// Index of the maker; −1: the type without its makers.
        package var maker: Int
    }

    /// Rows of the same name are one; the most bytes first. The counts of all rows together are those of `types`.
    package static func rows(_ types: [Report.TypeRow], names: ShortNames) -> [Row] {
        var rows: [String: Row] = [:]
        func add(_ name: String, _ type: String, _ counts: AllocationCounts, isNamed: Bool, _ source: Source) {
            var row = rows[name] ?? Row(name: name, type: type, isNamed: isNamed, counts: AllocationCounts())
            row.counts.add(counts)
            row.sources.append(source)
            rows[name] = row
        }
        for (index, row) in types.enumerated() {
            let whole = Source(row: index, maker: -1)
            guard let makers = row.makers else {
                add(names[row.type], row.type, row.counts, isNamed: true, whole)
                continue
            }
            var rest = row.counts
            for (number, maker) in makers.enumerated() {
                let source = Source(row: index, maker: number)
                add(name(of: row.type, maker), row.type, maker.counts, isNamed: false, source)
                rest.subtract(maker.counts)
            }
            if rest.allocations > 0 || rest.atPeakBytes > 0 {
                add("\(noun(row.type)), other", row.type, rest, isNamed: false, whole)
            }
        }
        return rows.values.sorted { ($1.counts.bytes, $0.name) < ($0.counts.bytes, $1.name) }
    }

    private static func name(of type: String, _ maker: Report.Maker) -> String {
        let noun = noun(type)
        if maker.function.isEmpty { return "\(noun) for \(maker.module)" }
        let function = FunctionName.display(maker.function)
        guard type != ObjectNoun.memory.rawValue else { return "\(noun) for \(function)" }
        let place = SourceLocation.short(file: maker.file, line: maker.line)
        return "\(noun) in \(function)" + (place.map { " at \($0)" } ?? "")
    }

    private static func noun(_ type: String) -> String {
        type == ObjectNoun.contextOrVariable.rawValue ? "closure" : type
    }
}

extension AllocationCounts {
    fileprivate mutating func subtract(_ part: AllocationCounts) {
        for path: WritableKeyPath<AllocationCounts, UInt64> in [
            \.allocations, \.frees, \.bytes, \.liveCount, \.liveBytes, \.atPeakBytes, \.temporary,
        ] {
            self[keyPath: path] -= min(self[keyPath: path], part[keyPath: path])
        }
        if let samples = part.sampled { sampled?.subtract(samples) }
    }
}
