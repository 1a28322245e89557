import GameprofBasics
import GameprofReportModel
import GameprofTraceFile

/// What to change about a finding of the heap. Only what the user's sources have is chosen: no storage that a macro or a
/// library declares, and `weak` only where it compiles.
enum RemedyChoice {
    /// For a cycle: at the suspect, with the property that would do as well.
    static func cycle(_ steps: [PathStep], suspect: WeakeningCandidate, closureAt place: String?) -> Finding.Remedy {
        let step = steps[suspect.step]
        let closure = Finding.Closure(place: place, name: step.closure)
        if suspect.reason != .variableHoldsClosure, let remedy = library(steps) ?? librarysAlone(steps) {
            return remedy
        }
        let target = step.capturesSelf ? Finding.Captured.selfReference : .object(type: step.to)
        switch suspect.reason {
        case .variableHoldsClosure: return .clearClosureVariable(closure)
        case .closureCapturesSelf, .closureCaptures:
            return .captureWeakly(target, in: closure, orClear: step.writtenProperty)
        case .methodReference: return .replaceMethodReference(closure)
        case .taskCaptures:
            return .captureWeaklyInTask(
                target, task: closure, isWaiting: step.via.contains { $0.contains("Continuation") })
        case .taskWaits: return .endWaitingTask(step.writtenProperty, holding: target)
        case .backReferenceName, .madeByTarget, .pointsBackFromElement, .anyOne:
            return property(step, target: target, isCertain: suspect.reason != .anyOne)
        }
    }

    /// For a cycle that a plain pointer still names: a weak reference would free what the pointer's owner may yet use.
    static func heldByPointer(_ step: PathStep) -> Finding.Remedy { .clearAfterOperation(step.writtenProperty) }

    /// Where a stored property holds the target, or a value or element inside it does.
    private static func property(
        _ step: PathStep, target: Finding.Captured, isCertain: Bool
    ) -> Finding.Remedy {
        guard let holder = step.writtenProperty else { return .weakenOneSide }
        if step.ownership == .conservative { return .clear(holder, holding: target, isUntyped: true) }
        if let property = step.weakProperty {
            return .makeWeak(of: holder.type, path: step.path, property: property, isCertain: isCertain)
        }
        if step.path.hasSuffix("]") { return .storeWeakReferences(holder) }
        return step.cannotBeWeak ? .end(holder) : .clear(holder, holding: target, isUntyped: false)
    }

    private static func library(_ steps: [PathStep]) -> Finding.Remedy? {
        let via = steps.flatMap(\.via)
        if via.contains("Foundation.Timer") { return .captureWeaklyInTimer(.selfReference, closureAt: nil) }
        if via.contains(where: { $0.contains("DispatchSource") }) { return .endService(.dispatchSource) }
        if via.contains("Dispatch.DispatchWorkItem") { return .endService(.workItem) }
        if via.contains(where: { $0.contains("AsyncStream<") || $0.contains("AsyncThrowingStream<") }) {
            return .endService(.stream)
        }
        return nil
    }

    /// A cycle that only properties of a library's classes make.
    private static func librarysAlone(_ steps: [PathStep]) -> Finding.Remedy? {
        guard !steps.isEmpty, steps.allSatisfy(\.isLibrarys) else { return nil }
        let module = steps.lazy.compactMap { TypeName.module(of: $0.declaredIn ?? $0.from) }
            .first { SystemModules.all.contains($0) }
        return .undoLibraryCall(module: module, of: steps[0].from)
    }

    /// For an object of the user's that lost objects of a library keep alive.
    static func kept(_ type: String, by types: [String], closureAt place: String?) -> Finding.Remedy {
        if types.contains("Foundation.Timer") {
            return .captureWeaklyInTimer(.object(type: type), closureAt: place)
        }
        return .endKeeper(types.first { TypeName.module(of: $0) != nil }, of: type, closureAt: place)
    }
}

extension PathStep {
    fileprivate var writtenProperty: Finding.Property? {
        writtenField.map { Finding.Property(type: declaredIn ?? from, name: $0) }
    }
}
