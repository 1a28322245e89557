import GameprofBasics
import GameprofTrace

/// What to change about a use of a dead object.
enum ZombieRemedy {
    /// `freed`: the stack of the last release; `release`: the user's function in it.
    static func choose(
        _ operation: Finding.Operation, record: ZombieRecord, type: String, freed: SymbolicatedStack,
        release: Finding.Site
    ) -> Finding.Remedy {
        if operation == .unownedLoad { return .weakenUnowned(type: type) }
        if record.access == .written, !record.type.isNone { return .guardType(type, lastRelease: release) }
        if record.type.isNone { return .freeOnce(lastRelease: release) }
        // A release by hand is the one to look at.
        if freed.frames.prefix(8).contains(where: { FunctionName.isManualRelease($0.function) }) {
            return .releaseOwnedOnly(type: type, by: release)
        }
        return .holdWhileUsed(type: type, lastRelease: release)
    }
}
