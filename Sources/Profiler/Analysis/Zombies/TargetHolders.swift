import GameprofBasics
import GameprofTrace

/// What refers to the object for whose use, or escape, the program ended.
struct TargetHolders {
    let recording: Recording
    let symbolicator: any Symbolicating

    /// The first sound snapshot that lists an object for such a reason.
    func target(_ cause: HeapTarget.Cause) -> (snapshot: HeapSnapshot, object: HeapObject)? {
        for snapshot in recording.heapSnapshots where snapshot.unsoundReason == nil {
            guard let target = snapshot.targets.first(where: { $0.cause == cause }),
                let object = snapshot.object(target.object)
            else { continue }
            return (snapshot, object)
        }
        return nil
    }

    /// The path from a root, and what of it has the reference; that is nil where it has no name in the sources.
    func path(to object: HeapObject, in snapshot: HeapSnapshot) -> (path: [String], holder: String?) {
        let names = RootNames(
            symbolicator: symbolicator, threads: recording.threadNames,
            main: ThreadID(UInt32(clamping: recording.program?.pid ?? 0)))
        let analysis = HeapAnalysis(snapshot: snapshot, types: recording.types, rootNames: names)
        let path = analysis.holders(ofObjectAt: object.address)
        let way = analysis.way(toObjectAt: object.address, instances: 1, bytes: object.size)
        guard path.count > 2 || way?.root.kind == .global else { return (path, nil) }
        return (path, path.dropLast().last?.replacing("[…]", with: ""))
    }

    /// What living memory still has of a zombie's owners; nil: not known.
    func owners(of zombie: ZombieRecord) -> LivingOwners? {
        guard let (found, object) = target(.dead), object.address == zombie.object else { return nil }
        var snapshot = found
        let type = recording.types.name(zombie.type)
        // What a deinit that runs has released stands in its object still.
        let ended = Set(snapshot.objects.lazy.filter { $0.flags.contains(.deinited) }.map(\.id))
        let mayBeHeld =
            snapshot.roots.contains {
                $0.object == object.id && [.global, .threadLocal, .mapped].contains($0.kind)
                    && !isVariable($0, of: type)
            }
            || snapshot.references.contains {
                $0.to == object.id && $0.from != object.id && $0.ownership == .conservative && !ended.contains($0.from)
            }
        snapshot.references.removeAll {
            $0.to == object.id && ($0.ownership != .strong || $0.from == object.id || ended.contains($0.from))
        }
        snapshot.roots.removeAll { $0.object == object.id && !isVariable($0, of: type) }
        let references = snapshot.references.count { $0.to == object.id }
        let variables = Set(snapshot.roots.filter { $0.object == object.id }.map(\.address)).count
        guard references + variables > 0 else {
            return mayBeHeld ? nil : LivingOwners(count: 0, path: [], nearest: nil)
        }
        let (path, holder) = path(to: object, in: snapshot)
        return LivingOwners(count: references + variables, path: path, nearest: holder)
    }

    /// A global or static variable that holds an object of the class.
    private func isVariable(_ root: HeapRoot, of type: String) -> Bool {
        guard root.kind == .global, let found = symbolicator.variable(at: root.address)?.type else { return false }
        return ["\(type)", "\(type)?"].contains(TypeSugar.sugared(found))
    }
}

/// The strong references of living memory to an object that was deallocated all the same.
struct LivingOwners: Hashable {
    var count: Int
    /// From a root to the object by the nearest of them.
    var path: [String]
    /// The nearest, a property or a variable; nil: it has no name in the sources.
    var nearest: String?
}
