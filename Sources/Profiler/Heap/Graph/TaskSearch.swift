import GameprofBasics
import GameprofTrace

/// Finds the tasks of a heap that have not ended, and what each of them waits for. Linear in the blocks.
struct TaskSearch {
    private let graph: BlockGraph
    private let heap: LiveHeap
    private(set) var list = TaskList()
    private var tasks: [AsyncTask] = []
    /// Positions by address.
    private var positions: [UInt64: Int] = [:]
    private var ended: [AsyncTask] = []
    /// Blocks that nothing but tasks hold which can never resume, and which nothing else keeps: with the memory of these tasks.
    private(set) var lostBlocks: [Int] = []
    /// Around the closure of a task, one in the other.
    private static let mostThunks = 6

    /// - Parameters:
    ///   - heap: all blocks of the graph.
    ///   - threads: with their thread pointers.
    ///   - ranges: memory outside of the heap that was searched for words.
    ///   - stale: blocks that hold nothing.
    ///   - isWhole: all memory that may hold words of the program was read.
    ///   - reach: which blocks the roots reach while some of them hold nothing.
    init(
        _ graph: BlockGraph, _ heap: LiveHeap, _ reached: Reachability, _ threads: [(thread: UInt32, pointer: UInt64)],
        _ ranges: [Range<UInt64>], stale: Set<Int>, isWhole: Bool,
        reach: (_ suspended: [Int]) throws(MemoryImageError) -> Reachability
    ) throws(MemoryImageError) {
        (self.graph, self.heap) = (graph, heap)
        find()
        describe(RunningTasks(graph.memory, tasks.filter(\.isRunning).map(\.address), threads))
        let waiting = tasks.indices.filter { canWaitInVain($0) }
        guard !waiting.isEmpty else { return }
        let queued = tasks.indices.filter { if case .executor = list.tasks[$0].status { true } else { false } }
        var holders = ContinuationHolders(
            graph, heap, reached, tasks, ended: ended, queued: Set(queued), stale: stale)
        holders.find(waiting)
        let known = holders.holders(of: waiting.filter { list.tasks[$0].status == .continuation(.unknown) })
        for (task, holder) in known {
            list.tasks[task].status = .continuation(holder)
            list.tasks[task].continuation = holders.holder(of: task).map { graph.blocks[$0].start } ?? 0
        }
        if graph.blocks.scanned == nil { try markStuck(waiting, holders, ranges, isWhole, reach) }
        for task in known.keys { settleHolder(of: task) }
    }

    // MARK: - Which there are

    private mutating func find() {
        graph.blocks.visitAll { block in
            guard graph.type(of: block)?.kind == .task else { return }
            add(block.start, stack: heap.stacks[block.number])
        }
        // Tasks of `async let` lie in the memory of their parents.
        var next = 0
        while next < tasks.count {
            let stack = list.tasks[next].allocation
            for child in tasks[next].children where positions[child.task] == nil { add(child.task, stack: stack) }
            next += 1
        }
    }

    private mutating func add(_ address: UInt64, stack: StackID) {
        guard positions[address] == nil, let task = AsyncTask(graph.memory, address) else { return }
        if task.hasEnded {
            list.ended += 1
            ended.append(task)
            return
        }
        positions[address] = tasks.count
        tasks.append(task)
        var facts = TaskFacts(id: task.id)
        (facts.name, facts.isCancelled, facts.isAsyncLet) = (task.name, task.isCancelled, task.isAsyncLet)
        facts.address = graph.blocks.inside(address).map { graph.blocks[$0].start } ?? 0
        facts.priority = task.priority
        // A task in its parent's memory has no block, nor a stack, of its own.
        facts.allocation = task.isAsyncLet ? .none : stack
        list.tasks.append(facts)
    }

    // MARK: - What they wait for

    private mutating func describe(_ threads: RunningTasks) {
        for (position, task) in tasks.enumerated() {
            list.tasks[position].parent = task.parent.flatMap { positions[$0] }
            list.tasks[position].status = status(of: task, threads)
            if case .executor(_, let executor, _) = list.tasks[position].status {
                list.tasks[position].occupant = threads.task(on: executor).flatMap { positions[$0] }
            }
            list.tasks[position].begin = beginning(of: task)
            noteFinished(task.groupChildren.filter { positions[$0] == nil }, of: position)
            guard !task.isRunning else { continue }
            let frames = task.frames { graph.space.images.isExecutable($0) }
            (list.tasks[position].resume, list.tasks[position].isCutShort) = (frames.resume, !frames.isWhole)
        }
    }

    /// Children of its groups that have ended: a group keeps each until its result is taken.
    private mutating func noteFinished(_ children: [UInt64], of position: Int) {
        guard !children.isEmpty else { return }
        var counts: [StackID: Int] = [:]
        for child in children {
            let stack = graph.blocks.exact(child).map { heap.stacks[$0] } ?? StackID.none
            if !stack.isNone { counts[stack, default: 0] += 1 }
        }
        list.tasks[position].finishedChildren = children.count
        list.tasks[position].finishedStack =
            counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? .none
    }

    /// The code with which the task begins, then that of the closures that it was given.
    private func beginning(of task: AsyncTask) -> [UInt64] {
        guard let first = task.beginning(isCode: graph.space.images.isExecutable) else { return [] }
        var result = [first.code]
        var context = first.closure
        while result.count < Self.mostThunks, let number = graph.blocks.exact(context),
            let type = graph.type(of: graph.blocks[number])
        {
            var next: FoundReference?
            graph.forEachReference(of: graph.blocks[number], type) { reference, _ in
                if let reference, reference.function != 0, next == nil { next = reference }
            }
            guard let next else { break }
            result.append(next.function)
            context = next.target
        }
        return result
    }

    private func status(of task: AsyncTask, _ threads: RunningTasks) -> TaskFacts.Status {
        if task.isRunning { return .running(thread: threads.thread(of: task.address)) }
        switch task.dependency {
        case .executor(0)? where task.isEnqueued: return .ready
        case .executor(let executor)? where task.isEnqueued:
            let block = graph.blocks.exact(executor).map { graph.blocks[$0] }
            let type = block.flatMap { graph.type(of: $0) }
            return .executor(
                type: type.map { graph.types.name($0.id) } ?? "", address: executor,
                isActor: type?.metadata.descriptor?.isActor ?? true)
        case .task(let other)? where !task.isEnqueued: return .task(positions[other])
        case .group(let group)? where !task.isEnqueued:
            return .group(unfinished: task.children(ofGroup: group).count { positions[$0] != nil })
        case .continuation? where !task.isEnqueued: return .continuation(.unknown)
        default: return .unknown
        }
    }

    // MARK: - Which of them wait in vain

    /// Whether nothing may ever come of what a task waits for. The runtime runs what is in the queues of its own executors and actors;
    /// a library's executor is taken to do so.
    private func canWaitInVain(_ position: Int) -> Bool {
        switch list.tasks[position].status {
        case .task, .group, .continuation: true
        case .executor(let type, let address, _): TypeName.isUsers(type) && !isDefaultActor(address)
        case .running, .ready, .unknown: false
        }
    }

    private func isDefaultActor(_ address: UInt64) -> Bool {
        let block = graph.blocks.exact(address).map { graph.blocks[$0] }
        return block.flatMap { graph.type(of: $0) }?.metadata.descriptor?.isDefaultActor ?? true
    }

    /// Marks the tasks that nothing can resume: nothing reaches what would do so, but for tasks of which the same is true.
    private mutating func markStuck(
        _ waiting: [Int], _ holders: ContinuationHolders, _ ranges: [Range<UInt64>], _ isWhole: Bool,
        _ reach: (_ suspended: [Int]) throws(MemoryImageError) -> Reachability
    ) throws(MemoryImageError) {
        var waits = [ResumableTasks.Wait?](repeating: nil, count: tasks.count)
        for task in waiting { waits[task] = wait(of: task, holders, isWhole) }
        let memory = Set(waits.lazy.compactMap { $0?.memory }.joined())
        let exact = try reach(memory.sorted())
        let others = tasks.indices.filter { waits[$0] == nil && holders.isReached($0) }
        _ = exact.expand(others.flatMap(holders.memory))
        if isWhole { noteKept(waits.map { $0?.memory ?? [] }, besides: exact) }
        var resumable = ResumableTasks(waits, isReached: exact.contains, expand: exact.expand)
        // What is reached then may name more in other ways than by a word.
        var count = -1
        while count != resumable.stuck.count, !resumable.stuck.isEmpty {
            count = resumable.stuck.count
            exact.markUntold(in: ranges)
            resumable.resumeAll()
            let named = resumable.stuck.filter { !waitsForTasks($0) && holders.isReached($0) }
            resumable.resume(holders.encoded(named, ranges))
        }
        for task in resumable.stuck { list.tasks[task].neverResumes = true }
        let lost = Set(resumable.lost())
        guard isWhole, !lost.isEmpty else { return }
        let kept = Set(waits.indices.lazy.filter { !lost.contains($0) }.flatMap { waits[$0]?.memory ?? [] })
        lostBlocks = led(from: Set(lost.flatMap { waits[$0]?.memory ?? [] }).subtracting(kept), besides: exact)
    }

    /// Gives each task the bytes of the blocks to which it alone leads. What names another task does not keep what that one has. A block
    /// is visited for its first task, and once more when another leads to it.
    private mutating func noteKept(_ memory: [[Int]], besides reached: Reachability) {
        let (own, shared) = (Set(memory.joined()), tasks.count)
        var owners: [Int: Int] = [:]
        for (task, blocks) in memory.enumerated() {
            // A task of `async let` lies in its parent's memory, and the parent comes first.
            var open = blocks.filter { owners[$0] == nil }.map { (block: $0, owner: task) }
            while let (block, owner) = open.popLast() {
                let known = owners[block]
                guard known == nil || known != owner && known != shared else { continue }
                let owner = known == nil ? owner : shared
                owners[block] = owner
                graph.forEachHeld(by: graph.blocks[block], graph.type(of: graph.blocks[block])) {
                    if !reached.contains($0), !own.contains($0) { open.append(($0, owner)) }
                }
            }
        }
        for (block, owner) in owners where owner != shared { list.tasks[owner].keptBytes &+= graph.blocks[block].size }
    }

    private func wait(of task: Int, _ holders: ContinuationHolders, _ isWhole: Bool) -> ResumableTasks.Wait {
        var wait = holders.wait(of: task, isNamed: !waitsForTasks(task))
        guard holders.isReached(task) else {
            (wait.names, wait.isFree) = ([], false)
            return wait
        }
        switch list.tasks[task].status {
        case .task(let other): (wait.awaited, wait.isFree) = (other.map { [$0] } ?? [], other == nil)
        case .group(let unfinished):
            guard case .group(let group) = tasks[task].dependency else { break }
            let children = tasks[task].children(ofGroup: group).map { positions[$0] }
            wait.awaited = children.compactMap(\.self)
            wait.isFree = unfinished == 0 || children.contains(nil)
        default:
            // A child that goes on may use the memory of its parent.
            wait.awaited = tasks[task].children.compactMap { positions[$0.task] }.filter { list.tasks[$0].isAsyncLet }
            wait.isFree = wait.isFree || !isWhole
        }
        return wait
    }

    private func waitsForTasks(_ task: Int) -> Bool {
        switch list.tasks[task].status {
        case .task, .group: true
        default: false
        }
    }

    /// The blocks and what they lead to, as far as nothing else reaches it.
    private func led(from blocks: Set<Int>, besides reached: Reachability) -> [Int] {
        var (open, seen) = (Array(blocks), blocks)
        while let block = open.popLast().map({ graph.blocks[$0] }) {
            graph.forEachHeld(by: block, graph.type(of: block)) {
                if !reached.contains($0), seen.insert($0).inserted { open.append($0) }
            }
        }
        return seen.sorted()
    }

    /// A continuation of a task that can never resume may still be held by an object that the task alone holds.
    private mutating func settleHolder(of task: Int) {
        switch list.tasks[task].status {
        case .continuation(.property): break
        case .continuation where list.tasks[task].neverResumes: list.tasks[task].status = .continuation(.nobody)
        case .continuation(.nobody): list.tasks[task].status = .continuation(.unknown)
        default: break
        }
    }
}

extension MemoryImage {
    /// Of x86-64, where the base of the segment fs is a register.
    var threadPointers: [(thread: UInt32, pointer: UInt64)] {
        guard machine == 62 else { return [] }
        return threads.compactMap { $0.registers.count > 21 ? ($0.id, $0.registers[21]) : nil }
    }
}

/// On which threads tasks run.
struct RunningTasks {
    private var threads: [UInt64: Set<UInt32>] = [:]
    /// Tasks by the executors on which they run.
    private var executors: [UInt64: Set<UInt64>] = [:]

    /// A thread's variables lie below its control block on x86-64.
    private static let variableBytes: UInt64 = 4096
    /// Where `ExecutorTrackingInfo` (swift/stdlib/public/Concurrency/Actor.cpp) names the one around it.
    private static let outerOffset: UInt64 = 40

    /// - Parameter known: threads with their thread pointers.
    init(_ memory: MemoryImage, _ tasks: [UInt64], _ known: [(thread: UInt32, pointer: UInt64)]) {
        guard memory.machine == 62, !tasks.isEmpty else { return }
        let wanted = Set(tasks)
        for (thread, end) in known {
            guard end & 7 == 0, end > Self.variableBytes else { continue }
            let words = stride(from: end - Self.variableBytes, to: end, by: 8).compactMap(memory.word)
            let own = Set(words.filter(wanted.contains))
            for task in own { threads[task, default: []].insert(thread) }
            guard own.count == 1, let task = own.first else { continue }
            // One of the variables names a record on the stack, which begins with the executor.
            for word in words where word & 7 == 0 && memory.word(word &+ Self.outerOffset).map({ $0 & 7 == 0 }) == true
            {
                if let executor = memory.word(word), executor != 0 { executors[executor, default: []].insert(task) }
            }
        }
    }

    /// Nil where none is known to run on the executor, or more than one.
    func task(on executor: UInt64) -> UInt64? {
        executors[executor].flatMap { $0.count == 1 ? $0.first : nil }
    }

    /// Nil where none, or more than one, names it in a variable.
    func thread(of task: UInt64) -> ThreadID? {
        guard let found = threads[task], found.count == 1, let thread = found.first else { return nil }
        return ThreadID(rawValue: thread)
    }
}
