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
            return "capture \(target) weakly ([weak self]) in \(task), or cancel the task when it is done"
        case .backReferenceName, .madeByTarget, .pointsBackFromElement, .anyOne:
            guard !step.field.isEmpty else { return "let one side hold the other weakly" }
            if step.ownership == .conservative {
                return "clear \(holder) when it is done, or let what lies in it hold \(target) weakly"
            }
            let verb = "make \(holder) weak"
            if step.goesThroughCollection { return "\(verb): store weak references in it, or empty it when it is done" }
            return suspect.reason == .anyOne
                ? "\(verb) (weak var \(lastName(step.field))), or whichever reference is not the owner's"
                : "\(verb) (weak var \(lastName(step.field)))"
        }
    }

    private static func lastName(_ field: String) -> String {
        field.split(separator: ".").last.map(String.init) ?? field
    }

    private static func library(_ steps: [PathStep]) -> String? {
        let via = steps.flatMap(\.via)
        if via.contains("Foundation.Timer") {
            return "invalidate the timer when it is done, or capture self weakly in it"
        }
        if via.contains(where: { $0.contains("DispatchSource") }) {
            return "cancel the dispatch source when it is done, or capture self weakly in its handler"
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
        case .leak, .retainCycle, .reachableCycle:
            return "give the last retain its release (Unmanaged.passRetained, retain()\(place)), "
                + "or deinitialize memory before deallocating it"
        }
    }
}
