import GameprofBasics

/// The reference of a cycle that should most likely not own its target, and why.
struct WeakeningCandidate: Sendable {
    typealias Reason = Reference.Suspicion.Reason

    /// Position in the steps.
    var step: Int
    var reason: Reason

    /// Ranks the steps; ties go to a property that can be declared weak rather than to a value inside one, then to the
    /// later step in canonical order. `madeBy`: whether the object was allocated
    /// inside a member of the type with that bare name.
    static func find(in steps: [PathStep], madeBy: (Int32, String) -> Bool) -> WeakeningCandidate? {
        guard !steps.isEmpty else { return nil }
        let hasCollection = steps.contains(where: \.goesThroughCollection)
        let judged = steps.enumerated().map { index, step in
            (index, reason(for: step, hasCollection: hasCollection, madeBy: madeBy), step)
        }
        let best = judged.max { left, right in
            (left.2.isChangeable ? 1 : 0, rank(left.1), left.2.isPlainProperty ? 1 : 0, left.2.shape)
                < (right.2.isChangeable ? 1 : 0, rank(right.1), right.2.isPlainProperty ? 1 : 0, right.2.shape)
        }
        return best.map { WeakeningCandidate(step: $0.0, reason: $0.1) }
    }

    /// Why the step may be the one, by itself. `hasCollection`: some step of the cycle leads through a collection.
    static func reason(
        for step: PathStep, hasCollection: Bool, madeBy: (Int32, String) -> Bool
    ) -> Reason {
        if step.isBetweenClosures { return .variableHoldsClosure }
        if step.isCapture {
            if step.goesThroughTask { return .taskCaptures }
            if let closure = step.closure, step.capturesSelf {
                return FunctionName.isClosure(closure) && !closure.hasPrefix("implicit closure")
                    ? .closureCapturesSelf : .methodReference
            }
            return .closureCaptures
        }
        if step.goesThroughTask { return .taskWaits }
        // A case of an enum in a collection may have the name: facts[…].owner.
        if FieldName.namesBackReference(step.field) || FieldName.namesBackReference(step.path) {
            return .backReferenceName
        }
        if step.from != step.to, madeBy(step.fromObject, TypeName.bare(step.to)) { return .madeByTarget }
        if hasCollection, !step.goesThroughCollection { return .pointsBackFromElement }
        return .anyOne
    }

    static func rank(_ reason: Reason) -> Int {
        switch reason {
        case .variableHoldsClosure: 8
        case .closureCapturesSelf: 7
        case .methodReference: 6
        case .taskCaptures, .taskWaits: 5
        case .closureCaptures: 4
        case .backReferenceName: 3
        case .madeByTarget: 2
        case .pointsBackFromElement: 1
        case .anyOne: 0
        }
    }
}
