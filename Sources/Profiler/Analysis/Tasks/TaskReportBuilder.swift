import GameprofBasics
import GameprofTrace

/// Makes the report of the tasks of a snapshot.
package struct TaskReportBuilder {
    private let list: TaskList
    private let symbolicator: any Symbolicating
    private let stacks: [CallStack]
    private let taken: UInt64

    /// Parents of parents beyond these are left out.
    private static let mostParents = 16
    /// Tasks of which one waits for the other.
    private static let mostAwaited = 2
    private static let mainExecutors: Set = ["DispatchMainExecutor"]

    private static let noMemory =
        "the trace does not hold the memory of the process; gameprof tasks -- PROGRAM and --pid PID look at it"
    private static let noGraph =
        "the trace has no graph of the heap, so that it is not known what holds the task; gameprof heap records one"
    private static let omitted =
        "the heap is large, and the recording did not look at its tasks; gameprof tasks -- PROGRAM and --pid PID do so"

    /// What a report of something else says of the tasks; nil: there is none but those that run, whose stacks stand elsewhere.
    static func section(of recording: Recording, symbolicator: any Symbolicating) -> Report.Tasks? {
        guard let list = recording.heapSnapshots.last(where: { $0.unsoundReason == nil })?.tasks else { return nil }
        var report = TaskReport(executable: "")
        guard !list.isOmitted else {
            var section = Report.Tasks(report)
            section.unexamined = true
            return section
        }
        _ = add(list, symbolicator, to: &report)
        let isQuiet = report.groups.allSatisfy { $0.state.kind == .running } && report.finishedChildren == nil
        return isQuiet ? nil : Report.Tasks(report)
    }

    /// - Parameter asked: a task of which it is asked why it does not go on: the runtime's number, or a name.
    package static func build(
        recording: Recording, symbolicator: any Symbolicating, why asked: String? = nil
    ) -> TaskReport {
        let program = recording.program
        var report = TaskReport(executable: program?.executable ?? "?", process: program.map { Int($0.pid) })
        report.notes = recording.capture.notes
        var named = recording
        ThreadNames.addStarts(to: &named, symbolicator)
        report.crash = CrashSection.crash(of: named, symbolicator: symbolicator)
        report.threads = CrashSection.threads(of: named, symbolicator: symbolicator)
        guard let snapshot = recording.heapSnapshots.last else {
            report.notMeasured = "the memory of the process was not looked at"
            return report
        }
        report.notMeasured = snapshot.unread ?? snapshot.unsoundReason
        guard let list = snapshot.tasks else {
            report.notMeasured = report.notMeasured ?? Self.noMemory
            return report
        }
        if list.isOmitted { report.notMeasured = report.notMeasured ?? omitted }
        let (builder, own) = add(list, symbolicator, at: snapshot.begin.time, to: &report)
        guard let asked else { return report }
        let details = HeapDetails(ofLastIn: recording, symbolicator: symbolicator)
        if details == nil { report.notes.append(noGraph) }
        report.why = TaskWhyBuilder(list: builder.list, heap: snapshot.graph, details: details, group: builder.group)
            .answers(to: asked, among: own)
        return report
    }

    /// - Parameter taken: when the tasks were looked at, in nanoseconds since recording began.
    /// - Returns: also the positions of the tasks that the report counts.
    private static func add(
        _ list: TaskList, _ symbolicator: any Symbolicating, at taken: UInt64 = 0, to report: inout TaskReport
    ) -> (builder: TaskReportBuilder, own: [Int]) {
        let builder = TaskReportBuilder(list, symbolicator, taken)
        let list = builder.list
        let own = list.tasks.indices.filter { !builder.isTimer($0) }
        report.count = own.count
        report.neverResuming = own.count { list.tasks[$0].neverResumes }
        report.ended = list.ended
        report.groups = grouped(own.map(builder.group))
        report.mailboxes = builder.mailboxes(own)
        report.finishedChildren = builder.finishedChildren(own)
        return (builder, own)
    }

    private init(_ list: TaskList, _ symbolicator: any Symbolicating, _ taken: UInt64) {
        (self.symbolicator, self.taken) = (symbolicator, taken)
        symbolicator.prepare(
            stacks: Set(list.tasks.lazy.flatMap { [$0.allocation, $0.finishedStack] }),
            addresses: Set(list.tasks.lazy.flatMap { $0.resume + $0.begin }))
        var known: [[UInt64]: CallStack] = [:]
        stacks = list.tasks.map { task in
            var stack = known[task.resume] ?? AwaitStack.of(task.resume, symbolicator)
            known[task.resume] = stack
            stack.truncated = stack.truncated || task.isCutShort
            return stack
        }
        self.list = UnfinishedGroups.complete(list, stacks)
    }

    // MARK: - One task

    private func group(_ position: Int) -> TaskReport.Group {
        let task = list.tasks[position]
        var group = TaskReport.Group(state: state(position), stack: stacks[position])
        group.neverResumes = task.neverResumes
        group.cancelled = task.isCancelled
        group.priorities = task.priority == 0 ? nil : [TaskPriorityName.text(task.priority)]
        group.retained = task.keptBytes == 0 ? nil : task.keptBytes
        group.parents = parents(of: position)
        group.createdBy = CallStack(symbolicator.stack(task.allocation))
        group.created = task.born.map { born in
            func age(_ time: UInt64) -> Double { Seconds.of(taken - min(time, taken)) }
            return TaskReport.Created(oldest: age(born.lowerBound), newest: age(born.upperBound))
        }
        group.names = task.name.map { [$0] } ?? []
        group.ids = [task.id]
        if stacks[position].frames.isEmpty { group.beginsIn = beginning(position) }
        if case .running(let thread?) = task.status { group.threads = [Int(thread.rawValue)] }
        return group
    }

    /// The function with which it begins; nil: not known. Thunks call the closure that they were given.
    private func beginning(_ position: Int) -> CallStack.Frame? {
        let frames = list.tasks[position].begin.lazy.compactMap { symbolicator.frames(atExact: $0).last }
        guard let frame = frames.first(where: { !$0.function.hasPrefix("thunk for ") }) else { return nil }
        let isLibrarys = SystemModules.all.contains(frame.module)
        return CallStack.Frame(
            function: frame.function, module: frame.module, file: frame.file, line: frame.line,
            origin: isLibrarys ? .library : .user)
    }

    /// Whether the library has made it to end a sleep.
    private func isTimer(_ position: Int) -> Bool {
        guard list.tasks[position].status == .unknown, stacks[position].frames.isEmpty,
            let frame = beginning(position)
        else { return false }
        return SystemModules.runtime.contains(frame.module) && frame.function.contains("sleep")
    }

    private func parents(of position: Int) -> [TaskReport.Parent] {
        var result: [TaskReport.Parent] = []
        var next = list.tasks[position].parent
        while let parent = next, result.count < Self.mostParents {
            result.append(TaskReport.Parent(state: state(parent), stack: stacks[parent]))
            next = list.tasks[parent].parent
        }
        return result
    }

    private func state(_ position: Int, depth: Int = 0) -> TaskReport.State {
        typealias State = TaskReport.State
        switch list.tasks[position].status {
        case .running: return State(.running)
        case .ready: return State(.ready)
        case .unknown: return State(.unknown)
        case .executor(let type, let address, let isActor): return executor(type, address, isActor)
        case .group(let unfinished):
            var state = State(.taskGroup)
            state.unfinished = unfinished
            return state
        case .task(let other):
            var state = State(other.map { list.tasks[$0].isAsyncLet } ?? false ? .asyncLet : .task)
            state.ring = ring(from: position)
            if let other, state.ring == nil, depth < Self.mostAwaited {
                state.awaited = [self.state(other, depth: depth + 1)]
            }
            return state
        case .continuation(let holder):
            if let kind = AwaitStack.libraryWait(stacks[position]) { return State(kind) }
            return continuation(holder)
        }
    }

    /// How many tasks wait for each other where the task, or what it waits for, is one of them; nil: the way ends.
    private func ring(from position: Int) -> Int? {
        var order: [Int: Int] = [:]
        var next = position
        while order[next] == nil {
            order[next] = order.count
            guard case .task(let other?) = list.tasks[next].status else { return nil }
            next = other
        }
        return order[next].map { order.count - $0 }
    }

    private func executor(_ type: String, _ address: UInt64, _ isActor: Bool) -> TaskReport.State {
        var state = TaskReport.State(TypeName.isUsers(type) && isActor ? .actor : .executor)
        let isMain =
            type.isEmpty
            ? symbolicator.variable(at: address)?.name == "_dispatch_main_q"
            : Self.mainExecutors.contains(String(type.split(separator: ".").last ?? "")) && !TypeName.isUsers(type)
        if isMain {
            (state.kind, state.type) = (.actor, "MainActor")
        } else if !type.isEmpty {
            state.type = type
        }
        return state
    }

    private func continuation(_ holder: TaskFacts.Holder) -> TaskReport.State {
        var state = TaskReport.State(.continuation)
        state.holder = .unknown
        switch holder {
        case .property(let type, let name): (state.holder, state.type, state.name) = (.property, type, name)
        case .nobody: state.holder = .nobody
        case .unknown: break
        case .variable(let address, let isSure):
            guard let variable = symbolicator.variable(at: address), !variable.name.isEmpty else { break }
            // A variable of the task's type is a handle, and holds no continuation.
            let isContinuation = variable.type.map { $0.contains("Continuation<") } ?? false
            if isSure || isContinuation { (state.holder, state.name) = (.variable, variable.name) }
        }
        return state
    }

    // MARK: - Queues

    /// Nil: no task waits for an actor.
    private func mailboxes(_ own: [Int]) -> [TaskReport.Mailbox]? {
        var queues: [UInt64: (state: TaskReport.State, waiting: Int)] = [:]
        for position in own {
            guard case .executor(_, let address, _) = list.tasks[position].status else { continue }
            queues[address, default: (state(position), 0)].waiting += 1
        }
        let rows = Dictionary(grouping: queues.values, by: { $0.state }).map { state, queues in
            TaskReport.Mailbox(
                kind: state.kind, type: state.type, waiting: queues.reduce(0) { $0 + $1.waiting },
                actors: queues.count, longest: queues.lazy.map(\.waiting).max() ?? 0)
        }
        guard !rows.isEmpty else { return nil }
        return rows.sorted {
            ($1.waiting, $1.longest, $0.kind.rawValue, $0.type ?? "")
                < ($0.waiting, $0.longest, $1.kind.rawValue, $1.type ?? "")
        }
    }

    /// Nil: no group keeps any.
    private func finishedChildren(_ own: [Int]) -> [TaskReport.FinishedChildren]? {
        var rows: [[CallStack?]: TaskReport.FinishedChildren] = [:]
        for position in own where list.tasks[position].finishedChildren > 0 {
            let stack = stacks[position].frames.isEmpty ? nil : stacks[position]
            let maker = CallStack(symbolicator.stack(list.tasks[position].finishedStack))
            var row = rows[[stack, maker]] ?? .init(count: 0, tasks: 0, stack: stack, createdBy: maker)
            row.count.add(clamping: list.tasks[position].finishedChildren)
            row.tasks += 1
            rows[[stack, maker]] = row
        }
        guard !rows.isEmpty else { return nil }
        return rows.values.map { ($0, Self.text([$0.stack, $0.createdBy].compactMap(\.self))) }.sorted {
            ($1.0.count, $0.1) < ($0.0.count, $1.1)
        }.map(\.0)
    }

    /// The order of rows that are as large: it depends on nothing but what a reader sees.
    private static func text(_ stacks: [CallStack]) -> String {
        stacks.flatMap(\.frames)
            .map { "\($0.function) \($0.module) \($0.file ?? "") \($0.line ?? 0)" }.joined(separator: "\n")
    }

    // MARK: - Groups

    /// What equal tasks have in common.
    private struct Key: Hashable {
        var state: TaskReport.State
        var neverResumes: Bool
        var cancelled: Bool
        var stack: CallStack
        var parents: [TaskReport.Parent]
        var beginsIn: CallStack.Frame?
        var createdBy: CallStack?

        init(_ group: TaskReport.Group) {
            (state, neverResumes, cancelled) = (group.state, group.neverResumes, group.cancelled)
            (stack, parents, beginsIn, createdBy) = (group.stack, group.parents, group.beginsIn, group.createdBy)
        }

        private static func text(_ state: TaskReport.State) -> String {
            let own = [
                state.kind.rawValue, state.type, state.name, state.holder?.rawValue, state.unfinished.map(String.init),
                state.ring.map(String.init),
            ]
            return (own.map { $0 ?? "" } + (state.awaited ?? []).map(text)).joined(separator: " ")
        }

        /// The order of groups of as many tasks: it depends on nothing but what a reader sees.
        var text: String {
            ([state] + parents.map(\.state)).map(Self.text).joined(separator: " ")
                + " \(cancelled) \(beginsIn?.function ?? "") "
                + TaskReportBuilder.text([stack] + parents.map(\.stack) + (createdBy.map { [$0] } ?? []))
        }
    }

    /// Equal ones as one, most tasks first; of as many, those first that never resume.
    package static func grouped(_ tasks: [TaskReport.Group]) -> [TaskReport.Group] {
        var groups: [Key: TaskReport.Group] = [:]
        for task in tasks {
            let key = Key(task)
            guard var group = groups[key] else {
                groups[key] = task
                continue
            }
            group.count += task.count
            group.ids += task.ids
            group.names += task.names
            if let more = task.priorities { group.priorities = (group.priorities ?? []) + more }
            if let more = task.created {
                let known = group.created ?? more
                group.created = TaskReport.Created(
                    oldest: max(known.oldest, more.oldest), newest: min(known.newest, more.newest))
            }
            if let more = task.retained { group.retained = (group.retained ?? 0) &+ more }
            group.threads += task.threads
            groups[key] = group
        }
        let rows = groups.map { key, group in
            var group = group
            group.ids.sort()
            group.names = Set(group.names).sorted()
            group.priorities = group.priorities.map(TaskPriorityName.sorted)
            group.threads.sort()
            return (group: group, text: key.text)
        }
        return rows.sorted { first, second in
            if first.group.count != second.group.count { return first.group.count > second.group.count }
            if first.group.neverResumes != second.group.neverResumes { return first.group.neverResumes }
            return first.text < second.text
        }.map(\.group)
    }
}

/// What Swift calls a task's priority.
private enum TaskPriorityName {
    private static let names: [(UInt8, String)] = [
        (33, "userInteractive"), (25, "high"), (21, "medium"), (17, "low"), (9, "background"),
    ]

    /// A number that has no name stands for itself.
    static func text(_ priority: UInt8) -> String { names.first { $0.0 == priority }?.1 ?? "\(priority)" }

    /// Each once, the highest first.
    static func sorted(_ texts: [String]) -> [String] {
        func rank(_ text: String) -> UInt8 { names.first { $0.1 == text }?.0 ?? UInt8(text) ?? 0 }
        return Set(texts).sorted { (rank($1), $0) < (rank($0), $1) }
    }
}
