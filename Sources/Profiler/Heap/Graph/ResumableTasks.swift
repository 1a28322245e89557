/// Which waiting tasks can be resumed: the least set in which each task is led to by what lives without the others. What a waiting task
/// holds in its own memory lives only when the task is in the set. Linear in what the tasks hold and in the words that name them.
struct ResumableTasks {
    /// What lets one task go on, as numbers of blocks and positions of tasks.
    struct Wait {
        /// The task's own memory; it may share a block with others.
        var memory: [Int] = []
        /// Blocks that name the task in a way by which it can be resumed.
        var names: Set<Int> = []
        /// Tasks one of which has to end.
        var awaited: [Int] = []
        /// Blocks that hold handles of the task: they keep it, and do not resume it.
        var handles: Set<Int> = []
        /// Something outside of the heap can resume it.
        var isFree = false
    }

    /// By position; nil: the task does not wait.
    private let waits: [Wait?]
    /// By block of their memory: waiting tasks.
    private var owners: [Int: [Int]] = [:]
    /// By task: those that wait for it.
    private var waiters: [Int: [Int]] = [:]
    /// By block: the tasks that it names, and those of which it holds handles.
    private var named: [Int: [Int]] = [:]
    private var handled: [Int: [Int]] = [:]
    private var isResumable: [Bool]
    private let isReached: (Int) -> Bool
    private let expand: ([Int]) -> [Int]

    /// - Parameters:
    ///   - waits: by position in the list of all tasks.
    ///   - isReached: whether a block lives, if it is not the memory of a waiting task.
    ///   - expand: makes live what the blocks hold, and returns the blocks that they name and all that this reaches anew.
    init(_ waits: [Wait?], isReached: @escaping (Int) -> Bool, expand: @escaping ([Int]) -> [Int]) {
        (self.waits, self.isReached, self.expand) = (waits, isReached, expand)
        isResumable = waits.map { $0 == nil }
        for (position, wait) in waits.enumerated() {
            guard let wait else { continue }
            for block in wait.memory { owners[block, default: []].append(position) }
            for task in wait.awaited { waiters[task, default: []].append(position) }
            for block in wait.names { named[block, default: []].append(position) }
            for block in wait.handles { handled[block, default: []].append(position) }
        }
        resumeAll()
    }

    /// The tasks that nothing can resume, in ascending order.
    var stuck: [Int] { isResumable.indices.filter { !isResumable[$0] } }

    private func lives(_ block: Int) -> Bool {
        owners[block].map { $0.contains { isResumable[$0] } } ?? isReached(block)
    }

    /// Resumes the tasks of which this can be done now: again after more blocks were reached.
    mutating func resumeAll() {
        resume(
            stuck.filter { position in
                guard let wait = waits[position] else { return false }
                return wait.isFree || wait.names.contains(where: lives)
                    || wait.awaited.contains { isResumable[$0] }
            })
    }

    /// Resumes tasks, and those that they lead to.
    mutating func resume(_ tasks: [Int]) {
        var open = tasks
        while let task = open.popLast() {
            guard !isResumable[task], let wait = waits[task] else { continue }
            isResumable[task] = true
            open += waiters[task] ?? []
            for block in wait.memory + expand(wait.memory).filter({ owners[$0] == nil }) {
                // A block lives once.
                open += named.removeValue(forKey: block) ?? []
            }
        }
    }

    /// The tasks that nothing can resume and that nothing keeps either, no handle and no other task that is kept. What those hold lives
    /// from now on.
    func lost() -> [Int] {
        let stuck = stuck
        var isHeld: Set<Int> = []
        var open = stuck.filter { waits[$0]?.handles.contains(where: lives) == true }
        while let task = open.popLast() {
            guard !isResumable[task], isHeld.insert(task).inserted, let wait = waits[task] else { continue }
            let blocks = wait.memory + expand(wait.memory)
            open += blocks.flatMap { (handled[$0] ?? []) + (owners[$0] ?? []) }
        }
        return stuck.filter { !isHeld.contains($0) }
    }
}
