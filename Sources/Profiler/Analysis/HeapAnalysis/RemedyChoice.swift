import GameprofBasics
import GameprofTrace

/// What to change about a finding of the heap. Only what the user's sources have is chosen: no storage that a macro or a
/// library declares, and `weak` only where it compiles.
enum RemedyChoice {
    /// For a cycle: at the suspect, with the property that would do as well. `isOneOfSeveral`: other changes are needed too, and
    /// may be on the same cycle.
    static func cycle(
        _ steps: [PathStep], suspect: WeakeningCandidate, closureAt place: String?, isOneOfSeveral: Bool = false
    ) -> Finding.Remedy {
        let step = steps[suspect.step]
        let steps = isOneOfSeveral ? [step] : steps
        let closure = Finding.Closure(place: place, name: step.closure)
        if suspect.reason != .variableHoldsClosure,
            let remedy = library(steps, closureAt: step.isCapture ? place : nil) ?? librarysAlone(steps)
        {
            return remedy
        }
        let target = step.capturesSelf ? Finding.Captured.selfReference : .object(type: step.to)
        switch suspect.reason {
        case .variableHoldsClosure: return .clearClosureVariable(closure)
        case .closureCapturesSelf, .closureCaptures:
            return .captureWeakly(
                target, in: closure, orClear: step.writtenProperty.flatMap { $0.isConstant ? nil : $0 },
                need: step.returnsValue ? .value : step.keepsWork ? .work : nil)
        case .methodReference: return .replaceMethodReference(closure)
        case .taskCaptures:
            return .captureWeaklyInTask(
                target, task: closure, isWaiting: step.via.contains { $0.contains("Continuation") })
        case .taskWaits:
            // What the runtime alone refers to stands in no capture list.
            let isNamed = step.capturesSelf || TypeName.isUsers(step.to)
            return .endWaitingTask(step.writtenProperty, holding: isNamed ? target : nil)
        case .backReferenceName, .madeByTarget, .pointsBackFromElement, .anyOne:
            // Of several properties behind a collection each may be the owner's.
            let isCertain = suspect.reason == .pointsBackFromElement ? steps.count <= 2 : suspect.reason != .anyOne
            return property(step, target: target, isCertain: isCertain)
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
            return .makeWeak(of: holder.type, path: step.path, property: property, isCertain: isCertain, orClear: nil)
        }
        if step.path.hasSuffix("]") || step.cannotBeWeak && FieldName.hasElement(step.path) {
            return .storeWeakReferences(holder)
        }
        if step.cannotBeWeak {
            var whole = holder
            whole.name = FieldName.property(of: holder.name)
            return .end(whole)
        }
        return .clear(holder, holding: target, isUntyped: false)
    }

    private static func library(_ steps: [PathStep], closureAt place: String?) -> Finding.Remedy? {
        let via = steps.flatMap(\.via)
        if via.contains("Foundation.Timer") { return .captureWeaklyInTimer(.selfReference, closureAt: place) }
        if via.contains(where: { $0.contains("DispatchSource") }) { return .endService(.dispatchSource, madeAt: nil) }
        if via.contains("Dispatch.DispatchWorkItem") { return .endService(.workItem, madeAt: nil) }
        if via.contains(where: { $0.contains("AsyncStream<") || $0.contains("AsyncThrowingStream<") }) {
            return .endService(.stream, madeAt: nil)
        }
        return nil
    }

    /// A cycle that only properties of a library's classes make.
    private static func librarysAlone(_ steps: [PathStep]) -> Finding.Remedy? {
        guard !steps.isEmpty, steps.allSatisfy(\.isLibrarys) else { return nil }
        let module = steps.lazy.compactMap { TypeName.module(of: $0.declaredIn ?? $0.from) }
            .first { SystemModules.all.contains($0) }
        return .undoLibraryCall(module: module, of: steps[0].from, madeAt: nil)
    }

    /// For references of a library, which one call made and another one undoes.
    static func libraryCall(_ step: PathStep, of type: String, madeAt site: Finding.Site?) -> Finding.Remedy {
        .undoLibraryCall(module: TypeName.module(of: step.declaredIn ?? step.from), of: type, madeAt: site)
    }

    /// For tasks that must end, one for each thing that they wait for.
    static func ends(_ sources: [Finding.Wait], of task: Finding.Closure) -> [Finding.Remedy] {
        sources.isEmpty ? [.endWait(nil, task: task)] : sources.map { .endWait($0, task: task) }
    }

    /// For a reference that must go, with nothing that is not proved to do as well.
    static func part(_ part: CycleFix.Part, of fix: CycleFix, closureAt place: String?) -> Finding.Remedy {
        let step = part.step
        if part.isHolder || part.owns, let property = step.writtenProperty {
            // The proof removed the property: its closure may capture more of the group than the next object.
            return .clear(property, holding: nil, isUntyped: false)
        }
        switch cycle(part.steps, suspect: part.suspect, closureAt: place, isOneOfSeveral: fix.parts.count > 1) {
        case .captureWeakly(let captured, let closure, _, let need) where !part.holderDoesIt:
            return .captureWeakly(captured, in: closure, orClear: nil, need: need)
        case .makeWeak(let type, let path, let property, _, _)
        where fix.parts.count > 1 || !fix.hasEqual || part.collection != nil:
            return .makeWeak(
                of: type, path: path, property: property, isCertain: part.collection == nil,
                orClear: part.collection?.writtenProperty)
        case let remedy: return remedy
        }
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
    /// The closure that it leads to is still to be called, and once, as far as names tell.
    fileprivate var keepsWork: Bool {
        FieldName.namesWork(path) || FieldName.namesWork(TypeName.bare(declaredIn ?? from))
    }

    fileprivate var writtenProperty: Finding.Property? {
        writtenField.map { Finding.Property(type: declaredIn ?? from, name: $0, isConstant: isConstant) }
    }
}
