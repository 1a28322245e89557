import GameprofAnalysis
import GameprofBasics

/// Why a task does not go on, and what keeps it, as text.
struct TextTaskWhy {
    let why: TaskReport.Why
    let names: ShortNames
    let style: TextStyle

    private static let rowLimit = 10

    var lines: [String] {
        var lines: [String] = []
        for (number, step) in why.chain.enumerated() {
            let before = number == 0 ? nil : why.chain[number - 1].task.state
            if number == 1 { lines.append(style.paint("  waits for", .bold)) }
            lines += self.lines(step, before)
        }
        for sentence in TaskWords.ends(why) { lines += wrapped(sentence) }
        return lines + waiters + retained
    }

    private func lines(_ step: TaskReport.Step, _ before: TaskReport.State?) -> [String] {
        let task = step.task
        let name = PlainText.clean(TaskWords.name(task))
        let title = before.map { "\(name), \(PlainText.clean(TaskWords.link($0, names: names)))" } ?? name
        let mark = task.neverResumes ? "✗ " : "  "
        var lines = TextTable.wrap(
            "\(title): \(TextTasks.state(task, names))", first: before == nil ? mark : "  " + mark, rest: "      ",
            width: style.width
        ).map { style.paint($0, task.neverResumes ? .error : .bold) }
        lines +=
            before == nil
            ? TextTasks.lines(task, names, style, isWhole: true)
            : TextTasks.stack("in", task.stack, style, isWhole: true) + TextTasks.beginning(task, style)
                + TextTasks.threads(task)
        for sentence in TaskWords.held(step) { lines += wrapped(sentence) }
        if let way = step.heldBy { lines += TextLiving.lines(of: way, names: names, style: style) }
        return lines
    }

    private var waiters: [String] {
        guard !why.waiters.isEmpty else { return [] }
        var lines = [style.paint("  waited for by", .bold)]
        for task in why.waiters.prefix(Self.rowLimit) {
            let line = "\(PlainText.clean(TaskWords.name(task))): \(TextTasks.state(task, names))"
            lines += TextTable.wrap(
                line + TextTasks.place(task), first: "    ", rest: "      ", width: style.width)
        }
        return lines + more(why.waiters.count + (why.waitersOmitted ?? 0))
    }

    private var retained: [String] {
        guard let rows = why.retained, !rows.isEmpty else { return [] }
        let shown = rows.prefix(Self.rowLimit).map { row in
            let maker = row.allocatedBy?.maker.map { ", allocated in \($0)" } ?? ""
            let blocks = "\(NumberFormat.count(row.count, "block")), mostly \(PlainText.clean(names[row.type]))"
            let bytes = TextTable.right(NumberFormat.bytes(row.bytes), 8)
            return TextTable.cut("    \(bytes)  \(blocks)\(maker)", TextTasks.cutAt)
        }
        return [style.paint("  keeps alive", .bold)] + shown + more(rows.count)
    }

    private func more(_ count: Int) -> [String] {
        count > Self.rowLimit ? ["    … \(NumberFormat.count(count - Self.rowLimit)) more"] : []
    }

    private func wrapped(_ text: String) -> [String] {
        TextTable.wrap(PlainText.clean(text), first: "    ", rest: "      ", width: style.width)
    }
}
