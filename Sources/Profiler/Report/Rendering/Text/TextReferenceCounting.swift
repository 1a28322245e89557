import GameprofAnalysis
import GameprofBasics

/// Retains and releases, in a text report.
package enum TextReferenceCounting {
    private typealias Counting = Report.ReferenceCounting

    private static let functionLimit = 15
    private static let libraryLimit = 8
    private static let nameLimit = 3
    /// A caller with a smaller part would be shown as 0 %, and is left out.
    private static let leastShare = 0.005

    static func lines(_ counting: Report.ReferenceCounting, names: ShortNames, style: TextStyle) -> [String] {
        var lines = TextTable.wrap(
            "Reference counting: " + summary(counting), first: "", rest: "  ", width: style.width
        ).map {
            style.paint($0, .bold)
        }
        lines += TextTable.wrap(remark(counting), first: "", rest: "  ", width: style.width).map {
            style.paint($0, .faint)
        }
        guard !counting.functions.isEmpty || !counting.libraries.isEmpty else { return lines }
        lines += ["", style.paint("      retains     releases  ≈ in libraries  function", .bold)]
        for row in counting.functions.prefix(functionLimit) {
            let estimate = inLibraries(row)
            let figures =
                count(row.retains) + count(row.releases) + TextTable.right(estimate > 0 ? count(estimate) : "", 16)
            let place = PlainText.clean(SourceLocation.short(file: row.file, line: row.line) ?? row.module)
            let name = PlainText.clean(FunctionName.display(row.function))
            let room = max(24, style.width - figures.count - place.count - 4)
            lines.append(figures + "  " + TextTable.left(name, room) + "  " + place)
            lines += detail(details(row, names), indent: figures.count + 4, style: style)
        }
        lines += more(counting.functions.count - functionLimit + counting.omittedFunctions)
        guard !counting.libraries.isEmpty else { return lines }
        lines += ["", style.paint("      retains     releases  of libraries and of what the compiler made", .bold)]
        for row in counting.libraries.prefix(libraryLimit) {
            let figures = count(row.retains) + count(row.releases)
            lines.append(
                figures + "  "
                    + TextTable.cut(
                        PlainText.clean(FunctionName.display(row.function)), max(24, style.width - figures.count - 2)))
            lines += detail(callers(row), indent: figures.count + 4, style: style)
        }
        return lines + more(counting.libraries.count - libraryLimit + counting.omittedLibraries)
    }

    /// `2,000,000 retains, 2,000,000 releases · 3,900,000 atomic operations · 31 ms in them, by samples`
    package static func summary(_ counting: Report.ReferenceCounting) -> String {
        var parts = [
            "\(NumberFormat.count(counting.retains, "retain")), "
                + NumberFormat.count(counting.releases, "release"),
            NumberFormat.count(counting.atomic, "atomic operation"),
        ]
        if counting.immortal > 0 {
            parts.append("\(NumberFormat.count(counting.immortal)) of static objects, without effect")
        }
        if counting.seconds > 0 { parts.append("\(NumberFormat.seconds(counting.seconds)) in them, by samples") }
        return parts.joined(separator: " · ")
    }

    /// Which figures are exact.
    package static func remark(_ counting: Report.ReferenceCounting) -> String {
        var sentences = ["Counts are exact, but for ≈: sampled stacks tell who called a library."]
        if let missed = counting.missed {
            sentences.append(
                "\(NumberFormat.count(missed, "more call")) by signal handlers \(missed == 1 ? "was" : "were") not counted."
            )
        }
        if counting.countingSeconds > 0 {
            sentences.append(
                "Counting took \(NumberFormat.seconds(counting.countingSeconds)) of the CPU time, in these functions.")
        }
        return sentences.joined(separator: " ")
    }

    /// Retains and releases, an estimate.
    package static func inLibraries(_ row: Report.ReferenceCounting.FunctionRow) -> UInt64 {
        [row.libraryRetains, row.libraryReleases].clampedSum
    }

    /// `Card 1,200, Board 40 · via Array.append(_:)`
    package static func details(_ row: Report.ReferenceCounting.FunctionRow, _ names: ShortNames) -> String {
        let types = row.types.prefix(nameLimit).map {
            "\(PlainText.clean(names[$0.type])) \(NumberFormat.count($0.changes))"
        }
        let via = row.via.prefix(nameLimit).map { PlainText.clean(FunctionName.display($0)) }
        return [types.joined(separator: ", "), via.isEmpty ? "" : "via " + via.joined(separator: ", ")]
            .filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// `called by deal() 70 %, draw() 30 %`
    package static func callers(_ row: Report.ReferenceCounting.LibraryRow) -> String {
        let names = row.callers.prefix(nameLimit).filter { $0.share >= leastShare }.map {
            "\(PlainText.clean(FunctionName.display($0.function))) \(NumberFormat.fixed($0.share * 100, 0)) %"
        }
        return names.isEmpty ? "" : "≈ called by " + names.joined(separator: ", ")
    }

    private static func detail(_ text: String, indent: Int, style: TextStyle) -> [String] {
        guard !text.isEmpty else { return [] }
        let cut = TextTable.cut(text, max(20, style.width - indent))
        return [style.paint(String(repeating: " ", count: indent) + cut, .faint)]
    }

    private static func count(_ value: UInt64) -> String { TextTable.right(NumberFormat.count(value), 13) }

    private static func more(_ count: Int) -> [String] {
        count > 0 ? ["  … \(NumberFormat.count(count, "more function"))"] : []
    }
}
