/// What changed between the allocations of two recordings, type by type.
public struct TypeComparison: Sendable {
    /// A type of either recording.
    public struct Row: Codable, Hashable, Sendable {
        public var type: String
        public var before: Report.Counts
        public var after: Report.Counts

        /// Bytes allocated more (positive) or less.
        public var bytes: Int64 { Int64(clamping: after.bytes) - Int64(clamping: before.bytes) }
        /// Blocks allocated more or less.
        public var allocations: Int64 { Int64(clamping: after.allocations) - Int64(clamping: before.allocations) }
    }

    /// Those whose bytes changed most first; what did not change is left out.
    public var rows: [Row]

    public init(before: Recording, after: Recording) {
        var rows: [String: Row] = [:]
        func add(_ recording: Recording, _ side: WritableKeyPath<Row, Report.Counts>) {
            for entry in recording.allocations.byType {
                let name = AllocationRows.name(entry.type, in: recording)
                var row = rows[name] ?? Row(type: name, before: Report.Counts(), after: Report.Counts())
                row[keyPath: side].add(Report.Counts(entry.counts))
                rows[name] = row
            }
        }
        add(before, \.before)
        add(after, \.after)
        self.rows = rows.values.filter { $0.before != $0.after }.sorted {
            let (first, second) = ($0.bytes.magnitude, $1.bytes.magnitude)
            return first != second ? first > second : $0.type < $1.type
        }
    }
}

extension Report.Counts {
    /// Peaks of different groups are added too: the sum is an upper bound.
    fileprivate mutating func add(_ other: Report.Counts) {
        allocations &+= other.allocations
        frees &+= other.frees
        bytes &+= other.bytes
        liveCount &+= other.liveCount
        liveBytes &+= other.liveBytes
        peakBytes &+= other.peakBytes
        temporary &+= other.temporary
    }
}
