import GameprofAnalysis
import GameprofBasics

/// The allocations part of a text report.
enum TextAllocations {
    private static let typeLimit = 15
    private static let stackLimit = 10

    static func lines(_ allocations: Report.Allocations, names: ShortNames, style: TextStyle) -> [String] {
        var lines = self.totals(allocations, style: style) + [""]
        let isSampled = allocations.sampled != nil
        lines.append(style.paint(header("by type", isSampled: isSampled), .bold))
        lines += allocations.byType.prefix(typeLimit).map { row in
            let figures = figures(row.counts)
            return figures + "  "
                + TextTable.cut(PlainText.clean(names[row.type]), max(20, style.width - figures.count - 6))
        }
        lines += more(allocations.byType.count - typeLimit + allocations.omittedTypes, "type")
        lines += ["", style.paint(header("by stack", isSampled: isSampled), .bold)]
        for row in allocations.byStack.prefix(stackLimit) { lines += stack(row, names: names, style: style) }
        lines += more(allocations.byStack.count - stackLimit + allocations.omittedStacks, "stack")
        if let objects = allocations.objects { lines += [""] + TextObjects.lines(objects, names: names, style: style) }
        return lines
    }

    private static func totals(_ allocations: Report.Allocations, style: TextStyle) -> [String] {
        let totals = allocations.totals
        let parts = [
            SampledText.count(totals, .allocations, "allocation"),
            "\(SampledText.bytes(totals, .bytes)) in all",
            "peak \(SampledText.bytes(totals, .peakBytes)) at \(NumberFormat.seconds(allocations.peakSeconds))",
            "\(SampledText.count(totals, .temporary)) temporary",
            "\(SampledText.bytes(totals, .liveBytes)) live at the end",
        ]
        guard let sampled = allocations.sampled else { return [parts.joined(separator: " · ")] }
        let method = SampledText.method(samples: totals.sampled?.samples ?? 0, mean: sampled.meanBytes)
        return TextTable.wrap(method, first: "", rest: "", width: style.width) + [""] + parts
    }

    private static func header(_ title: String, isSampled: Bool) -> String {
        column("bytes") + (isSampled ? TextTable.right("95 %", rangeWidth) : "") + TextTable.right("count", 11)
            + column("peak") + TextTable.right("temporary", 12) + "  \(title)"
    }

    private static let rangeWidth = 16

    private static func figures(_ counts: AllocationCounts) -> String {
        column(NumberFormat.bytes(counts.bytes))
            + (counts.interval(.bytes).map { TextTable.right(SampledText.bytes($0), rangeWidth) } ?? "")
            + TextTable.right(NumberFormat.count(counts.allocations), 11)
            + column(NumberFormat.bytes(counts.peakBytes)) + TextTable.right(NumberFormat.count(counts.temporary), 12)
    }

    private static func column(_ text: String) -> String { TextTable.right(text, 10) }

    private static func stack(_ row: Report.StackRow, names: ShortNames, style: TextStyle) -> [String] {
        let frames = row.allocatedBy.telling
        let figures = figures(row.counts)
        let room = max(20, style.width - figures.count - 6)
        let first = frames.first.map(place) ?? "no stack"
        var lines = [figures + "  " + TextTable.cut(first, room)]
        let indent = String(repeating: " ", count: figures.count + 2)
        lines += frames.dropFirst().prefix(2).map {
            style.paint(indent + "← " + TextTable.cut(place($0), room), .faint)
        }
        return lines
    }

    private static func place(_ frame: CallStack.Frame) -> String {
        let place = SourceLocation.short(file: frame.file, line: frame.line)
        return PlainText.clean(FunctionName.display(frame.function) + (place.map { "  \($0)" } ?? ""))
    }

    private static func more(_ count: Int, _ noun: String) -> [String] {
        count > 0 ? [TextTable.right("", 45) + "… \(NumberFormat.count(count, "more \(noun)"))"] : []
    }
}
