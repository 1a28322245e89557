#if Instrumented
internal import CRecorderInterface
internal import Synchronization

extension Instrumentation {
    /// An object that was expected to be deallocated and is still live, or one that was used after its deallocation.
    public struct Finding: Sendable, CustomStringConvertible {
        /// Of the object, with its module.
        public let type: String
        /// Where it was expected to be deallocated; empty for a zombie.
        public let file: String
        /// From 1; 0 for a zombie.
        public let line: UInt32
        /// It was used after its deallocation.
        public let isZombie: Bool

        public var description: String {
            isZombie
                ? "\(type) was used after its deallocation"
                : "\(type) was expected to be deallocated at \(file):\(line) and is still live"
        }
    }

    /// Calls `handler` after each `snapshot(_:)`, on its thread, once for each expectation that is not met; nil: no more. After
    /// each `snapshot(_:)` and `mark(_:)` also once for each object that was used after its deallocation since the last call,
    /// where the program goes on after that: `GAMEPROF_SAMPLE` with `GAMEPROF_GUARD_SAMPLES`, 256 objects in all.
    ///
    /// Leaks are not reported here: which unreachable blocks the program leaked, and which belong to the runtime,
    /// `gameprof report` decides from the whole recording.
    public static func onFinding(_ handler: (@Sendable (Finding) -> Void)?) {
        Finding.handler.withLock { $0 = handler }
    }
}

extension Instrumentation.Finding {
    fileprivate static let handler = Mutex<(@Sendable (Self) -> Void)?>(nil)
    private static let limit = 256
    /// Zombies of which handlers were told.
    private static let told = Mutex(0)

    /// Reports the expectations that are not met now.
    static func report() {
        guard let handler = handler.withLock({ $0 }) else { return }
        var unmet = [gp_unmet_expectation](repeating: gp_unmet_expectation(), count: limit)
        let count = gp_unmet_expectations(&unmet, limit)
        for one in unmet.prefix(count) {
            handler(
                Self(
                    type: name(one.metadata), file: one.file.map { String(cString: $0) } ?? "", line: one.line,
                    isZombie: false))
        }
    }

    /// Reports the objects that were used after their deallocation since the last call.
    static func reportZombies() {
        guard let handler = handler.withLock({ $0 }) else { return }
        var metadata = [UInt64](repeating: 0, count: limit)
        let count = told.withLock { told in
            let count = gp_used_zombies(told, &metadata, limit)
            told += count
            return count
        }
        for one in metadata.prefix(count) { handler(Self(type: name(one), file: "", line: 0, isZombie: true)) }
    }

    private static func name(_ metadata: UInt64) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { name in
            gp_class_name(metadata, name.baseAddress, name.count) > 0
                ? name.baseAddress.map { String(cString: $0) } ?? "object" : "object"
        }
    }
}
#endif
