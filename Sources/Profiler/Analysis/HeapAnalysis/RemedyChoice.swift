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
                target, in: closure, orClear: step.clearable,
                need: step.returnsValue ? .value : step.keepsWork ? .work : nil)
        case .methodReference: return .replaceMethodReference(closure)
        case .taskCaptures:
            return .captureWeaklyInTask(
                target, task: closure, isWaiting: step.via.contains { $0.contains("Continuation") },
                handle: step.property)
        case .taskWaits:
            // What the runtime alone refers to stands in no capture list.
            let isNamed = step.capturesSelf || TypeName.isUsers(step.to)
            return .endWaitingTask(step.property, holding: isNamed ? target : nil)
        case .backReferenceName, .madeByTarget, .pointsBackFromElement, .anyOne:
            // Of several properties behind a collection each may be the owner's.
            let isCertain = suspect.reason == .pointsBackFromElement ? steps.count <= 2 : suspect.reason != .anyOne
            return property(step, target: target, orElse: isCertain ? [] : others(steps, than: step))
        }
    }

    /// For a cycle that a plain pointer still names: a weak reference would free what the pointer's owner may yet use.
    static func heldByPointer(_ step: PathStep) -> Finding.Remedy { .clearAfterOperation(step.property) }

    /// Where a stored property holds the target, or a value or element inside it does.
    private static func property(
        _ step: PathStep, target: Finding.Captured, orElse others: [Finding.Property]
    ) -> Finding.Remedy {
        guard let holder = step.property else { return .weakenOneSide }
        if step.ownership == .conservative {
            return .clear(step.clearable ?? holder, holding: target, isUntyped: true)
        }
        if let property = weakened(step) {
            return .makeWeak(
                property, isInExistential: step.isInExistential, orElse: others,
                orClear: step.isInExistential ? step.clearable : nil)
        }
        if step.path.hasSuffix("]") || step.cannotBeWeak && FieldName.hasElement(step.path) {
            return .storeWeakReferences(holder)
        }
        guard step.cannotBeWeak else { return .clear(step.clearable ?? holder, holding: target, isUntyped: false) }
        var whole = holder
        whole.name = FieldName.property(of: holder.name)
        let clearable = step.clearable.flatMap { $0.form == .unknown ? nil : $0 }
        return .clear(clearable ?? whole, holding: nil, isUntyped: false)
    }

    /// What can be declared weak, in the type that declares it.
    private static func weakened(_ step: PathStep) -> Finding.Property? {
        guard let property = step.property,
            let name = step.weakProperty ?? (step.isInExistential ? FieldName.last(step.path) : nil),
            !name.hasSuffix("]")
        else { return nil }
        let owner = step.owner.flatMap { TypeName.isUsers($0) ? $0 : nil }
        return Finding.Property(
            type: owner ?? property.type, name: owner == nil ? step.path : name, isConstant: step.isConstant)
    }

    private static func others(_ steps: [PathStep], than step: PathStep) -> [Finding.Property] {
        let own = weakened(step)
        var known: Set<Finding.Property?> = [own]
        return steps.compactMap(weakened).filter { known.insert($0).inserted }
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
    static func ends(
        _ sources: [Finding.Wait], of task: Finding.Closure, in handle: Finding.Property?
    ) -> [Finding.Remedy] {
        (sources.isEmpty ? [nil] : sources.map(Optional.some)).map { .endWait($0, task: task, handle: handle) }
    }

    /// For a reference that must go, with nothing that is not proved to do as well.
    static func part(_ part: CycleFix.Part, of fix: CycleFix, closureAt place: String?) -> Finding.Remedy {
        let step = part.step
        if part.isHolder || part.owns, let property = step.clearable ?? step.property {
            // The proof removed the property: its closure may capture more of the group than the next object.
            return .clear(property, holding: nil, isUntyped: false)
        }
        switch cycle(part.steps, suspect: part.suspect, closureAt: place, isOneOfSeveral: fix.parts.count > 1) {
        case .captureWeakly(let captured, let closure, let own, let need):
            let clear = part.holderDoesIt ? own ?? part.elsewhere?.clearable : part.elsewhere?.clearable
            return .captureWeakly(captured, in: closure, orClear: clear, need: need)
        case .makeWeak(let property, let isInExistential, let others, let cleared):
            // What owns its target is in no set of equal changes.
            let isCertain = fix.parts.count > 1 || part.collection != nil || others.isEmpty
            let equals =
                isCertain ? [] : fix.equals.map(\.step).filter { step.isOptional != true || $0.isOptional != false }
            return .makeWeak(
                property, isInExistential: isInExistential,
                orElse: equals.compactMap(weakened).filter { $0 != property },
                orClear: part.collection?.clearable ?? cleared)
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
}
