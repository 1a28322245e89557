import GameprofAnalysis
import GameprofBasics

/// What tasks wait for, in words.
package enum TaskWords {
    /// "waiting for a sleep to end"; of what the program names nothing is escaped.
    /// - Parameter isStuck: the task can never resume.
    package static func state(
        _ state: TaskReport.State, names: ShortNames = ShortNames([]), isStuck: Bool = false
    ) -> String {
        switch state.kind {
        case .running: "running on a thread"
        case .ready: "ready to run, waiting for a thread"
        case .actor: "waiting for the actor \(names[state.type ?? "?"])"
        case .executor: state.type.map { "waiting for the executor \(names[$0])" } ?? "waiting for an executor"
        case .task: "waiting for a task" + awaited(state, names)
        case .asyncLet: "waiting for an async let" + awaited(state, names)
        case .taskGroup: "waiting for a task group with \(children(state.unfinished ?? 0))"
        case .continuation: continuation(state, names, isStuck)
        case .sleep: "sleeping"
        case .stream: "waiting for the next element of a stream"
        case .unknown: "waiting for something that cannot be determined"
        }
    }

    /// The types that the sentence of a state names.
    private static func types(_ state: TaskReport.State) -> [String] {
        (state.type.map { [$0] } ?? []) + (state.awaited ?? []).flatMap(types)
    }

    /// The types that the sentences name.
    static func types(_ groups: [TaskReport.Group], _ mailboxes: [TaskReport.Mailbox]?) -> Set<String> {
        let states = groups.flatMap { [$0.state] + $0.parents.map(\.state) }
        return Set(states.flatMap(types)).union((mailboxes ?? []).compactMap(\.type))
    }

    /// The types that a report names.
    static func types(_ report: TaskReport) -> Set<String> {
        let why = report.why ?? []
        let tasks = why.flatMap { $0.chain.map(\.task) + $0.waiters }
        return types(report.groups + tasks, report.mailboxes)
            .union(why.flatMap(\.chain).flatMap { $0.heldBy?.typeNames ?? [] })
            .union(why.flatMap { ($0.retained ?? []).map(\.type) })
    }

    // MARK: - Why a task does not go on

    /// "task 7 (loader)"; the name is not escaped.
    static func name(_ task: TaskReport.Group) -> String {
        "task \(task.ids.first ?? 0)" + (task.names.first.map { " (\($0))" } ?? "")
    }

    /// What a task is to the one before it, which is in that state.
    static func link(_ before: TaskReport.State, names: ShortNames) -> String {
        switch before.kind {
        case .taskGroup: before.unfinished == 1 ? "the child of its group" : "a child of its group"
        case .actor: "which runs on the actor \(names[before.type ?? "?"])"
        case .executor: "which runs on the executor"
        default: "which it awaits"
        }
    }

    /// What keeps a task of a chain, or its continuation: sentences, a path follows that which ends with a colon.
    static func held(_ step: TaskReport.Step) -> [String] {
        let name = "task \(step.task.ids.first ?? 0)"
        var sentences: [String] = []
        if step.task.state.kind == .continuation, step.task.neverResumes {
            let who = step.task.state.holder == .property ? "Only tasks that wait hold" : "Nothing refers to"
            sentences.append("\(who) the continuation of \(name): it can never be resumed.")
        }
        switch step.held {
        case .continuation: sentences.append("The continuation of \(name) is held by:")
        case .task: sentences.append("Task \(step.task.ids.first ?? 0) is held by:")
        case nil: break
        }
        return sentences
    }

    /// Why a chain does not go on; empty: the last task says it.
    static func ends(_ why: TaskReport.Why) -> [String] {
        if let ring = why.ring { return ["The last one waits for task \(ring): these tasks wait for each other."] }
        switch why.chain.last?.task.state.kind {
        case .actor: return ["No task is known that runs on the actor."]
        case .executor: return ["No task is known that runs on the executor."]
        default: return []
        }
    }

    /// How long the tasks of a group have been there; nil: not known.
    package static func age(_ group: TaskReport.Group) -> String? {
        group.created.map { created in
            let (oldest, newest) = (NumberFormat.seconds(created.oldest), NumberFormat.seconds(created.newest))
            return oldest == newest ? oldest : "\(newest) to \(oldest)"
        }
    }

    /// A state as the heading of a figure.
    static func heading(_ kind: TaskReport.State.Kind) -> String {
        switch kind {
        case .running: "running"
        case .ready: "ready to run"
        case .actor: "waiting for an actor"
        case .executor: "waiting for an executor"
        case .task: "waiting for a task"
        case .asyncLet: "waiting for an async let"
        case .taskGroup: "waiting for a task group"
        case .continuation: "waiting for a continuation"
        case .sleep: "sleeping"
        case .stream: "waiting for a stream"
        case .unknown: "not determined"
        }
    }

    private static func continuation(
        _ state: TaskReport.State, _ names: ShortNames, _ isStuck: Bool
    ) -> String {
        switch state.holder {
        case .property:
            let field = FieldName.source((state.name ?? "?")[...])
            return "waiting for a continuation held by \(names[state.type ?? "?"]).\(field)"
                + (isStuck ? ", which only tasks that wait hold" : "")
        case .variable: return "waiting for a continuation held by the variable \(state.name ?? "?")"
        case .nobody: return "waiting for a continuation that nothing holds"
        case .unknown, nil: return "waiting for a continuation whose holder cannot be determined"
        }
    }

    private static func awaited(_ state: TaskReport.State, _ names: ShortNames) -> String {
        if let ring = state.ring {
            return ring == 1 ? " that waits for itself" : " among \(NumberFormat.count(ring)) that wait for each other"
        }
        guard let awaited = state.awaited?.first else { return "" }
        return awaited.kind == .running ? " that runs" : " that is \(self.state(awaited, names: names))"
    }

    private static func children(_ count: Int) -> String {
        count == 1 ? "1 unfinished child" : "\(NumberFormat.count(count)) unfinished children"
    }

    /// "300 tasks, 297 of which can never resume".
    package static func summary(_ report: TaskReport) -> String {
        guard report.count > 0 else {
            return report.notMeasured == nil ? "no task that has not ended" : "not measured"
        }
        let lost = report.neverResuming
        let tasks = NumberFormat.count(report.count, "task")
        guard lost > 0 else { return tasks }
        if report.count == 1 { return "1 task, which can never resume" }
        return lost == report.count
            ? "\(tasks), none of which can ever resume"
            : "\(tasks), \(NumberFormat.count(lost)) of which can never resume"
    }

    // MARK: - A section of a report

    static func summary(_ tasks: Report.Tasks) -> String {
        if tasks.unexamined == true {
            return "The program has tasks. What they wait for was not looked at, because the heap is large; "
                + "gameprof tasks lists it."
        }
        let lost = tasks.neverResuming
        let count = NumberFormat.count(tasks.count, "task")
        guard lost > 0 else { return "\(count) had not ended." }
        if tasks.count == 1 { return "1 task had not ended, and can never resume." }
        return lost == tasks.count
            ? "\(count) had not ended, and none of them can ever resume."
            : "\(count) had not ended, and \(NumberFormat.count(lost)) of them can never resume."
    }

    /// What a list leaves out of which so many groups are shown; nil: nothing.
    static func more(_ tasks: Report.Tasks, shown: Int) -> String? {
        let rest = tasks.groups.dropFirst(shown)
        let groups = rest.count + (tasks.omitted?.groups ?? 0)
        guard groups > 0 else { return nil }
        let count = rest.reduce(tasks.omitted?.tasks ?? 0) { $0 + $1.count }
        return "\(NumberFormat.count(groups, "more group")) with \(NumberFormat.count(count, "task")); "
            + "gameprof tasks lists all tasks."
    }

    // MARK: - Queues

    /// Those that a reader should know, the largest first, as sentences; what the program names is not escaped.
    static func queues(
        _ mailboxes: [TaskReport.Mailbox]?, _ children: [TaskReport.FinishedChildren]?, names: ShortNames
    ) -> [String] {
        // The row of a task that waits alone says it too.
        let mailboxes = (mailboxes ?? []).filter { $0.waiting > 1 }
        let children = (children ?? []).filter { $0.count >= fewestChildren }
        return mailboxes.prefix(sentenceLimit).map { mailbox($0, names) }
            + rest(mailboxes.count, "type of actor has a mailbox", "types of actors have mailboxes")
            + children.prefix(sentenceLimit).map(finished)
            + rest(children.count, "place has such groups", "places have such groups")
    }

    /// A group that is asked for its results now and then keeps some.
    private static let fewestChildren = 10
    private static let sentenceLimit = 5

    private static func rest(_ count: Int, _ one: String, _ many: String) -> [String] {
        let more = count - sentenceLimit
        return more > 0 ? ["\(NumberFormat.count(more)) more \(more == 1 ? one : many); see the JSON."] : []
    }

    private static func mailbox(_ mailbox: TaskReport.Mailbox, _ names: ShortNames) -> String {
        let noun = mailbox.kind == .actor ? "actor" : "executor"
        let name = mailbox.type.map { names[$0] }
        let waiting = "\(NumberFormat.count(mailbox.waiting)) tasks wait in the"
        guard mailbox.actors > 1 else {
            return "\(waiting) mailbox of " + (name.map { "the \(noun) \($0)." } ?? "an \(noun).")
        }
        let actors = [NumberFormat.count(mailbox.actors), name, noun + "s"].compactMap(\.self).joined(separator: " ")
        return "\(waiting) mailboxes of \(actors), \(NumberFormat.count(mailbox.longest)) of them in the longest."
    }

    private static func finished(_ children: TaskReport.FinishedChildren) -> String {
        let place = children.createdBy?.maker ?? children.stack?.maker
        let of = place.map { ", in \($0)," } ?? ""
        let group = children.tasks == 1 ? "a task group" : "the groups of \(NumberFormat.count(children.tasks)) tasks"
        return "\(NumberFormat.count(children.count)) finished children of \(group)\(of) keep their memory, because "
            + "nobody takes their results: call next() on the group, or use a discarding task group."
    }

    /// Those of a group that differ from the usual one; nil: there are none.
    package static func priorities(_ group: TaskReport.Group) -> String? {
        let priorities = (group.priorities ?? []).filter { $0 != "medium" }
        return priorities.isEmpty ? nil : priorities.joined(separator: ", ")
    }
}
