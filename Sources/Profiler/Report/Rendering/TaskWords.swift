import GameprofAnalysis
import GameprofBasics

/// What tasks wait for, in words.
package enum TaskWords {
    /// "waiting for a sleep to end"; of what the program names nothing is escaped.
    package static func state(_ state: TaskReport.State, names: ShortNames = ShortNames([])) -> String {
        switch state.kind {
        case .running: "running on a thread"
        case .ready: "ready to run, waiting for a thread"
        case .actor: "waiting for the actor \(names[state.type ?? "?"])"
        case .executor: state.type.map { "waiting for the executor \(names[$0])" } ?? "waiting for an executor"
        case .task: "waiting for a task" + awaited(state, names)
        case .asyncLet: "waiting for an async let" + awaited(state, names)
        case .taskGroup: "waiting for a task group with \(children(state.unfinished ?? 0))"
        case .continuation: continuation(state, names)
        case .sleep: "sleeping"
        case .stream: "waiting for the next element of a stream"
        case .unknown: "waiting for something that cannot be determined"
        }
    }

    /// The types that the sentence of a state names.
    static func types(_ state: TaskReport.State) -> [String] {
        (state.type.map { [$0] } ?? []) + (state.awaited ?? []).flatMap(types)
    }

    /// A state as the heading of a figure.
    static func heading(_ kind: TaskReport.State.Kind) -> String {
        switch kind {
        case .running: "running"
        case .ready: "ready to run"
        case .actor: "waiting for an actor"
        case .executor: "waiting for an executor"
        case .task: "waiting for a task"
        case .asyncLet: "waiting for an async let"
        case .taskGroup: "waiting for a task group"
        case .continuation: "waiting for a continuation"
        case .sleep: "sleeping"
        case .stream: "waiting for a stream"
        case .unknown: "not determined"
        }
    }

    private static func continuation(_ state: TaskReport.State, _ names: ShortNames) -> String {
        switch state.holder {
        case .property:
            let field = FieldName.source((state.name ?? "?")[...])
            return "waiting for a continuation held by \(names[state.type ?? "?"]).\(field)"
        case .variable: return "waiting for a continuation held by the variable \(state.name ?? "?")"
        case .nobody: return "waiting for a continuation that nothing holds"
        case .unknown, nil: return "waiting for a continuation whose holder cannot be determined"
        }
    }

    private static func awaited(_ state: TaskReport.State, _ names: ShortNames) -> String {
        guard let awaited = state.awaited?.first else { return "" }
        return awaited.kind == .running ? " that runs" : " that is \(self.state(awaited, names: names))"
    }

    private static func children(_ count: Int) -> String {
        count == 1 ? "1 unfinished child" : "\(NumberFormat.count(count)) unfinished children"
    }

    /// "300 tasks, 297 of them can never resume".
    package static func summary(_ report: TaskReport) -> String {
        guard report.count > 0 else {
            return report.notMeasured == nil ? "no task that has not ended" : "not measured"
        }
        let lost = report.neverResuming
        let tasks = NumberFormat.count(report.count, "task")
        guard lost > 0 else { return tasks }
        if report.count == 1 { return "1 task, which can never resume" }
        return lost == report.count
            ? "\(tasks), none of which can ever resume"
            : "\(tasks), \(NumberFormat.count(lost)) of which can never resume"
    }
}
