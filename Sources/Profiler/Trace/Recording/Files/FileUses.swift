import GameprofBasics

/// What the program did with files, sockets and pipes.
public struct FileUses: Sendable {
    /// Calls of one kind on one file by one stack.
    public struct Key: Hashable, Sendable {
        public var file: FileID
        public var stack: StackID
        public var operation: FileUseRecord.Operation
    }

    /// Sums over calls.
    public struct Tally: Hashable, Sendable {
        public var calls: UInt64 = 0
        public var failures: UInt64 = 0
        /// Of the failures: no descriptor was left.
        public var exhausted: UInt64 = 0
        public var bytes: UInt64 = 0
        public var nanoseconds: UInt64 = 0
        public var longest: UInt64 = 0

        public init() {}

        public mutating func add(_ other: Tally) {
            calls.add(clamping: other.calls)
            failures.add(clamping: other.failures)
            exhausted.add(clamping: other.exhausted)
            bytes.add(clamping: other.bytes)
            nanoseconds.add(clamping: other.nanoseconds)
            longest = max(longest, other.longest)
        }
    }

    public private(set) var names: [FileID: FileNameRecord] = [:]
    public private(set) var tallies: [Key: Tally] = [:]
    /// How many open sockets got the name with a peer, less those that had it and got another.
    public private(set) var renamed: [FileID: Int64] = [:]
    /// For how many nanoseconds the descriptors of a file that were closed had been open, all together; of older traces: nothing.
    public private(set) var lifetimes: [FileID: UInt64] = [:]
    /// Descriptors that were open at the end, in the order of the trace.
    public private(set) var open: [OpenFileRecord] = []
    /// Reads and writes by the moment, in nanoseconds since recording began, at which the recorder had counted them.
    public private(set) var transfers: [UInt64: Tally] = [:]

    public var isEmpty: Bool { tallies.isEmpty && open.isEmpty }

    private static let momentWidth: UInt64 = 1_000_000

    mutating func add(_ record: TraceRecord.File) {
        switch record {
        case .name(let name): names[name.id] = name
        // After a crash that the program survived.
        case .open(let file) where file.file.rawValue == 0: open = []
        case .open(let file): open.append(file)
        case .renamed(let from, let to, let count):
            let count = Int64(clamping: count)
            renamed[from, default: 0].add(clamping: -count)
            renamed[to, default: 0].add(clamping: count)
        case .use(let use):
            var tally = Tally()
            tally.calls = use.calls
            tally.failures = UInt64(use.failures)
            tally.exhausted = UInt64(use.exhausted)
            if use.operation == .close {
                if use.bytes > 0 { lifetimes[use.file, default: 0].add(clamping: use.bytes) }
            } else {
                tally.bytes = use.bytes
            }
            tally.nanoseconds = use.nanoseconds
            tally.longest = use.longest
            tallies[Key(file: use.file, stack: use.stack, operation: use.operation), default: Tally()].add(tally)
            if use.operation == .read || use.operation == .write {
                transfers[use.time / Self.momentWidth * Self.momentWidth, default: Tally()].add(tally)
            }
        }
    }
}
