import GameprofAnalysis
import GameprofBasics

/// What resident memory is, for a terminal.
enum TextFootprint {
    private static let barWidth = 20
    private static let rowLimit = 5

    /// - Parameter isWhole: with arenas, what pins pages, and what each part consists of.
    static func lines(_ report: Report, names: ShortNames, style: TextStyle, isWhole: Bool) -> [String] {
        guard let footprint = report.footprint else {
            return isWhole ? ["Resident memory was not measured.", ""] : []
        }
        var lines = [style.paint(FootprintWords(footprint, names: names).title, .bold)]
        let words = FootprintWords(footprint, names: names)
        let addressSpace = isWhole || words.isLimited ? words.addressSpace : nil
        for sentence in [footprint.summary, footprint.remedy, words.untouched, addressSpace].compactMap({ $0 }) {
            lines += TextTable.wrap(PlainText.clean(sentence), first: "  ", rest: "  ", width: style.width)
        }
        for part in footprint.parts {
            lines.append(row(part, of: footprint.residentBytes))
            guard isWhole else { continue }
            for portion in part.largest.prefix(rowLimit) {
                let name = FootprintWords.title(portion, of: part.kind)
                lines.append(style.paint("  " + aligned("  " + name, portion.bytes), .faint))
            }
        }
        if isWhole {
            lines += arenas(footprint) + pinned(footprint, names: names, style: style)
            lines += unused(footprint, names: names, style: style) + threads(footprint, style: style)
        }
        return lines + [""]
    }

    private static func aligned(_ name: String, _ bytes: UInt64) -> String {
        TextTable.left(name, 36) + TextTable.right(NumberFormat.bytes(bytes), 9)
    }

    private static func row(_ part: Report.Footprint.Part, of whole: UInt64) -> String {
        let share = Double(part.bytes) / Double(max(whole, 1))
        let bar = String(repeating: "█", count: Int((share * Double(barWidth)).rounded()))
        return "  " + aligned(FootprintWords.title(part.kind), part.bytes)
            + TextTable.right("\(NumberFormat.fixed(100 * share, 0)) %", 7) + (bar.isEmpty ? "" : "  \(bar)")
    }

    private static func arenas(_ footprint: Report.Footprint) -> [String] {
        guard !footprint.arenas.isEmpty else { return [] }
        let titles = ["in use", "free pages", "beside used", "ends", "caches"]
        var lines = ["  " + TextTable.left("malloc's arenas", 18) + titles.map { TextTable.right($0, 12) }.joined()]
        for arena in footprint.arenas.prefix(rowLimit) {
            let values = [arena.live, arena.trimmable, arena.pinned, arena.top, arena.cached]
            lines.append(
                "    " + TextTable.left(FootprintWords.title(arena), 16)
                    + values.map { TextTable.right(NumberFormat.bytes($0), 12) }.joined())
        }
        let more = footprint.arenas.count - rowLimit
        return lines + (more > 0 ? ["    … and \(NumberFormat.count(more, "more arena"))"] : [])
    }

    private static func maker(of stack: CallStack?, style: TextStyle) -> [String] {
        guard let maker = FootprintWords.maker(stack).flatMap({ CallStack(frames: [$0]).maker }) else { return [] }
        return [style.paint("      made in \(TextTable.cut(maker, max(20, style.width - 14)))", .faint)]
    }

    private static func threads(_ footprint: Report.Footprint, style: TextStyle) -> [String] {
        guard let rows = footprint.threads else { return [] }
        let lines = rows.prefix(rowLimit).flatMap { row in
            let left = "    " + TextTable.cut(FootprintWords.title(row), max(20, style.width - 50))
            let right =
                "\(NumberFormat.bytes(row.stackBytes)) of address space, \(NumberFormat.bytes(row.residentBytes)) resident"
            return [TextTable.spread(left, right, width: style.width)] + maker(of: row.createdBy, style: style)
        }
        let more = rows.count - rowLimit + (footprint.threadsOmitted ?? 0)
        return ["  Stacks of threads"] + lines + (more > 0 ? ["    … and \(NumberFormat.count(more)) more"] : [])
    }

    private static func unused(_ footprint: Report.Footprint, names: ShortNames, style: TextStyle) -> [String] {
        guard let rows = footprint.unused else { return [] }
        return ["  Collections with unused capacity"]
            + rows.prefix(rowLimit).flatMap { row in
                let left = "    " + TextTable.cut(PlainText.clean(names[row.type]), max(20, style.width - 40))
                let right = "\(NumberFormat.count(row.count)), \(NumberFormat.bytes(row.bytes)) unused"
                return [TextTable.spread(left, right, width: style.width)] + maker(of: row.allocatedBy, style: style)
            }
    }

    private static func pinned(_ footprint: Report.Footprint, names: ShortNames, style: TextStyle) -> [String] {
        guard !footprint.pinnedBy.isEmpty else { return [] }
        var lines = ["  Blocks that keep mostly free pages"]
        for row in footprint.pinnedBy.prefix(rowLimit) {
            let left = "    " + TextTable.cut(PlainText.clean(names[row.type]), max(20, style.width - 40))
            let right = "\(NumberFormat.count(row.pages, "page")), \(NumberFormat.bytes(row.freeBytes)) free"
            lines.append(TextTable.spread(left, right, width: style.width))
            lines += maker(of: row.allocatedBy, style: style)
        }
        return lines
    }
}
