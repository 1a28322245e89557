import GameprofBasics
import GameprofTrace

/// What the functions with source allocated, and at which lines. What a function without source allocates counts for the
/// line that called it.
struct AllocatingFunctions {
    private static let lineLimit = HotspotSectionBuilder.lineLimit

    private let profile: Profile
    private let bytes: FunctionTotals
    private let allocations: FunctionTotals

    /// `profile`: a sample for each of `rows`, in their order. Linear in rows and nodes.
    init(_ profile: Profile, _ rows: [StackAllocations]) {
        let makers = Self.makers(of: profile)
        var bytes = [UInt64](repeating: 0, count: profile.nodes.count)
        var allocations = bytes
        for (sample, row) in zip(profile.samples, rows) where makers[sample.node.index] > 0 {
            bytes[makers[sample.node.index]] &+= row.counts.bytes
            allocations[makers[sample.node.index]] &+= row.counts.allocations
        }
        self.profile = profile
        self.bytes = FunctionTotals(profile, own: bytes)
        self.allocations = FunctionTotals(profile, own: allocations)
    }

    /// The node at or above each that is at a line of the user's; 0: there is none. Callers come before their callees.
    private static func makers(of profile: Profile) -> [Int] {
        var makers = [Int](repeating: 0, count: profile.nodes.count)
        for index in profile.nodes.indices.dropFirst() {
            let node = profile.nodes[index]
            let frame = profile.frames[node.frame.index]
            let isUsers = frame.line != nil && profile.functions[frame.function.index].origin == .user
            makers[index] = isUsers ? index : makers[node.parent.index]
        }
        return makers
    }

    /// The functions that have source, and how many the list leaves out.
    func rows(limit: Int) -> (rows: [Report.Allocations.FunctionRow], omitted: Int) {
        let lines = (bytes: bytes.linesOfFunctions(profile), counts: allocations.linesOfFunctions(profile))
        let (shown, omitted) = bytes.largest(of: profile, limit: limit) {
            profile.functions[$0].origin == .user && lines.bytes[$0] != nil
        }
        let rows = shown.map { index in
            let function = profile.functions[index]
            let lines = Self.lineRows(lines.bytes[index] ?? [:], lines.counts[index] ?? [:])
            return Report.Allocations.FunctionRow(
                function: function.name, module: function.module, file: function.file, line: lines.first?.line,
                allocations: allocations.functions[index].own, bytes: self.bytes.functions[index].own,
                totalBytes: self.bytes.functions[index].total, lines: lines)
        }
        return (rows, omitted)
    }

    private static func lineRows(
        _ bytes: [Int: FunctionTotals.Times], _ counts: [Int: FunctionTotals.Times]
    ) -> [Report.LineRow] {
        bytes.sorted { ($1.value.own, $1.value.total, $0.key) < ($0.value.own, $0.value.total, $1.key) }
            .prefix(lineLimit)
            .map { line, times in
                var row = Report.LineRow(line: line)
                (row.allocations, row.bytes, row.totalBytes) = (counts[line]?.own ?? 0, times.own, times.total)
                return row
            }
    }
}

extension AllocatingFunctions {
    private struct Key: Hashable {
        var function: String
        var module: String
    }

    /// Adds to the lines of functions by time what they allocated. It stays absent where the lists that were cut may have it.
    static func add(_ allocations: Report.Allocations?, toLinesOf hotspots: inout Report.Hotspots?) {
        guard let functions = allocations?.functions, var rows = hotspots?.functions else { return }
        let known = Dictionary(
            functions.map { (Key(function: $0.function, module: $0.module), $0) },
            uniquingKeysWith: { first, _ in first })
        let isCut = allocations?.omittedFunctions != nil
        for index in rows.indices {
            let row = known[Key(function: rows[index].function, module: rows[index].module)]
            guard row != nil || !isCut else { continue }
            add(row?.lines ?? [], to: &rows[index].lines)
        }
        hotspots?.functions = rows
    }

    private static func add(_ made: [Report.LineRow], to lines: inout [Report.LineRow]) {
        var rest = Dictionary(made.map { ($0.line, $0) }, uniquingKeysWith: { first, _ in first })
        for index in lines.indices {
            let row = rest.removeValue(forKey: lines[index].line)
            guard row != nil || made.count < lineLimit else { continue }
            lines[index].allocations = row?.allocations ?? 0
            lines[index].bytes = row?.bytes ?? 0
            lines[index].totalBytes = row?.totalBytes ?? 0
        }
        guard lines.count < lineLimit else { return }
        lines += made.filter { rest[$0.line] != nil }.map { row in
            var row = row
            (row.own, row.total) = (0, 0)
            return row
        }
    }
}
