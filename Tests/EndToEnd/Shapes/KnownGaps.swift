/// What the tool does not tell, or not in full, and why. It never says anything wrong instead.
struct KnownGap: Sendable, CustomStringConvertible {
    /// What is said at best.
    var shape: ShapeCase
    /// Whether it may be missed altogether.
    var mayMiss = false
    var reason: String

    var description: String { shape.description }

    private static let leftOut =
        "for a field of a noncopyable type the compiler leaves () in the metadata: what lies inside has no name"

    static let all = [
        KnownGap(
            shape: ShapeCase(
                .fields, "noncopyable", .cycle(["NoncopyableOwner.holder → Part", "Part.owner → NoncopyableOwner"])),
            reason: leftOut),
        KnownGap(shape: ShapeCase(.modern, "mutex", .cycle(["LockedOwner.state → LockedOwner"])), reason: leftOut),
        KnownGap(
            shape: ShapeCase(
                .modern, "lazy-reference",
                .cycle(["LazyReferenceOwner.part → Part", "Part.owner → LazyReferenceOwner"])),
            reason: leftOut),
    ]
}
