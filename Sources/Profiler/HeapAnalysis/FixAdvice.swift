/// What to change, in a line.
enum FixAdvice {
    /// For a cycle: at the suspect, naming the property that would do as well.
    static func cycle(_ steps: [PathStep], suspect: Suspect, closureAt place: String?) -> String {
        let step = steps[suspect.step]
        if let library = library(steps) { return library }
        let target = step.capturesSelf ? "self" : TypeName.bare(step.to)
        let closure = place.map { "the closure at \($0)" } ?? step.closure ?? "the closure"
        let holder = "\(TypeName.bare(step.from)).\(step.field)"
        switch suspect.reason {
        case .closureCapturesSelf, .closureCaptures:
            let list = step.capturesSelf ? "[weak self]" : "[weak …]"
            let other = step.field.isEmpty ? "" : ", or clear \(holder) when it is done"
            return "capture \(target) weakly (\(list)) in \(closure)\(other)"
        case .methodReference:
            let method = place.map { "at \($0)" } ?? "of \(step.closure ?? "the method")"
            return "a method reference holds its object: pass a closure with [weak self] instead, \(method)"
        case .taskCaptures:
            let task = place.map { "the task at \($0)" } ?? step.closure.map { "the task of \($0)" } ?? "the task"
            let isWaiting = step.via.contains { $0.contains("Continuation") }
            let end = isWaiting ? "resume its continuation on every way" : "cancel the task when it is done"
            return "capture \(target) weakly (\(step.capturesSelf ? "[weak self]" : "[weak …]")) in \(task), or \(end)"
        case .taskWaits:
            let place = step.field.isEmpty ? "" : " (\(holder))"
            return "resume what the task waits for\(place) or cancel it when it is done, "
                + "or capture \(target) weakly in it"
        case .backReferenceName, .madeByTarget, .pointsBackFromElement, .anyOne:
            guard !step.field.isEmpty else { return "let one side hold the other weakly" }
            if step.ownership == .conservative {
                return "clear \(holder) when it is done, or let what lies in it hold \(target) weakly"
            }
            guard let property = declaredName(step.path) else {
                return step.path.hasSuffix("]")
                    ? "make \(holder) weak: store weak references in it, or empty it when it is done"
                    : "clear \(TypeName.bare(step.from)).\(step.path.prefix { $0 != "." }) when it is done, "
                        + "or let it hold \(target) weakly"
            }
            let fix = "make \(TypeName.bare(step.from)).\(step.path) weak (weak var \(property))"
            return suspect.reason == .anyOne ? "\(fix), or whichever reference is not the owner's" : fix
        }
    }

    /// "owner" of "rows[…].owner": what can be declared weak; nil for an element, or a value that has a number alone.
    private static func declaredName(_ path: String) -> String? {
        guard let name = path.split(separator: ".").last, !name.hasSuffix("]"), !name.allSatisfy(\.isNumber) else {
            return nil
        }
        return String(name)
    }

    private static func library(_ steps: [PathStep]) -> String? {
        let via = steps.flatMap(\.via)
        if via.contains("Foundation.Timer") {
            return "invalidate the timer when it is done, or capture self weakly in it"
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
