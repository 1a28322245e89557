import GameprofBasics
import GameprofTrace

/// Answers why tasks do not go on, and what keeps them.
struct TaskWhyBuilder {
    let list: TaskList
    let heap: LiveHeap?
    /// Nil: the graph of the heap is not known.
    let details: HeapDetails?
    /// The report of one task.
    let group: (Int) -> TaskReport.Group

    /// Tasks of one name that are explained.
    private static let answerLimit = 10

    /// - Parameter asked: the runtime's number of a task, or a name.
    func answers(to asked: String, among tasks: [Int]) -> [TaskReport.Why] {
        let id = UInt64(asked)
        let numbered = tasks.filter { list.tasks[$0].id == id }
        let found = numbered.isEmpty ? tasks.filter { list.tasks[$0].name == asked } : numbered
        return found.sorted { list.tasks[$0].id < list.tasks[$1].id }.prefix(Self.answerLimit).map { answer(asked, $0) }
    }

    private func answer(_ asked: String, _ position: Int) -> TaskReport.Why {
        let chain = TaskChain(from: position, in: list)
        let last = chain.positions.count - 1
        var why = TaskReport.Why(
            asked: asked, chain: chain.positions.enumerated().map { step($1, isFirst: $0 == 0, isLast: $0 == last) })
        why.ring = chain.ring.map { list.tasks[$0].id }
        let waiters = TaskChain.waiters(for: position, in: list)
        why.waiters = waiters.prefix(TaskChain.limit).map(alone)
        why.waitersOmitted = waiters.count > TaskChain.limit ? waiters.count - TaskChain.limit : nil
        why.retained = details.map { details in
            block(at: list.tasks[position].address).map { details.retained(by: $0) } ?? []
        }
        return why
    }

    private func alone(_ position: Int) -> TaskReport.Group {
        var task = group(position)
        task.parents = []
        return task
    }

    /// Paths are looked for where the chain begins, and to the continuation at its end.
    private func step(_ position: Int, isFirst: Bool, isLast: Bool) -> TaskReport.Step {
        var step = TaskReport.Step(isFirst ? group(position) : alone(position))
        let task = list.tasks[position]
        if isFirst || isLast, !task.neverResumes, let path = path(to: task.continuation) {
            (step.held, step.heldBy) = (.continuation, path)
        } else if isFirst, let path = path(to: task.address) {
            (step.held, step.heldBy) = (.task, path)
        }
        return step
    }

    private func path(to address: UInt64) -> HeldBy? {
        block(at: address).flatMap { details?.heldBy([$0]).first }
    }

    private func block(at address: UInt64) -> UInt32? {
        guard let heap, address != 0 else { return nil }
        let place = partition(0..<heap.count) { heap.addresses[$0] >= address }
        return place < heap.count && heap.addresses[place] == address ? UInt32(place) : nil
    }
}
