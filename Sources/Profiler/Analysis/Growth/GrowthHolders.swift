import GameprofTrace

/// What keeps alive what grows: the recorder tells the way from a root to blocks whose number rose from each repetition to
/// the next, and at exit to those that are many.
final class GrowthHolders {
    private let recording: Recording
    private let names: RootNames
    private var analyses: [SnapshotID: HeapAnalysis] = [:]

    init(recording: Recording, symbolicator: any Symbolicating) {
        self.recording = recording
        names = RootNames(
            symbolicator: symbolicator, threads: recording.threadNames,
            main: ThreadID(UInt32(clamping: recording.program?.pid ?? 0)))
    }

    /// The shortest way from a root to blocks of one type and stack, as most of them are held in the last snapshot that
    /// tells; empty: none does.
    func holders(of grown: GrowthCandidate) -> [String] {
        for snapshot in recording.heapSnapshots.reversed() where snapshot.unsoundReason == nil {
            let told = snapshot.targets.filter { target in
                target.cause == .growth && target.type == grown.type
                    && snapshot.object(target.object)?.stack == grown.stack
            }
            guard let most = told.max(by: { $0.count < $1.count }), let object = snapshot.object(most.object) else {
                continue
            }
            return analysis(of: snapshot).holders(ofObjectAt: object.address)
        }
        return []
    }

    private func analysis(of snapshot: HeapSnapshot) -> HeapAnalysis {
        if let known = analyses[snapshot.begin.snapshot] { return known }
        let made = HeapAnalysis(snapshot: snapshot, types: recording.types, rootNames: names)
        analyses[snapshot.begin.snapshot] = made
        return made
    }
}
