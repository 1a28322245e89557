import CTraceFormat
import Foundation

/// The memory that a program must be allowed to use for a recorder to fit in beside it.
package enum LeastMemory {
    /// What the recorder says of a program that is allowed less, as the end of a sentence.
    package static let shortage = GP_SHORT_OF_MEMORY

    /// Whether this process, and what it starts, is allowed less (`ulimit -d`, `ulimit -v`).
    package static var isMissing: Bool {
        [RLIMIT_AS, RLIMIT_DATA].contains { resource in
            var limit = rlimit()
            return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
                && limit.rlim_cur < rlim_t(GP_LEAST_MEMORY)
        }
    }
}
