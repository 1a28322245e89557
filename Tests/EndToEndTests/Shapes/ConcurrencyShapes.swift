extension ShapeCase {
    static let concurrency: [ShapeCase] = [
        ShapeCase(.concurrency, "main-actor", .cycle(["Screen.handler → Screen"])),
        ShapeCase(.concurrency, "finished-task", .silence),
        ShapeCase(.concurrency, "task-for-ever", .silence),
        ShapeCase(.concurrency, "stream-cycle", .errorNaming("Listener")),
    ]

    static let scheduled: [ShapeCase] = [
        ShapeCase(.scheduled, "work-item", .errorNaming("ItemOwner")),
        ShapeCase(.scheduled, "suspended-timer", .errorNaming("SourceOwner")),
        ShapeCase(.scheduled, "token-in-own-center", .errorNaming("CenterOwner")),
        ShapeCase(.scheduled, "unscheduled-timer", .errorNaming("TimerOwner")),
        ShapeCase(.scheduled, "operation", .errorNaming("OperationOwner")),
        ShapeCase(.scheduled, "completion-block", .errorNaming("SelfCompleting")),
        ShapeCase(.scheduled, "mutable-array", .errorNaming("MutableArrayOwner")),
        ShapeCase(.scheduled, "thread", .errorNaming("ThreadOwner")),
    ]
}
