/// A profile of pprof as a store gets it.
package struct StoredProfile: Sendable {
    /// What its figures are of: stores list profiles by that.
    package enum Subject: Sendable {
        case memory, cpuTime
    }

    package var subject: Subject
    package var pprof: [UInt8]
    /// In nanoseconds since 1970.
    package var begun: UInt64
    package var ended: UInt64

    package init(_ subject: Subject, pprof: [UInt8], begun: UInt64, ended: UInt64) {
        (self.subject, self.pprof, self.begun, self.ended) = (subject, pprof, begun, ended)
    }
}
