import GameprofBasics
import GameprofTrace

/// What to change about a use of a dead object.
enum ZombieRemedy {
    /// `release`: the user's function that made the last release; `user`: the one that used the object; `owners`: nil: not known.
    static func choose(
        _ operation: Finding.Operation, record: ZombieRecord, type: String, release: Finding.Site, user: String?,
        owners: LivingOwners?
    ) -> Finding.Remedy {
        if let owners, owners.count > 0 {
            return .releaseOnce(heldBy: owners.nearest, lastRelease: release, again: nil)
        }
        if operation == .unownedLoad { return .weakenUnowned(type: type) }
        if record.access == .written, !record.type.isNone { return .guardType(type, lastRelease: release) }
        if record.type.isNone { return .freeOnce(lastRelease: release) }
        // Who releases has had a reference.
        if operation == .release { return .releaseOnce(heldBy: nil, lastRelease: release, again: user ?? "the use") }
        return .holdWhileUsed(type: type, lastRelease: release)
    }
}
