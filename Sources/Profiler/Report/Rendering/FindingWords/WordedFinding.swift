import GameprofAnalysis

extension Finding {
    /// The finding with its words: title, message, fix and explanation. There is no other way from an analysis to a
    /// report.
    package init(_ analyzed: AnalyzedFinding) {
        self = analyzed.facts
        title = FindingTitle.text(analyzed)
        message = FindingMessage.text(analyzed)
        fix = FindingFix.sentence(analyzed)
        let changes = FindingFix.changes(of: analyzed)
        if changes.count > 1 { fixes = changes }
        fixCall = FindingFix.call(analyzed)
        if let reason = analyzed.suspicion, let last = references.indices.last {
            references[last].suspect = Reference.Suspicion(
                reason: reason.rawValue, explanation: SuspicionExplanation.text(reason, of: references[last]))
        }
        knot = knot?.map { reference in
            guard let reason = reference.suspect.flatMap({ Reference.Suspicion.Reason(rawValue: $0.reason) }) else {
                return reference
            }
            var worded = reference
            worded.suspect?.explanation = SuspicionExplanation.text(reason, of: reference)
            return worded
        }
        if let conclusion = analyzed.conclusion { history?.conclusion = HistoryConclusion.text(conclusion) }
    }
}

extension AnalyzedFinding {
    /// Why the last reference of a cycle is the one to change; nil if none is, or if several are equally likely, all of
    /// which the fix names.
    fileprivate var suspicion: Reference.Suspicion.Reason? {
        if cause.suspicion == .anyOne, case .makeWeak(_, _, orElse: let others, _) = remedy, !others.isEmpty {
            return nil
        }
        return cause.suspicion
    }
}

extension Finding.Cause {
    fileprivate var suspicion: Reference.Suspicion.Reason? {
        switch self {
        case .retainCycle(let reason), .reachableCycle(let reason): reason
        case .cycleBehindPointer, .lostObject, .stuckTask, .overRetain, .lostMemory, .useAfterDeallocation,
            .escapedDeinit,
            .growth, .outlived, .abandoned, .accumulation, .unclosedDescriptors, .lostMappings,
            .unjoinedThreads, .deinitialised:
            nil
        }
    }
}
