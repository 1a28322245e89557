import GameprofAnalysis
import GameprofBasics

/// What the template of a group of equal tasks is filled with.
struct TaskGroupView {
    let limits: PageLimits
    let sources: SourceLines
    let names: ShortNames

    private static let parentLimit = 8
    private static let nameLimit = 20

    func values(_ group: TaskReport.Group, number: Int, isOpen: Bool) -> [String: Any] {
        let beginning = group.beginsIn.map { CallStack(frames: [$0]) }
        let made = group.createdBy?.maker.map { "created in \($0)" }
        let within = group.stack.maker ?? (made == nil ? beginning?.maker : nil)
        let places = [within.map { "in \($0)" }, made].compactMap(\.self)
        let place = places.isEmpty ? nil : places.joined(separator: ", ")
        var stacks = group.stack.frames.isEmpty ? [] : [stack("Waits in", group.stack)]
        for parent in group.parents.prefix(Self.parentLimit) {
            stacks.append(
                stack("Child of a task \(text(TaskWords.state(parent.state, names: names))), in", parent.stack))
        }
        if let beginning { stacks.append(stack("Begins in", beginning)) }
        if let created = group.createdBy { stacks.append(stack("Created by", created)) }
        let parents = group.parents.count - Self.parentLimit
        let title =
            text(TaskWords.state(group.state, names: names, isStuck: group.neverResumes))
            + (group.cancelled ? ", cancelled" : "")
        return [
            "anchor": "group-\(number + 1)", "severity": group.neverResumes ? "error" : "",
            "mark": group.neverResumes ? "✗" : "·", "isOpen": isOpen, "title": title,
            "numbers": NumberFormat.count(group.count, "task"),
            "summary": [group.neverResumes ? "can never resume" : nil, place.map(text)].compactMap(\.self).joined(
                separator: ", "),
            "filter": ([title, place ?? ""] + group.names.prefix(Self.nameLimit)).map(text).joined(
                separator: " "),
            "stacks": stacks,
            "age": optional(TaskWords.age(group)),
            "keeps": optional(group.retained.map(NumberFormat.bytes)),
            "priorities": optional(TaskWords.priorities(group).map(text)),
            "moreParents": optional(parents > 0 ? NumberFormat.count(parents, "more parent") : nil),
            "named": optional(list(group.names.map(text))),
            "onThreads": optional(list(group.threads.map(String.init))),
            "ids": optional(list(group.ids.map(String.init), of: group.count)),
        ]
    }

    /// What is to be said of mailboxes and of groups that keep their children.
    static func queues(
        _ mailboxes: [TaskReport.Mailbox]?, _ children: [TaskReport.FinishedChildren]?, _ names: ShortNames
    ) -> [String] {
        TaskWords.queues(mailboxes, children, names: names).map { PageText.clean($0) }
    }

    private func text(_ text: String) -> String { PageText.clean(text, limit: limits.textLength) }

    private func stack(_ label: String, _ stack: CallStack) -> [String: Any] {
        StackView(label: label, stack: stack, limits: limits, sources: sources).values
    }

    /// - Parameter count: of all items; nil: there may be more where a report holds no more.
    /// - Returns: nil: there are none.
    private func list(_ items: [String], of count: Int? = nil) -> String? {
        guard !items.isEmpty else { return nil }
        let shown = items.prefix(Self.nameLimit)
        let more = (count ?? items.count) - shown.count
        let least = count == nil && items.count == Report.Tasks.itemLimit ? "at least " : ""
        return shown.joined(separator: ", ")
            + (more > 0 ? " and \(least)\(NumberFormat.count(more)) more" : "")
    }
}

/// What the template of a report's tasks is filled with.
struct TasksView {
    private let tasks: Report.Tasks
    private let groups: TaskGroupView

    init(_ tasks: Report.Tasks, names: ShortNames, limits: PageLimits, sources: SourceLines) {
        self.tasks = tasks
        groups = TaskGroupView(limits: limits, sources: sources, names: names)
    }

    var values: [String: Any] {
        let shown = tasks.groups.prefix(groups.limits.findings)
        return [
            "summary": TaskWords.summary(tasks),
            "queues": TaskGroupView.queues(tasks.mailboxes, tasks.finishedChildren, groups.names),
            "groups": shown.enumerated().map { groups.values($0.element, number: $0.offset, isOpen: false) },
            "more": optional(TaskWords.more(tasks, shown: shown.count)),
        ]
    }
}
