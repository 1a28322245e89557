import GameprofBasics

extension ComparisonReport {
    /// A number of each recording as a whole.
    public struct Figure: Codable, Hashable, Sendable {
        /// What it counts.
        public enum Name: String, Codable, Hashable, Sendable, CaseIterable {
            /// CPU time.
            case time
            /// Bytes that live at the end.
            case live
            /// The most bytes that lived at once.
            case peak
            /// Blocks.
            case allocations
            /// Bytes that were allocated.
            case bytes
            /// Blocks that their thread freed before it allocated another.
            case temporary
        }

        public var name: Name
        public var unit: MeasureUnit
        public var change: Change
        /// The difference is no more than one run of the same program may differ from another.
        public var isNoise: Bool = true
        /// True: one run each says nothing of it, so that it is not compared. Absent otherwise.
        public var isSingleRun: Bool?
    }

    /// How long the frames of a loop took, or an interval. Times in nanoseconds.
    public struct DurationRow: Codable, Hashable, Sendable {
        public var name: String
        public var count: Change
        public var total: Change
        public var p50: Change
        public var p95: Change
        public var p99: Change
        public var max: Change
        /// Frames of a loop whose work took longer than its budget before; absent for intervals.
        public var overBudget: Change?
        public var budgetNanoseconds: UInt64?
        /// Allocations in the median frame of a loop; absent for intervals.
        public var allocations: Change?
        /// One run of the same program may differ from another by as much.
        public var isNoise: Bool
    }

    /// An error or a warning of either recording.
    public struct FindingRow: Codable, Hashable, Sendable {
        public var kind: Finding.Kind
        /// The worse of the two.
        public var severity: Finding.Severity
        public var title: String
        public var signature: String
        /// Instances; none before: it is new, none after: it is gone.
        public var count: Change
        public var bytes: Change

        package init(kind: Finding.Kind, severity: Finding.Severity, title: String, signature: String) {
            self.kind = kind
            self.severity = severity
            self.title = title
            self.signature = signature
            count = Change()
            bytes = Change()
        }
    }
}
