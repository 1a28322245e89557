import GameprofTrace

/// What a task waits for in turn, and who waits for it.
struct TaskChain {
    /// Tasks beyond these are left out.
    static let limit = 100

    /// Positions in the list: each task waits for the next one.
    private(set) var positions: [Int]
    /// Position of the task in the chain for which the last one waits; nil: the chain ends.
    private(set) var ring: Int?

    init(from start: Int, in list: TaskList) {
        positions = [start]
        while positions.count < Self.limit, let next = Self.next(positions[positions.count - 1], list) {
            guard !positions.contains(next) else {
                ring = next
                return
            }
            positions.append(next)
        }
    }

    private static func next(_ position: Int, _ list: TaskList) -> Int? {
        switch list.tasks[position].status {
        case .task(let other): other
        case .executor: list.tasks[position].occupant
        case .group:
            // A child that never resumes comes before one that waits, and that before one that runs.
            list.tasks.indices.filter { isGroupChild($0, of: position, list) }
                .min { rank($0, list) < rank($1, list) }
        case .running, .ready, .continuation, .unknown: nil
        }
    }

    private static func rank(_ position: Int, _ list: TaskList) -> (Int, UInt64) {
        let task = list.tasks[position]
        switch task.status {
        case _ where task.neverResumes: return (0, task.id)
        case .running, .ready: return (2, task.id)
        default: return (1, task.id)
        }
    }

    private static func isGroupChild(_ position: Int, of parent: Int, _ list: TaskList) -> Bool {
        list.tasks[position].parent == parent && !list.tasks[position].isAsyncLet
    }

    /// Positions of those that wait for a task: for its end, or for the actor on which it runs.
    static func waiters(for task: Int, in list: TaskList) -> [Int] {
        list.tasks.indices.filter { position in
            switch list.tasks[position].status {
            case .task(let other): other == task
            case .executor: list.tasks[position].occupant == task
            case .group: isGroupChild(task, of: position, list)
            case .running, .ready, .continuation, .unknown: false
            }
        }
    }
}
