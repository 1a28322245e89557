import GameprofBasics
import GameprofTrace

/// Where tasks wait that can never resume: of each task, and of all that began with one function.
struct WaitingFunctions {
    private var byBeginning: [String: Set<Finding.StuckWait>] = [:]
    private var byBlock: [UInt64: Place] = [:]

    /// Where one task waits.
    struct Place: Hashable {
        var wait: Finding.StuckWait
        /// The user's functions that wait for one another, the innermost first.
        var functions: [String]
    }

    init(_ list: TaskList?, symbolicator: any Symbolicating) {
        let stuck = (list?.tasks ?? []).filter(\.neverResumes)
        guard !stuck.isEmpty else { return }
        symbolicator.prepare(stacks: [], addresses: Set(stuck.lazy.flatMap(\.resume)))
        for task in stuck {
            let stack = AwaitStack.of(task.resume, symbolicator)
            let wait = Self.wait(of: task, in: stack)
            if task.address != 0, !task.isAsyncLet {
                let functions = stack.frames.filter { $0.origin == .user }.map(\.function)
                byBlock[task.address] = Place(wait: wait, functions: functions)
            }
            if let outermost = stack.frames.last(where: { $0.origin == .user })?.function {
                byBeginning[outermost, default: []].insert(wait)
            }
        }
    }

    private static func wait(of task: TaskFacts, in stack: CallStack) -> Finding.StuckWait {
        let frame = stack.frames.first { $0.origin == .user }
        let site = frame.map {
            Finding.Site(
                function: FunctionName.display($0.function), place: SourceLocation.short(file: $0.file, line: $0.line))
        }
        switch task.status {
        case .executor(let type, _, _): return Finding.StuckWait(kind: .executor(type), site: site)
        case .task, .group: return Finding.StuckWait(kind: .tasks, site: site)
        default:
            let isStream = AwaitStack.libraryWait(stack) == .stream
            return Finding.StuckWait(kind: isStream ? .stream : .continuation, site: site)
        }
    }

    /// Where the task in the block at an address waits; nil: not known.
    func place(at block: UInt64) -> Place? { byBlock[block] }

    /// Where the tasks that began with a function wait; nil: that is not known, or they wait in several ways.
    func wait(begunIn function: String?) -> Finding.StuckWait? {
        function.flatMap { byBeginning[$0] }.flatMap { $0.count == 1 ? $0.first : nil }
    }
}
