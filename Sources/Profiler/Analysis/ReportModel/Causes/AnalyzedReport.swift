/// What an analysis makes of a recording: a report without its sentences. `Report(_:)` in Rendering writes them.
package struct AnalyzedReport: Sendable {
    /// The rest of the report. It has no findings and no living objects, and of notes and problems only those that came
    /// with the recording.
    package var facts: Report
    /// In any order; zombies in the order of their first use.
    package var findings: [AnalyzedFinding] = []
    /// Why objects live; nil when that was not asked.
    package var living: [AnalyzedObjects]?
    package var problems: [Report.Problem] = []
    package var notes: [Report.Note] = []
}

/// A finding as an analysis makes it: what happened and what to change, as values.
package struct AnalyzedFinding: Hashable, Sendable {
    /// The rest of the finding. Title, message, fix, the explanation of a suspect and the conclusion of a history are
    /// missing.
    package var facts: Finding
    package var cause: Finding.Cause
    package var remedy: Finding.Remedy
    /// What must change, too: the remedy alone frees nothing, or not all.
    package var alsoNeeded: [Finding.Remedy] = []
    /// Of references of a cycle: that without them all its objects are freed, those of a library as the library does it.
    package var isProved = true
    /// When that one is done, the fix is due.
    package var instance: Finding.Instance?
    /// The call that took others of the kind apart.
    package var releasing: Finding.ReleasingCall?
    /// What else is known, in the order in which it is said.
    package var circumstances: [Finding.Circumstance] = []
    /// What the history in `facts` shows.
    package var conclusion: CountHistory.Conclusion?

    package init(
        _ cause: Finding.Cause, remedy: Finding.Remedy, severity: Finding.Severity = .error, signature: String,
        type: String
    ) {
        facts = Finding(kind: cause.kind, severity: severity, signature: signature, title: "", type: type)
        self.cause = cause
        self.remedy = remedy
    }
}

/// Living objects of which it was asked why they live, and the answer as a value.
package struct AnalyzedObjects: Hashable, Sendable {
    /// Without the message.
    package var facts: LiveObjects
    package var answer: LiveObjects.Answer

    package init(_ facts: LiveObjects, answer: LiveObjects.Answer) {
        self.facts = facts
        self.answer = answer
    }
}
