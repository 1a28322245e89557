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
    private let reached: Reachability
    /// Around the closure of a task, one in the other.
    private static let mostThunks = 6

    /// - Parameters:
    ///   - heap: all blocks of the graph.
    ///   - threads: with their thread pointers.
    ///   - ranges: memory outside of the heap that was searched for words.
    ///   - stale: blocks that hold nothing.
    ///   - isWhole: all memory that may hold words of the program was read.
    init(
        _ graph: BlockGraph, _ heap: LiveHeap, _ reached: Reachability, _ threads: [(thread: UInt32, pointer: UInt64)],
        _ ranges: [Range<UInt64>], stale: Set<Int>, isWhole: Bool
    ) {
        (self.graph, self.heap, self.reached) = (graph, heap, reached)
        find()
        describe(RunningTasks(graph.memory, tasks.filter(\.isRunning).map(\.address), threads))
        var holders = ContinuationHolders(graph, heap, reached, tasks, stale: stale)
        let waiting = tasks.indices.filter { if case .continuation = list.tasks[$0].status { true } else { false } }
        for (task, holder) in holders.find(waiting, ranges) {
            list.tasks[task].status = .continuation(holder == .nobody && !isWhole ? .unknown : holder)
        }
        markThoseThatNeverResume()
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
            return
        }
        positions[address] = tasks.count
        tasks.append(task)
        var facts = TaskFacts(id: task.id)
        (facts.name, facts.isCancelled, facts.isAsyncLet) = (task.name, task.isCancelled, task.isAsyncLet)
        // A task in its parent's memory has no block, nor a stack, of its own.
        facts.allocation = task.isAsyncLet ? .none : stack
        list.tasks.append(facts)
    }

    // MARK: - What they wait for

    private mutating func describe(_ threads: RunningTasks) {
        for (position, task) in tasks.enumerated() {
            list.tasks[position].parent = task.parent.flatMap { positions[$0] }
            list.tasks[position].status = status(of: task, threads)
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

    /// Those that nothing reaches, and those that wait for these alone, or for each other. Every task that waits for a task or a group is
    /// assumed never to resume; the loop takes this back where what it waits for goes on (greatest fixed point). Where only objects are
    /// known, nothing is said.
    private mutating func markThoseThatNeverResume() {
        guard graph.blocks.scanned == nil else { return }
        var isLost: [Bool] = []
        for (position, task) in tasks.enumerated() {
            let status = list.tasks[position].status
            switch status {
            case .task, .group, .continuation:
                let isUnreached = graph.blocks.inside(task.address).map { !reached.contains($0) } ?? false
                isLost.append(isUnreached || status == .continuation(.nobody))
                if case .continuation = status {
                    list.tasks[position].neverResumes = isLost[position]
                } else {
                    list.tasks[position].neverResumes = true
                }
            case .running, .ready, .executor, .unknown: isLost.append(false)
            }
        }
        var isChanged = true
        while isChanged {
            isChanged = false
            for position in tasks.indices
            where list.tasks[position].neverResumes && !isLost[position] && !waitsInVain(position) {
                list.tasks[position].neverResumes = false
                isChanged = true
            }
        }
    }

    private func waitsInVain(_ position: Int) -> Bool {
        switch list.tasks[position].status {
        case .task(let other?): return list.tasks[other].neverResumes
        case .group(let unfinished):
            guard unfinished > 0, case .group(let group) = tasks[position].dependency else { return false }
            let children = tasks[position].children(ofGroup: group)
            return children.allSatisfy { positions[$0].map { list.tasks[$0].neverResumes } ?? false }
        default: return false
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

    /// A thread's variables lie below its control block on x86-64.
    private static let variableBytes: UInt64 = 4096

    /// - Parameter known: threads with their thread pointers.
    init(_ memory: MemoryImage, _ tasks: [UInt64], _ known: [(thread: UInt32, pointer: UInt64)]) {
        guard memory.machine == 62, !tasks.isEmpty else { return }
        let wanted = Set(tasks)
        for (thread, end) in known {
            guard end & 7 == 0, end > Self.variableBytes else { continue }
            for place in stride(from: end - Self.variableBytes, to: end, by: 8) {
                guard let word = memory.word(place), wanted.contains(word) else { continue }
                threads[word, default: []].insert(thread)
            }
        }
    }

    /// Nil where none, or more than one, names it in a variable.
    func thread(of task: UInt64) -> ThreadID? {
        guard let found = threads[task], found.count == 1, let thread = found.first else { return nil }
        return ThreadID(rawValue: thread)
    }
}
