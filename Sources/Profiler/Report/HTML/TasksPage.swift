import GameprofAnalysis
import GameprofBasics

/// The tasks of a process as one page: a group of equal ones after the other, with the functions that wait.
package enum TasksPage {
    private static let groupLimit = 200

    /// The page as text; it opens from disk, needs no network and is well below two megabytes.
    package static func render(_ report: TaskReport, editor: Editor? = nil, showsSources: Bool = true) throws -> String
    {
        var limits = PageLimits.steps[report.groups.count < 50 ? 1 : 3]
        limits.editor = editor
        let names = ShortNames(TaskWords.types(report))
        let sources = SourceLines(areHidden: !showsSources)
        let view = TaskGroupView(limits: limits, sources: sources, names: names)
        let name = report.executable.split(separator: "/").last.map(String.init) ?? "?"
        let omitted = report.groups.count - groupLimit
        let crash = CrashView(
            crash: report.crash, threads: report.threads, limits: limits, sources: sources, isOpen: true)
        return try PageTemplates.render(
            [
                "style": String(decoding: PageStyle.css, as: UTF8.self), "script": PageTemplates.script,
                "name": PageText.clean(name),
                "process": optional(report.process.map(String.init)),
                "verdict": TaskWords.summary(report), "worst": worst(report).rawValue,
                "notMeasured": optional(report.notMeasured.map { PageText.clean($0) }),
                "crash": optional(crash.values), "threads": optional(crash.threadValues),
                "figures": figures(report).map { ["name": $0.0, "value": NumberFormat.count($0.1)] },
                "queues": TaskGroupView.queues(report.mailboxes, report.finishedChildren, names),
                "groups": report.groups.prefix(groupLimit).enumerated().map {
                    view.values($0.element, number: $0.offset, isOpen: $0.offset == 0)
                },
                "more": optional(
                    omitted > 0 ? "\(NumberFormat.count(omitted, "more group")) in the JSON report." : nil),
                "notes": report.notes.prefix(20).map { PageText.clean($0) },
            ], as: "tasks")
    }

    private static func worst(_ report: TaskReport) -> PageVerdict.Kind {
        report.neverResuming > 0 ? .error : report.notMeasured != nil ? .unmeasured : .neutral
    }

    /// How many tasks are in which state.
    private static func figures(_ report: TaskReport) -> [(String, Int)] {
        var counts: [TaskReport.State.Kind: Int] = [:]
        for group in report.groups { counts[group.state.kind, default: 0] += group.count }
        let states = TaskReport.State.Kind.allCases.compactMap { kind in
            counts[kind].map { (TaskWords.heading(kind), $0) }
        }
        let ended = report.ended > 0 ? [("ended, and kept", report.ended)] : []
        return [("tasks", report.count), ("can never resume", report.neverResuming)] + states + ended
    }
}
