import GameprofAnalysis
import GameprofBasics

/// What the template of a stack is filled with: the user's frames, the rest folded.
struct StackView {
    let label: String
    let stack: CallStack
    let limits: PageLimits
    let sources: SourceLines

    /// Frames that show their line of source.
    private static let sourceFrames = 6

    var values: [String: Any] {
        let telling = FoldedFrames.rows(stack.telling, isCut: stack.truncated).prefix(limits.frames)
        let isFolded = telling.count < stack.frames.count
        var title = label
        if let thread = stack.thread { title += " on thread \(PageText.clean(thread, limit: 40))" }
        return [
            "label": title,
            "frames": telling.enumerated().map { index, row in
                Self.frame(row.frame, limits: limits, source: index < Self.sourceFrames ? sources : nil)
                    .merging(["omitted": optional(row.omitted)]) { $1 }
            },
            "hasFolded": isFolded, "foldedLabel": "all \(NumberFormat.count(stack.frames.count)) frames",
            "folded": isFolded
                ? stack.frames.prefix(limits.frames).map { Self.frame($0, limits: limits, source: nil) } : [],
        ]
    }

    static func frame(_ frame: CallStack.Frame, limits: PageLimits, source: SourceLines?) -> [String: Any] {
        let place = SourceLocation.short(file: frame.file, line: frame.line) ?? frame.module
        let line = source?.line(frame.line, of: frame.file)
        return [
            "function": PageText.clean(FunctionName.display(frame.function), limit: limits.textLength),
            "place": PageText.clean(place, limit: 80) + (frame.inlined ? " (inlined)" : ""),
            "link": optional(limits.editor?.link(file: frame.file, line: frame.line)),
            "source": optional(line.map { PageText.clean($0) }),
        ]
    }
}
