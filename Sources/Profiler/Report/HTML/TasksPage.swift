import GameprofAnalysis
import GameprofBasics

/// The tasks of a process as one page: a group of equal ones after the other, with the functions that wait.
package enum TasksPage {
    private static let groupLimit = 200
    private static let parentLimit = 8
    private static let nameLimit = 20

    /// The page as text; it opens from disk, needs no network and is well below two megabytes.
    package static func render(_ report: TaskReport, editor: Editor? = nil) throws -> String {
        var limits = PageLimits.steps[report.groups.count < 50 ? 1 : 3]
        limits.editor = editor
        let states = report.groups.flatMap { [$0.state] + $0.parents.map(\.state) }
        let writer = Writer(
            limits: limits, sources: SourceLines(), names: ShortNames(Set(states.flatMap(TaskWords.types))))
        let name = report.executable.split(separator: "/").last.map(String.init) ?? "?"
        let omitted = report.groups.count - groupLimit
        let crash = CrashView(
            crash: report.crash, threads: report.threads, limits: limits, sources: writer.sources, isOpen: true)
        return try PageTemplates.render(
            [
                "style": String(decoding: PageStyle.css, as: UTF8.self), "script": PageTemplates.script,
                "name": PageText.clean(name),
                "process": optional(report.process.map(String.init)),
                "verdict": TaskWords.summary(report), "worst": worst(report).rawValue,
                "notMeasured": optional(report.notMeasured.map { PageText.clean($0) }),
                "crash": optional(crash.values), "threads": optional(crash.threadValues),
                "figures": figures(report).map { ["name": $0.0, "value": NumberFormat.count($0.1)] },
                "groups": report.groups.prefix(groupLimit).enumerated().map {
                    writer.group($0.element, number: $0.offset, isOpen: $0.offset == 0)
                },
                "more": optional(
                    omitted > 0 ? "\(NumberFormat.count(omitted, "more group")) in the JSON report." : nil),
                "notes": report.notes.prefix(20).map { PageText.clean($0) },
            ], as: "tasks")
    }

    private static func worst(_ report: TaskReport) -> PageVerdict.Kind {
        report.neverResuming > 0 ? .error : report.notMeasured != nil ? .unmeasured : .neutral
    }

    /// How many tasks are in which state.
    private static func figures(_ report: TaskReport) -> [(String, Int)] {
        var counts: [TaskReport.State.Kind: Int] = [:]
        for group in report.groups { counts[group.state.kind, default: 0] += group.count }
        let states = TaskReport.State.Kind.allCases.compactMap { kind in
            counts[kind].map { (TaskWords.heading(kind), $0) }
        }
        let ended = report.ended > 0 ? [("ended, and kept", report.ended)] : []
        return [("tasks", report.count), ("can never resume", report.neverResuming)] + states + ended
    }

    private struct Writer {
        let limits: PageLimits
        let sources: SourceLines
        let names: ShortNames

        func group(_ group: TaskReport.Group, number: Int, isOpen: Bool) -> [String: Any] {
            let beginning = group.beginsIn.map { CallStack(frames: [$0]) }
            let place = group.createdBy?.maker ?? group.stack.maker ?? beginning?.maker
            var stacks = group.stack.frames.isEmpty ? [] : [stack("Waits in", group.stack)]
            for parent in group.parents.prefix(TasksPage.parentLimit) {
                stacks.append(
                    stack("Child of a task \(text(TaskWords.state(parent.state, names: names))), in", parent.stack))
            }
            if let beginning { stacks.append(stack("Begins in", beginning)) }
            if let created = group.createdBy { stacks.append(stack("Created by", created)) }
            let parents = group.parents.count - TasksPage.parentLimit
            let title = text(TaskWords.state(group.state, names: names)) + (group.cancelled ? ", cancelled" : "")
            return [
                "anchor": "group-\(number + 1)", "severity": group.neverResumes ? "error" : "",
                "mark": group.neverResumes ? "✗" : "·", "isOpen": isOpen, "title": title,
                "numbers": NumberFormat.count(group.count, "task"),
                "summary": [group.neverResumes ? "can never resume" : nil, place.map { "in \(text($0))" }].compactMap(
                    \.self
                )
                .joined(separator: ", "),
                "filter": ([title, place ?? ""] + group.names.prefix(TasksPage.nameLimit)).map(text).joined(
                    separator: " "),
                "stacks": stacks,
                "moreParents": optional(parents > 0 ? NumberFormat.count(parents, "more parent") : nil),
                "named": optional(list(group.names.map(text))),
                "threads": optional(list(group.threads.map(String.init))),
                "ids": optional(list(group.ids.map(String.init))),
            ]
        }

        private func text(_ text: String) -> String { PageText.clean(text, limit: limits.textLength) }

        private func stack(_ label: String, _ stack: CallStack) -> [String: Any] {
            StackView(label: label, stack: stack, limits: limits, sources: sources).values
        }

        /// Nil: there are none.
        private func list(_ items: [String]) -> String? {
            guard !items.isEmpty else { return nil }
            let more = items.count - TasksPage.nameLimit
            return items.prefix(TasksPage.nameLimit).joined(separator: ", ")
                + (more > 0 ? " and \(NumberFormat.count(more)) more" : "")
        }
    }
}
