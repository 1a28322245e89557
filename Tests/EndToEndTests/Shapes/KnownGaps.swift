/// What the tool does not tell, or not in full, and why. It never says anything wrong instead.
struct KnownGap: Sendable, CustomStringConvertible {
    /// What is said at best.
    var shape: ShapeCase
    /// Whether it may be missed altogether.
    var mayMiss = false
    var reason: String

    var description: String { shape.description }

    private static let shownByWorker =
        "the stack of a waiting worker thread still shows it, and what another thread shows is not judged by its counts"

    static let all = [
        KnownGap(
            shape: ShapeCase(
                .fields, "noncopyable", .cycle(["NoncopyableOwner.holder → Part", "Part.owner → NoncopyableOwner"])),
            reason: "the fields inside a noncopyable struct are not decoded: holder.part"),
        KnownGap(
            shape: ShapeCase(
                .existentials, "parameterised",
                .cycle(["ParameterisedOwner.boxed → Part", "Part.owner → ParameterisedOwner"])),
            reason: "the container of `any P<T>` is scanned as words, not decoded: boxed.content"),
        KnownGap(
            shape: ShapeCase(.concurrency, "actor-cycle", .cycle(["Counter.partner → Counter"])), mayMiss: true,
            reason: shownByWorker),
        KnownGap(
            shape: ShapeCase(
                .concurrency, "actor-and-class", .cycle(["Counter.part → ActorPart", "ActorPart.actor → Counter"])),
            mayMiss: true, reason: shownByWorker),
        KnownGap(
            shape: ShapeCase(.concurrency, "lost-continuation", .errorNaming("Listener")), mayMiss: true,
            reason: shownByWorker),
        KnownGap(
            shape: ShapeCase(.concurrency, "lost-consumer", .errorNaming("Listener")), mayMiss: true,
            reason: shownByWorker),
    ]
}
