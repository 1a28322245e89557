import GameprofAnalysis
import GameprofBasics

/// The tasks of a process as text: a group of equal ones after the other, with the functions that wait.
package enum TextTasks {
    private static let groupLimit = 100
    private static let frameLimit = 12
    private static let parentLimit = 4
    private static let nameLimit = 5
    static let cutAt = 160

    package static func render(_ report: TaskReport, style: TextStyle) -> String {
        let program = PlainText.clean(String(report.executable.split(separator: "/").last ?? "?"))
        let process = report.process.map { " (process \($0))" } ?? ""
        let hasLost = report.neverResuming > 0
        var lines = report.crash.map { TextCrash.lines($0, style: style) } ?? []
        lines += TextCrash.threads(report.threads, beside: report.crash, style: style)
        lines += [style.paint("\(program)\(process): \(TaskWords.summary(report)).", hasLost ? .error : .bold)]
        if let reason = report.notMeasured {
            lines += TextTable.wrap(
                "Not all tasks could be examined: \(PlainText.clean(reason)).", first: "", rest: "  ",
                width: style.width)
        }
        let names = ShortNames(TaskWords.types(report))
        for why in report.why ?? [] { lines += [""] + TextTaskWhy(why: why, names: names, style: style).lines }
        if report.why == nil { lines += all(report, names, style) }
        if !report.notes.isEmpty { lines.append("") }
        for note in report.notes {
            lines += TextTable.wrap(PlainText.clean(note), first: "· ", rest: "  ", width: style.width)
        }
        return lines.joined(separator: "\n")
    }

    private static func all(_ report: TaskReport, _ names: ShortNames, _ style: TextStyle) -> [String] {
        var lines = queues(report.mailboxes, report.finishedChildren, names, style)
        for group in report.groups.prefix(groupLimit) {
            lines += ["", style.paint(title(group, names), group.neverResumes ? .error : .bold)]
            lines += self.lines(group, names, style)
        }
        let omitted = report.groups.count - groupLimit
        if omitted > 0 { lines += ["", style.paint("… \(NumberFormat.count(omitted, "more group"))", .faint)] }
        return lines
    }

    /// The section of a report: the largest groups, a line each.
    static func lines(_ report: Report, names: ShortNames, style: TextStyle) -> [String] {
        guard let tasks = report.tasks else { return [] }
        var lines = [style.paint("Tasks", .bold)]
        lines += TextTable.wrap(TaskWords.summary(tasks), first: "  ", rest: "  ", width: style.width)
        for group in tasks.groups.prefix(rowLimit) {
            let title = title(group, names, isAlone: true)
            let wrapped = TextTable.wrap(
                String(title.dropFirst(2)), first: "  " + title.prefix(2), rest: "      ", width: style.width)
            lines += group.neverResumes ? wrapped.map { style.paint($0, .error) } : wrapped
        }
        if let more = TaskWords.more(tasks, shown: rowLimit) {
            lines += TextTable.wrap("… and \(more)", first: "    ", rest: "    ", width: style.width)
        }
        return lines + queues(tasks.mailboxes, tasks.finishedChildren, names, style) + [""]
    }

    /// Groups in the section of a report.
    private static let rowLimit = 5

    private static func queues(
        _ mailboxes: [TaskReport.Mailbox]?, _ children: [TaskReport.FinishedChildren]?, _ names: ShortNames,
        _ style: TextStyle
    ) -> [String] {
        TaskWords.queues(mailboxes, children, names: names).flatMap {
            TextTable.wrap(PlainText.clean($0), first: "  ", rest: "    ", width: style.width)
        }
    }

    /// What is known of a group beside its title.
    /// - Parameter isWhole: its stack is shown with all frames.
    static func lines(
        _ group: TaskReport.Group, _ names: ShortNames, _ style: TextStyle, isWhole: Bool = false
    ) -> [String] {
        var lines = stack("in", group.stack, style, isWhole: isWhole)
        for parent in group.parents.prefix(parentLimit) {
            let state = PlainText.clean(TaskWords.state(parent.state, names: names))
            lines.append(labelled("child of", "a task \(state)"))
            lines += stack("in", parent.stack, style)
        }
        let omitted = group.parents.count - parentLimit
        if omitted > 0 { lines.append(labelled("", "… \(NumberFormat.count(omitted, "more parent"))")) }
        lines += beginning(group, style)
        if let created = group.createdBy { lines += stack("created", created, style) }
        if let age = TaskWords.age(group) { lines.append(labelled("age", age)) }
        if let bytes = group.retained { lines.append(labelled("keeps", NumberFormat.bytes(bytes))) }
        if let priorities = TaskWords.priorities(group) { lines.append(labelled("priority", priorities)) }
        if !isWhole {
            if !group.names.isEmpty {
                lines.append(labelled("named", list(group.names.map { TextTable.cut(PlainText.clean($0), 60) })))
            }
            lines.append(labelled(group.count == 1 ? "id" : "ids", list(group.ids.map(String.init))))
        }
        return lines + threads(group)
    }

    static func beginning(_ group: TaskReport.Group, _ style: TextStyle) -> [String] {
        group.beginsIn.map { stack("begins", CallStack(frames: [$0]), style) } ?? []
    }

    /// On which threads it runs.
    static func threads(_ group: TaskReport.Group) -> [String] {
        guard !group.threads.isEmpty else { return [] }
        let noun = group.threads.count == 1 ? "thread" : "threads"
        return [labelled("on", "\(noun) \(list(group.threads.map(String.init)))")]
    }

    private static func list(_ items: [String]) -> String {
        let more = items.count - nameLimit
        return items.prefix(nameLimit).joined(separator: ", ")
            + (more > 0 ? " and \(NumberFormat.count(more)) more" : "")
    }

    /// "✗ 7 × waiting for a continuation that nothing holds, can never resume · created in approve(_:), Desk.swift:12".
    /// - Parameter isAlone: the functions that wait are not listed below it.
    package static func title(
        _ group: TaskReport.Group, _ names: ShortNames = ShortNames([]), isAlone: Bool = false
    ) -> String {
        let mark = group.neverResumes ? "✗ " : "  "
        return "\(mark)\(NumberFormat.count(group.count)) × \(state(group, names))\(place(group, isAlone: isAlone))"
    }

    /// "waiting for a continuation that nothing holds, cancelled, can never resume".
    static func state(_ group: TaskReport.Group, _ names: ShortNames) -> String {
        PlainText.clean(TaskWords.state(group.state, names: names, isStuck: group.neverResumes))
            + (group.cancelled ? ", cancelled" : "") + (group.neverResumes ? ", can never resume" : "")
    }

    /// " · created in approve(_:), Desk.swift:12", behind " · in wait(for:), Desk.swift:6" where `isAlone`; empty: nothing is known.
    static func place(_ group: TaskReport.Group, isAlone: Bool = false) -> String {
        let within = group.stack.maker.map { " · in \($0)" }
        let made = group.createdBy?.maker.map { " · created in \($0)" }
        let beginning = group.beginsIn.map { CallStack(frames: [$0]) }?.maker.map { " · begins in \($0)" }
        let places = isAlone && made != nil ? [within, made] : [made ?? within ?? beginning]
        return places.compactMap { $0.map { TextTable.cut($0, cutAt) } }.joined()
    }

    /// The program's own functions; where there are none, those of libraries.
    /// - Parameter isWhole: all functions, however many there are.
    static func stack(
        _ label: String, _ stack: CallStack, _ style: TextStyle, isWhole: Bool = false
    ) -> [String] {
        let frames = isWhole ? stack.frames : stack.telling
        let frameLimit = isWhole ? frames.count : frameLimit
        guard !frames.isEmpty else { return [] }
        let rows = FoldedFrames.rows(Array(frames.prefix(frameLimit)))
        let texts = rows.map { row in
            (
                TextTable.cut(PlainText.clean(FunctionName.display(row.frame.function)), cutAt),
                PlainText.clean(
                    SourceLocation.short(file: row.frame.file, line: row.frame.line) ?? row.frame.module)
            )
        }
        let widest = texts.map(\.1.count).max() ?? 0
        let column = max(24, min(texts.map(\.0.count).max() ?? 0, style.width - 17 - widest))
        var lines: [String] = []
        for (row, text) in zip(rows, texts) {
            lines.append(labelled(lines.isEmpty ? label : "", "\(TextTable.left(text.0, column))  \(text.1)"))
            if let omitted = row.omitted { lines.append(style.paint(labelled("", omitted), .faint)) }
        }
        if frames.count > frameLimit || stack.truncated {
            let more = frames.count - frameLimit
            let others = more > 0 ? NumberFormat.count(more, "more frame") : "and callers that cannot be determined"
            lines.append(style.paint(labelled("", "… \(others)"), .faint))
        }
        return lines
    }

    private static func labelled(_ label: String, _ text: String) -> String {
        let line = "      \(TextTable.left(label, 9)) \(text)"
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
