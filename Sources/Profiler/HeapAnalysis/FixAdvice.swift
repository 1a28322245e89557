/// What to change, in a line.
enum FixAdvice {
    /// For a cycle: at the suspect, naming the property that would do as well.
    static func cycle(_ steps: [PathStep], suspect: Suspect, closureAt place: String?) -> String {
        let step = steps[suspect.step]
        if let library = library(steps) { return library }
        let target = step.capturesSelf ? "self" : TypeName.bare(step.to)
        let closure = step.closure.map { place == nil ? "in \($0)" : "at \(place ?? "")" } ?? "in the closure"
        let holder = "\(TypeName.bare(step.from)).\(step.field)"
        switch suspect.reason {
        case .closureCapturesSelf, .closureCaptures:
            let list = step.capturesSelf ? "[weak self]" : "[weak …]"
            let other = step.field.isEmpty ? "" : ", or clear \(holder) when it is done"
            return "capture \(target) weakly (\(list)) in the closure \(closure == "in the closure" ? "" : closure)"
                .trimmingSpaces + other
        case .methodReference:
            return "a method reference holds its object: pass a closure with [weak self] instead, \(closure)"
        case .taskCaptures:
            return "capture \(target) weakly ([weak self]) in the task \(closure), or cancel the task when it is done"
        case .backReferenceName, .madeByTarget, .pointsBackFromElement, .anyOne:
            guard !step.field.isEmpty else { return "let one side hold the other weakly" }
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

extension String {
    /// Without spaces at the end.
    var trimmingSpaces: String {
        var result = Substring(self)
        while result.last == " " { result.removeLast() }
        return String(result)
    }
}
