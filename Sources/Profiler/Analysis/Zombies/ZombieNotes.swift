import GameprofTrace

/// What the reader should know of the search for zombies: its limits, in numbers.
enum ZombieNotes {
    static func notes(_ recording: Recording) -> [Report.Note] {
        if let summary = recording.zombieSummary { return notes(summary) }
        guard recording.program?.instruments.contains(.zombies) ?? false, case .signal? = recording.exit?.status else {
            return []
        }
        return [.deadNotCounted]
    }

    private static func notes(_ summary: ZombieSummaryRecord) -> [Report.Note] {
        if summary.isSampled { return summary.guarded > 0 ? [.samplesGuarded(summary.guarded)] : [] }
        var notes: [Report.Note] = []
        if summary.evicted > 0 {
            let limits = Report.Blocks(count: summary.countLimit, bytes: summary.byteLimit)
            notes.append(.quarantineOverflowed(evicted: summary.evicted, of: summary.quarantined, limits: limits))
        }
        if summary.isChosen {
            notes.append(.chosenObjectsGuarded(summary.guarded))
        } else if summary.guarded < summary.quarantined {
            notes.append(.plainReadsUnnoticed(isGuarded: summary.guarded > 0))
        }
        if summary.passedBy > 0 { notes.append(.tooLargeForQuarantine(summary.passedBy)) }
        if summary.guarded > 0, !summary.isChosen { notes.append(.guarded(summary.guarded)) }
        if summary.unownedKept > 0 { notes.append(.unownedKept(summary.unownedKept)) }
        if summary.guardsMissed > 0 { notes.append(.guardsMissed(summary.guardsMissed)) }
        return notes
    }
}
