import GameprofAnalysis
import GameprofBasics

/// The time part of a text report.
enum TextHotspots {
    private static let functionLimit = 20
    private static let callerLimit = 3
    /// Functions of which the callers are shown.
    private static let calledLimit = 5
    /// Shares below this are not worth a line.
    private static let leastShare = 0.001

    static func lines(_ hotspots: Report.Hotspots, wallSeconds: Double, style: TextStyle) -> [String] {
        var lines = [summary(hotspots)]
        if let headline = HotspotHeadline.sentence(hotspots, wallSeconds: wallSeconds, clean: PlainText.clean) {
            lines += TextTable.wrap(headline, first: "", rest: "  ", width: style.width).map { style.paint($0, .bold) }
        }
        if !hotspots.method.isEmpty { lines.append(style.paint(PlainText.clean(hotspots.method), .faint)) }
        lines.append("")
        guard hotspots.samples > 0 else {
            return lines + ["There are no samples, because the program used less CPU time than one sampling period."]
                + waiting(hotspots, style: style)
        }
        lines.append(style.paint(header("function"), .bold))
        let hot = hotspots.functions.filter { $0.own >= leastShare }
        var above: [String] = []
        for (index, row) in hot.prefix(functionLimit).enumerated() {
            lines.append(line(percent(row.total), percent(row.own), row, style: style))
            // Leaves of one function are told once who called them.
            if index < calledLimit, row.callers.prefix(callerLimit) != above[...] {
                lines += callers(of: row, in: hotspots, style: style)
            }
            above = Array(row.callers.prefix(callerLimit))
        }
        let more = hotspots.functions.count + hotspots.omittedFunctions - min(hot.count, functionLimit)
        if more > 0 { lines.append(TextTable.right("", 20) + "… \(NumberFormat.count(more, "more function"))") }
        lines += waiting(hotspots, style: style)
        lines += work(hotspots, style: style)
        return lines
    }

    private static func summary(_ hotspots: Report.Hotspots) -> String {
        var parts = [
            "\(NumberFormat.seconds(hotspots.cpuSeconds)) CPU",
            NumberFormat.count(Int(clamping: hotspots.samples), "sample"),
            "\(NumberFormat.count(hotspots.lost)) lost",
        ]
        let threads = hotspots.threads.count + (hotspots.omittedThreads ?? 0)
        if threads > 1 { parts.append(NumberFormat.count(threads, "thread")) }
        return parts.joined(separator: " · ")
    }

    private static func header(_ title: String) -> String {
        TextTable.right("total", 9) + TextTable.right("self", 9) + "  \(title)"
    }

    private static func percent(_ share: Double) -> String { "\(NumberFormat.fixed(share * 100, 1)) %" }

    private static func line(
        _ total: String, _ own: String, _ row: Report.Hotspots.FunctionRow, remark: String = "", style: TextStyle
    ) -> String {
        let left = TextTable.right(total, 9) + TextTable.right(own, 9) + "  "
        let place = SourceLocation.short(file: row.file, line: row.line) ?? row.module
        let room = max(24, style.width - left.count - place.count - 2)
        return left + TextTable.left(PlainText.clean(FunctionName.display(row.function) + remark), room) + "  "
            + PlainText.clean(place)
    }

    private static func callers(
        of row: Report.Hotspots.FunctionRow, in hotspots: Report.Hotspots, style: TextStyle
    ) -> [String] {
        row.callers.prefix(callerLimit).enumerated().map { depth, name in
            let known = hotspots.functions.first { $0.function == name }
            let share = known.map { TextTable.right(percent($0.total), 9) + TextTable.right(percent($0.own), 9) }
            let place = known.flatMap { SourceLocation.short(file: $0.file, line: $0.line) } ?? ""
            let left = (share ?? TextTable.right("", 18)) + "  " + String(repeating: " ", count: 2 * depth) + "└ "
            let room = max(20, style.width - left.count - place.count - 2)
            let text = left + TextTable.left(PlainText.clean(FunctionName.display(name)), room) + "  "
            return style.paint(text + PlainText.clean(place), .faint)
        }
    }

    /// How many rows stand in no line.
    private static func more(_ cut: Int, _ omitted: Int?, _ one: String, _ many: String) -> [String] {
        let count = max(0, cut) + (omitted ?? 0)
        return count > 0 ? [TextTable.right("", 20) + "… \(NumberFormat.count(count, one, many))"] : []
    }

    private static func work(_ hotspots: Report.Hotspots, style: TextStyle) -> [String] {
        guard let rows = hotspots.work else { return [] }
        let heading = TextTable.right("share", 9) + TextTable.right("CPU", 9) + "  queue or task"
        return ["", style.paint(heading, .bold)]
            + rows.prefix(functionLimit).map {
                TextTable.right(percent($0.share), 9) + TextTable.right(NumberFormat.seconds($0.cpuSeconds), 9)
                    + "  \($0.kind.rawValue) \(PlainText.clean($0.name))"
            }
            + more(rows.count - functionLimit, hotspots.omittedWork, "more queue or task", "more queues and tasks")
    }

    private static func waiting(_ hotspots: Report.Hotspots, style: TextStyle) -> [String] {
        guard let rows = hotspots.offCPU?.filter({ $0.own > 0 }), !rows.isEmpty else { return [] }
        var lines = ["", style.paint(header("waiting"), .bold)]
        lines += rows.prefix(functionLimit).map {
            let reasons = WaitText.reasons($0)
            return line(
                NumberFormat.seconds($0.total), NumberFormat.seconds($0.own), $0,
                remark: reasons.isEmpty ? "" : " · \(reasons)",
                style: style)
        }
        lines += more(rows.count - functionLimit, hotspots.omittedWaits, "more function", "more functions")
        if let idle = hotspots.idleSeconds, idle > 0 {
            lines.append(
                TextTable.right("", 20) + style.paint("idle threads of pools: \(NumberFormat.seconds(idle))", .faint))
        }
        return lines
    }
}

/// What a function waited for, in words.
package enum WaitText {
    /// `lock that search() holds (thread worker), sleep`, the longest first.
    package static func reasons(_ row: Report.Hotspots.FunctionRow) -> String {
        (row.waitsFor ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map { reason($0.key, row) }
            .joined(separator: ", ")
    }

    /// One reason for waiting, with who holds the lock.
    static func reason(_ reason: String, _ row: Report.Hotspots.FunctionRow) -> String {
        guard reason == "lock", let holders = row.heldBy, let first = holders.first else { return reason }
        let isAlone = first.seconds >= 0.9 * holders.reduce(0) { $0 + $1.seconds }
        let function = PlainText.clean(FunctionName.display(first.function))
        let verb = isAlone ? "holds" : "and others hold"
        return "lock that \(function) \(verb) (\(PlainText.clean(ThreadNames.phrase(first.thread))))"
    }
}
