import GameprofAnalysis
import GameprofBasics

/// A moment of a running process as the lines of a screen.
package struct TextTop {
    /// What a screen shows below its heading.
    package enum Table: Int, CaseIterable, Sendable {
        case functions, threads, types, tasks
    }

    /// How rows are sorted, the most first: functions by own or whole time, types by bytes, growth or count.
    package enum Order: Int, CaseIterable, Sendable { case first, second, third }

    /// What the user has chosen.
    package struct View: Hashable, Sendable {
        /// Nil: the first rows of all.
        package var table: Table?
        package var order = Order.first
        /// Rows without this text are left out, upper and lower case alike.
        package var filter = ""
        package var isPaused = false
        /// The row that is marked.
        package var selected = 0
        /// What holds the type that was chosen; nil: none was.
        package var ways: (type: String, lines: [String])? {
            get { waysType.map { ($0, waysLines) } }
            set { (waysType, waysLines) = (newValue?.type, newValue?.lines ?? []) }
        }
        private var waysType: String?
        private var waysLines: [String] = []
        /// In place of the keys: a question, or an answer.
        package var message: String?

        package init() {}
    }

    private let moment: TopMoment
    private let view: View
    private let style: TextStyle
    private let width: Int
    /// The names of the types of this moment, as short as they can be told apart.
    private let names: ShortNames

    package init(_ moment: TopMoment, _ view: View, _ style: TextStyle, width: Int) {
        (self.moment, self.view, self.style, self.width) = (moment, view, style, max(width, 20))
        let heap = moment.heap
        names = ShortNames(TaskWords.types(heap?.tasks ?? [], nil).union(heap?.types.map(\.type) ?? []))
    }

    /// All lines of a screen with so many; none is longer than its width.
    package func screen(height: Int, at time: String) -> [String] {
        var lines = heading(time) + [""]
        let room = max(height - lines.count - 1, 1)
        lines += body(room).prefix(room)
        while lines.count < height - 1 { lines.append("") }
        lines = Array(lines.prefix(max(height - 1, 1)))
        let keys =
            view.message
            ?? "q quit  1-4 one table  0 all  s sort  / filter  p pause  ↑↓ ⏎ what holds it"
        return lines + [style.paint(TextTable.cut(PlainText.clean(keys), width), .faint)]
    }

    /// The same for a pipe: the first rows of all tables, however many lines that takes.
    package func batch(rows: Int, at time: String) -> [String] {
        var lines = heading(time)
        for table in Table.allCases {
            let shown = self.rows(of: table).prefix(rows)
            if !shown.isEmpty { lines += [title(of: table)] + shown.map { TextTable.cut($0, width) } }
        }
        return lines + [""]
    }

    /// Ways from roots to objects as lines.
    package static func lines(of ways: [HeldBy], style: TextStyle) -> [String] {
        let names = ShortNames(Set(ways.flatMap { $0.references.flatMap { [$0.from, $0.to] } }))
        return ways.flatMap { way in
            [NumberFormat.count(way.instances, "object") + ":"] + TextLiving.lines(of: way, names: names, style: style)
        }
    }

    // MARK: - The heading

    private func heading(_ time: String) -> [String] {
        let program = PlainText.clean(moment.program)
        var facts = ["\(NumberFormat.fixed(moment.processors, 2)) processors"]
        facts.append(NumberFormat.bytes(moment.residentBytes))
        facts.append(NumberFormat.count(moment.threadCount, "thread"))
        if let descriptors = moment.descriptors { facts.append(NumberFormat.count(descriptors, "descriptor")) }
        let right = (view.isPaused ? "paused · " : "") + time
        let title = TextTable.cut(
            "\(program) (\(moment.process)) · \(facts.joined(separator: " · "))", width - right.count - 2)
        return [
            style.paint(TextTable.left(title, width - right.count) + right, .bold), TextTable.cut(heapLine, width),
        ]
    }

    private var heapLine: String {
        guard let heap = moment.heap else {
            return moment.heapProblem.map { "Heap and tasks: " + PlainText.clean($0) }
                ?? "The heap was not looked at yet."
        }
        var parts = ["Heap \(NumberFormat.bytes(heap.bytes)) in \(NumberFormat.count(heap.blocks, "block"))"]
        if heap.grownBytes != 0 { parts[0] += ", \(signed(heap.grownBytes)) since the first look" }
        if heap.taskCount > 0 {
            let lost = heap.neverResuming > 0 ? ", \(NumberFormat.count(heap.neverResuming)) can never resume" : ""
            parts.append(NumberFormat.count(heap.taskCount, "task") + lost)
        }
        parts.append("stopped for \(NumberFormat.seconds(heap.pause))")
        return parts.joined(separator: " · ")
    }

    private func signed(_ bytes: Int64) -> String {
        (bytes < 0 ? "−" : "+") + NumberFormat.bytes(bytes.magnitude)
    }

    // MARK: - Tables

    private func body(_ room: Int) -> [String] {
        if let ways = view.ways {
            let lines = ways.lines.isEmpty ? ["No path from a root to one of them was found."] : ways.lines
            let title = "What holds \(PlainText.clean(names[ways.type])):"
            return ([title] + lines).map { TextTable.cut($0, width) }
        }
        if let table = view.table { return self.table(table, room: room) }
        let filled = Table.allCases.filter { !rows(of: $0).isEmpty }
        guard !filled.isEmpty else { return ["Nothing ran in this interval."] }
        // Each has its title and its share of the lines; what one does not need is left to the next.
        var (lines, left) = ([String](), room)
        for (index, table) in filled.enumerated() {
            let share = left / (filled.count - index)
            let part = self.table(table, room: share)
            lines += part
            left -= part.count
        }
        return lines
    }

    private func table(_ table: Table, room: Int) -> [String] {
        let rows = rows(of: table)
        let marked = view.table == table ? min(view.selected, rows.count - 1) : -1
        let first = max(0, min(marked - (room - 2) + 1, rows.count - 1))
        var lines = [style.paint(TextTable.cut(title(of: table), width), .faint)]
        for (index, row) in rows.enumerated().dropFirst(marked < 0 ? 0 : first).prefix(max(room - 1, 0)) {
            let text = TextTable.cut(row, width)
            lines.append(index == marked ? style.paint("▸" + text.dropFirst(), .bold) : text)
        }
        return lines
    }

    private func title(of table: Table) -> String {
        switch table {
        case .functions:
            "    own  with callees  function, by \(view.order == .second ? "time with callees" : "own time")"
        case .threads: "  of a processor  thread"
        case .types: "       bytes      count      growth  type, by \(typeOrder)"
        case .tasks: "  tasks"
        }
    }

    private var typeOrder: String {
        switch view.order {
        case .first: "bytes"
        case .second: "growth since the first look"
        case .third: "count"
        }
    }

    private func rows(of table: Table) -> [String] { entries(of: table).map(\.row) }

    private func entries(of table: Table) -> [(key: String, row: String)] {
        let all: [(key: String, row: String)] =
            switch table {
            case .functions: functions
            case .threads: threads
            case .types: types
            case .tasks: tasks
            }
        guard !view.filter.isEmpty else { return all }
        let wanted = view.filter.lowercased()
        return all.filter { $0.row.lowercased().contains(wanted) }
    }

    /// The type in a row of the table of types; nil: there is none.
    package func type(inRow row: Int) -> String? {
        let entries = entries(of: .types)
        return entries.isEmpty ? nil : entries[max(0, min(row, entries.count - 1))].key
    }

    /// How many rows a table has.
    package func count(of table: Table) -> Int { entries(of: table).count }

    private var functions: [(key: String, row: String)] {
        let key: (TopMoment.Function) -> (Double, Double) =
            view.order == .second ? { ($0.total, $0.own) } : { ($0.own, $0.total) }
        let sorted = moment.functions.sorted {
            let (one, other) = (key($0), key($1))
            return (one.0, one.1, $1.name, $1.module) > (other.0, other.1, $0.name, $0.module)
        }
        return sorted.map { function in
            let name = PlainText.clean(FunctionName.display(function.name))
            let module = function.module.isEmpty ? "" : "  \(PlainText.clean(function.module))"
            return (
                function.name,
                "\(percent(function.own, 7))\(percent(function.total, 13))  \(name)\(module)"
            )
        }
    }

    private var threads: [(key: String, row: String)] {
        moment.threads.sorted { ($0.share, $1.name) > ($1.share, $0.name) }.map {
            ($0.name, "\(percent($0.share, 16))  \(PlainText.clean($0.name))")
        }
    }

    private var types: [(key: String, row: String)] {
        func key(_ row: TopHeap.TypeRow) -> (Int64, Int64) {
            switch view.order {
            case .first: (Int64(clamping: row.bytes), Int64(row.count))
            case .second: (row.grownBytes, Int64(clamping: row.bytes))
            case .third: (Int64(row.count), Int64(clamping: row.bytes))
            }
        }
        let sorted = (moment.heap?.types ?? []).sorted {
            let (one, other) = (key($0), key($1))
            return (one.0, one.1, $1.type) > (other.0, other.1, $0.type)
        }
        return sorted.map { row in
            let growth = row.grownBytes == 0 ? "" : signed(row.grownBytes)
            let figures = [(NumberFormat.bytes(row.bytes), 12), (NumberFormat.count(row.count), 11), (growth, 12)]
            return (
                row.type,
                figures.map { TextTable.right($0.0, $0.1) }.joined() + "  " + PlainText.clean(names[row.type])
            )
        }
    }

    private var tasks: [(key: String, row: String)] {
        (moment.heap?.tasks ?? []).map { group in
            let title = TextTasks.title(group, names)
            return (title, title)
        }
    }

    private func percent(_ share: Double, _ width: Int) -> String {
        TextTable.right(NumberFormat.fixed(100 * share, 1) + " %", width)
    }
}
