import GameprofBasics
import GameprofTrace

/// What the recorder says of the limits of a process's memory (`GP_ENVIRONMENT`).
enum MemoryLimits {
    /// Nil: an older recorder did not look.
    static func of(_ facts: [String: String]) -> Report.Footprint.Limits? {
        func number(_ name: String) -> UInt64? { facts["limit." + name].flatMap(UInt64.init) }
        var limits = Report.Footprint.Limits()
        limits.addressSpace = number("address-space")
        limits.data = number("data")
        limits.group = number("group")
        limits.groupHigh = number("group-high")
        limits.overcommit = number("overcommit").flatMap { Int(exactly: $0) }
        return limits == Report.Footprint.Limits() ? nil : limits
    }

    /// Whether it is a fact of the process's memory, and not of the machine.
    static func isOne(_ fact: String) -> Bool { fact.hasPrefix("limit.") || fact.hasPrefix("fork.") }
}
