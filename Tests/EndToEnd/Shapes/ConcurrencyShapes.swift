extension ShapeCase {
    static let concurrency: [ShapeCase] = [
        ShapeCase(.concurrency, "main-actor", .cycle(["Screen.handler → Screen"])),
        ShapeCase(.concurrency, "actor-cycle", .cycle(["Counter.partner → Counter"])),
        ShapeCase(.concurrency, "actor-and-class", .cycle(["Counter.part → ActorPart", "ActorPart.actor → Counter"])),
        ShapeCase(.concurrency, "lost-continuation", .errorNaming("Listener")),
        ShapeCase(.concurrency, "kept-continuation", .cycle(["Desk.waiting[…][…] → Desk"])),
        ShapeCase(.concurrency, "task-for-nobody", .lostObject("task")),
        ShapeCase(.concurrency, "lost-consumer", .errorNaming("Listener")),
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
