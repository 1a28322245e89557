#if Recording
internal import CCapture
internal import Synchronization

extension Instrumentation {
    /// An object that was expected to be deallocated and is still live.
    public struct Finding: Sendable, CustomStringConvertible {
        /// Of the object, with its module.
        public let type: String
        /// Where it was expected to be deallocated.
        public let file: String
        /// From 1.
        public let line: UInt32

        public var description: String {
            "\(type) was expected to be deallocated at \(file):\(line) and is still live"
        }
    }

    /// Calls `handler` after each `snapshot(_:)`, on its thread, once for each expectation that is not met; nil: no more.
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

    /// Reports the expectations that are not met now.
    static func report() {
        guard let handler = handler.withLock({ $0 }) else { return }
        var unmet = [gp_unmet_expectation](repeating: gp_unmet_expectation(), count: limit)
        let count = gp_unmet_expectations(&unmet, limit)
        for one in unmet.prefix(count) {
            let type = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { name in
                gp_class_name(one.metadata, name.baseAddress, name.count) > 0
                    ? name.baseAddress.map { String(cString: $0) } ?? "object" : "object"
            }
            handler(Self(type: type, file: one.file.map { String(cString: $0) } ?? "", line: one.line))
        }
    }
}
#endif
