import GameprofAnalysis
import GameprofBasics

/// What ended the program, on top of a text report.
enum TextCrash {
    private static let frameLimit = 8

    static func lines(_ crash: Report.Crash, style: TextStyle) -> [String] {
        var lines = [
            style.paint(
                TextTable.spread(
                    "✗ \(CrashText.title(crash))", PlainText.clean(CrashText.place(crash)), width: style.width), .error)
        ]
        lines += row("access", CrashText.access(crash) ?? "", style)
        lines += row("reason", crash.message ?? "", style) + row("means", CrashText.meaning(crash) ?? "", style)
        let frames = FoldedFrames.rows(crash.stack?.telling ?? [], isCut: crash.stack?.truncated == true)
        for (index, shown) in frames.prefix(frameLimit).enumerated() {
            let place = SourceLocation.short(file: shown.frame.file, line: shown.frame.line) ?? shown.frame.module
            lines += row(
                index == 0 ? "in" : "", "\(FunctionName.display(shown.frame.function))  \(place)", style)
            lines += row("", shown.omitted.map { "  … \($0)" } ?? "", style)
        }
        if frames.count > frameLimit {
            lines += row("", "… \(NumberFormat.count(frames.count - frameLimit, "more frame"))", style)
        }
        return lines + [""]
    }

    private static let (threadLimit, threadFrameLimit) = (12, 4)

    /// Where the other threads of a core file stood.
    static func threads(
        _ threads: [Report.ThreadStack]?, beside crash: Report.Crash?, style: TextStyle
    ) -> [String] {
        let threads = CrashText.others(threads, beside: crash)
        guard !threads.isEmpty else { return [] }
        var lines = [style.paint(CrashText.threadsHeading(beside: crash), .bold)]
        for thread in threads.prefix(threadLimit) {
            lines.append("  " + TextTable.cut(PlainText.clean(CrashText.names(thread)), max(20, style.width - 2)))
            let frames = FoldedFrames.rows(thread.stack.telling)
            for (index, shown) in frames.prefix(threadFrameLimit).enumerated() {
                let place = SourceLocation.short(file: shown.frame.file, line: shown.frame.line) ?? shown.frame.module
                lines += row(index == 0 ? "in" : "", "\(FunctionName.display(shown.frame.function))  \(place)", style)
            }
            if frames.count > threadFrameLimit {
                lines += row("", "… \(NumberFormat.count(frames.count - threadFrameLimit, "more frame"))", style)
            }
            if frames.isEmpty { lines += row("in", "code that is not known", style) }
        }
        if threads.count > threadLimit {
            let more = threads.dropFirst(threadLimit).reduce(0) { $0 + $1.threads.count }
            lines.append("  … \(NumberFormat.count(more, "more thread")): see the page or the JSON")
        }
        return lines + [""]
    }

    private static func row(_ label: String, _ text: String, _ style: TextStyle) -> [String] {
        guard !text.isEmpty else { return [] }
        return TextTable.wrap(
            PlainText.clean(text), first: "    " + TextTable.left(label, 9), rest: String(repeating: " ", count: 13),
            width: style.width)
    }
}
