import GameprofAnalysis
import GameprofBasics

/// What ended a program on its page, and where the threads of a core file stood.
struct CrashView {
    let crash: Report.Crash?
    let threads: [Report.ThreadStack]?
    let limits: PageLimits
    let sources: SourceLines
    let isOpen: Bool

    /// Nil: nothing ended it.
    var values: [String: Any]? {
        crash.map { crash in
            [
                "title": CrashText.title(crash), "place": PageText.clean(CrashText.place(crash), limit: 80),
                "message": optional(crash.message.map { PageText.clean($0, limit: limits.textLength) }),
                "access": optional(CrashText.access(crash).map { PageText.clean($0, limit: 80) }),
                "meaning": optional(CrashText.meaning(crash)), "isOpen": isOpen,
                "stack": optional(
                    crash.stack.map { StackView(label: "Stack", stack: $0, limits: limits, sources: sources).values }),
            ]
        }
    }

    /// Nil: nothing is known of other threads.
    var threadValues: [String: Any]? {
        let others = CrashText.others(threads, beside: crash)
        guard !others.isEmpty else { return nil }
        let more = others.dropFirst(limits.findings).reduce(0) { $0 + $1.threads.count }
        return [
            "heading": CrashText.threadsHeading(beside: crash),
            "stacks": others.prefix(limits.findings).map { thread in
                let label = PageText.clean(CrashText.names(thread), limit: limits.textLength)
                return StackView(label: label, stack: thread.stack, limits: limits, sources: sources).values
            },
            "more": optional(more > 0 ? "\(NumberFormat.are(more, "more thread")) in the JSON report." : nil),
        ]
    }
}
