extension ShapeCase {
    /// Programs that lose nothing: every claim about them is a false alarm.
    static let trueNegatives: [ShapeCase] =
        silent(
            .weak,
            [
                "delegate", "living-delegate", "unowned-parent", "living-unowned-parent", "dead-weak", "living-weak",
                "side-table", "pinned", "unmanaged-global", "optional-unowned", "unsafe-unowned", "weak-dictionary",
                "unmanaged-field", "only-child",
            ])
        + silent(
            .alive,
            [
                "print", "globals", "existentials", "closures", "spare-bits", "enum-storage", "strings", "slack",
                "unsafe-pointers", "interior", "mapped", "environment", "sleeping-threads", "reading-threads",
                "waiting-threads", "semaphore-threads", "polling-threads", "spinning-threads", "churning-threads",
                "finished-threads", "thread-specific", "many-thread-keys", "thread-dictionary", "own-stack",
                "malloc-stack", "exit-deep", "exit-from-thread", "exit-from-queue", "dispatch-main", "exit-from-task",
                "exit-handlers",
                "registers", "loaded-library", "unloaded-libraries", "handles-of-c", "long-list", "collections",
                "tail-allocated", "iterators", "quick-exit", "exit-forgetting",
            ])
        + silent(
            .concurrency,
            [
                "sleeping", "waiting-at-actor", "stream-consumer", "task-group", "async-let", "task-local",
                "short-tasks", "cancelled", "deep-recursion",
            ])
        + silent(
            .scheduled,
            [
                "resumed-timer", "token-in-default-center", "scheduled-timer", "pending-work", "queued-work",
                "barrier", "living-timer", "operation-queue", "blocked-operations", "concurrent-perform",
                "queue-specific", "notify-group", "dispatch-data",
            ])
        + silent(.foundationTypes, ["everything"])
        + silent(
            .encoded,
            ["bytes", "network-order", "data", "tokens", "halves", "fields", "shifted", "arena", "chain"])
        + silent(.modern, ["living-values", "shared-memory", "game-threads", "pool-workers"])

    private static func silent(_ program: Program, _ arguments: [String]) -> [ShapeCase] {
        arguments.map { ShapeCase(program, $0, .silence) }
    }
}
