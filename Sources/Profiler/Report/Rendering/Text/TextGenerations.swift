import GameprofAnalysis
import GameprofBasics

/// What each generation left behind, in a text report.
enum TextGenerations {
    private static let generationLimit = 20
    private static let typeLimit = 5

    static func lines(_ generations: [Report.Generation], names: ShortNames, style: TextStyle) -> [String] {
        guard !generations.isEmpty else { return [] }
        var lines = [style.paint("Allocated after a mark and still live", .bold)]
        for generation in generations.prefix(generationLimit) {
            let title = "  \(PlainText.clean(generation.name)) at \(NumberFormat.seconds(generation.seconds))"
            let total =
                "\(NumberFormat.count(generation.liveCount, "block")) · \(NumberFormat.bytes(generation.liveBytes))"
            lines.append(TextTable.spread(title, total, width: style.width))
            for row in generation.byType.prefix(typeLimit) {
                let figures =
                    TextTable.right(NumberFormat.count(row.liveCount), 11)
                    + TextTable.right(NumberFormat.bytes(row.liveBytes), 10)
                let place =
                    generation.byStack.first { $0.type == row.type }?.allocatedBy?.telling.first
                    .map { " ← \(PlainText.clean(FunctionName.display($0.function)))" } ?? ""
                let text = PlainText.clean(names[row.type]) + place
                lines.append(figures + "  " + TextTable.cut(text, max(20, style.width - 23)))
            }
        }
        if generations.count > generationLimit {
            lines.append("  … \(NumberFormat.count(generations.count - generationLimit, "more mark"))")
        }
        return lines + [""]
    }
}
