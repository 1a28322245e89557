/// What to change, in a line. Only what the user's sources have is named: no storage that a macro or a library declares, and
/// `weak` only where it compiles.
enum FixAdvice {
    /// For a cycle: at the suspect, naming the property that would do as well.
    static func cycle(_ steps: [PathStep], suspect: Suspect, closureAt place: String?) -> String {
        let step = steps[suspect.step]
        let closure = place.map { "the closure at \($0)" } ?? step.closure ?? "the closure"
        if suspect.reason == .variableHoldsClosure {
            return "set the captured variable that holds \(closure) to nil when it is done, or make the closure a "
                + "nested function that nothing stores"
        }
        if let library = library(steps) { return library }
        if let library = librarysAlone(steps) { return library }
        let target = step.capturesSelf ? "self" : TypeName.bare(step.to)
        let list = step.capturesSelf ? "[weak self]" : "[weak …]"
        let holder = step.writtenField.map { "\(TypeName.bare(step.declaredIn ?? step.from)).\($0)" }
        switch suspect.reason {
        case .variableHoldsClosure: return ""
        case .closureCapturesSelf, .closureCaptures:
            let other = holder.map { ", or clear \($0) when it is done" } ?? ""
            return "capture \(target) weakly (\(list)) in \(closure)\(other)"
        case .methodReference:
            let method = place.map { "at \($0)" } ?? "of \(step.closure ?? "the method")"
            return "a method reference holds its object: pass a closure with [weak self] instead, \(method)"
        case .taskCaptures:
            let task = place.map { "the task at \($0)" } ?? step.closure.map { "the task of \($0)" } ?? "the task"
            let isWaiting = step.via.contains { $0.contains("Continuation") }
            let end = isWaiting ? "resume its continuation on every way" : "cancel the task when it is done"
            return "capture \(target) weakly (\(list)) in \(task), or \(end)"
        case .taskWaits:
            let place = holder.map { " (\($0))" } ?? ""
            return "resume what the task waits for\(place) or cancel it when it is done, "
                + "or capture \(target) weakly in it"
        case .backReferenceName, .madeByTarget, .pointsBackFromElement, .anyOne:
            return property(step, holder: holder, target: target, isSure: suspect.reason != .anyOne)
        }
    }

    /// For a cycle that a plain pointer still names: a weak reference would free what the pointer's owner may yet use.
    static func heldByPointer(_ step: PathStep) -> String {
        let holder = step.writtenField.map { "\(TypeName.bare(step.declaredIn ?? step.from)).\($0)" }
        return
            "none while the pointer is in use; when its operation is done, clear \(holder ?? "the reference"), not before"
    }

    /// Where a stored property holds the target, or a value or element inside it does.
    private static func property(_ step: PathStep, holder: String?, target: String, isSure: Bool) -> String {
        guard let holder else { return "let one side hold the other weakly" }
        if step.ownership == .conservative {
            return "clear \(holder) when it is done, or let what lies in it hold \(target) weakly"
        }
        guard let property = step.weakProperty else {
            if step.path.hasSuffix("]") {
                return "make \(holder) weak: store weak references in it, or empty it when it is done"
            }
            return step.cannotBeWeak
                ? "end \(holder) when it is done (cancel or finish what it serves): a property of its type cannot be weak"
                : "clear \(holder) when it is done, or let it hold \(target) weakly"
        }
        let fix = "make \(TypeName.bare(step.declaredIn ?? step.from)).\(step.path) weak (weak var \(property))"
        return isSure ? fix : "\(fix), or whichever reference is not the owner's"
    }

    private static func library(_ steps: [PathStep]) -> String? {
        let via = steps.flatMap(\.via)
        if via.contains("Foundation.Timer") {
            return "capture self weakly in the timer's closure: Foundation does not free a Timer, invalidated or not"
        }
        if via.contains(where: { $0.contains("DispatchSource") }) {
            return "cancel the dispatch source when it is done, or capture self weakly in its handler"
        }
        if via.contains("Dispatch.DispatchWorkItem") {
            return "capture self weakly in the work item, or drop the item when it is done"
        }
        if via.contains(where: { $0.contains("AsyncStream<") || $0.contains("AsyncThrowingStream<") }) {
            return "finish the stream when it is done, or capture self weakly in its onTermination"
        }
        return nil
    }

    /// A cycle that only properties of a library's classes make.
    private static func librarysAlone(_ steps: [PathStep]) -> String? {
        guard !steps.isEmpty, steps.allSatisfy(\.isLibrarys) else { return nil }
        let module = steps.lazy.compactMap { TypeName.module(of: $0.declaredIn ?? $0.from) }
            .first { TypeName.systemModules.contains($0) }
        return "the references are \(module ?? "a library")'s own: undo the call that made them (remove, cancel, "
            + "invalidate) when \(TypeName.bare(steps[0].from)) is done"
    }

    /// For an object of the user's that lost objects of a library keep alive.
    static func kept(_ name: String, by types: [String], closureAt place: String?) -> String {
        let closure = place.map { "the closure at \($0)" }
        if types.contains("Foundation.Timer") {
            return "capture \(name) weakly in \(closure ?? "the timer's closure"): Foundation does not free a Timer, "
                + "invalidated or not"
        }
        let holder = types.first(where: { TypeName.module(of: $0) != nil }).map(TypeName.bare) ?? "it"
        return "end \(holder) when it is done (cancel, finish, invalidate)"
            + (closure.map { ", or capture \(name) weakly in \($0)" } ?? ", or let it hold \(name) weakly")
    }

    /// For what nothing refers to.
    static func lone(kind: HeapFinding.Kind, type: String, excess: UInt32, maker: String?) -> String {
        let place = maker.map { " in \($0)" } ?? ""
        switch kind {
        case .overRetain:
            let times = excess == 1 ? "one retain has" : "\(excess) retains have"
            return "\(times) no release: look for Unmanaged.passRetained or retain()\(place)"
        case .rawLeak:
            return "free or deallocate what is allocated\(place)"
        case .leak where type == ObjectRole.task.noun:
            return "resume its continuation, finish its stream or cancel it on every way, whatever it waits for"
        case .leak, .retainCycle, .reachableCycle:
            return "give the last retain its release (Unmanaged.passRetained, retain()\(place)), "
                + "or deinitialize memory before deallocating it"
        }
    }
}
