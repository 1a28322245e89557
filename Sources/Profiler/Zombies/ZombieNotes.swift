/// What the reader should know of the search for zombies: its limits, said in numbers.
enum ZombieNotes {
    static func notes(_ recording: Recording) -> [String] {
        if let summary = recording.zombieSummary { return notes(summary) }
        guard recording.program?.instruments.contains(.zombies) ?? false, case .signal? = recording.exit?.status else {
            return []
        }
        return [
            "A signal ended the program before its dead blocks were counted: how many left the quarantine unseen, and "
                + "which of the others were written to, is not known."
        ]
    }

    private static func notes(_ summary: ZombieSummaryRecord) -> [String] {
        var notes: [String] = []
        if summary.evicted > 0 {
            notes.append(
                "\(Quantity.count(summary.evicted)) of \(Quantity.count(summary.buried)) dead blocks left the quarantine "
                    + "(limits: \(Quantity.bytes(summary.byteLimit)), \(Quantity.count(summary.countLimit)) blocks): "
                    + "their use after that is not noticed, or is told as that of what came to lie there.")
        }
        if summary.guarded < summary.buried {
            notes.append(
                "A plain number that is read or written through a stale pointer is noticed only in a block with pages of "
                    + "its own: --guard-types and --sample give them.")
        }
        if summary.passedBy > 0 {
            notes.append(
                "\(Quantity.count(summary.passedBy)) dead blocks did not fit into the quarantine: their use is not noticed."
            )
        }
        if summary.guarded > 0 {
            notes.append("\(Quantity.count(summary.guarded)) objects had pages of their own.")
        }
        if summary.guardsMissed > 0 {
            notes.append(
                "\(Quantity.count(summary.guardsMissed)) objects should have had pages of their own, but were larger "
                    + "than a page, too many, or more than the kernel's mappings allow.")
        }
        return notes
    }
}
