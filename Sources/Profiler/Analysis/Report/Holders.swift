import GameprofTrace

extension ReportBuilder {
    /// What keeps an object alive that a snapshot was asked about, in a line: the root, then the fields on the way to it.
    /// Empty: nothing that can be reached holds it, or the snapshot was not asked.
    package static func holders(
        ofObjectAt address: UInt64, in snapshot: HeapSnapshot, of recording: Recording, symbolicator: any Symbolicating
    ) -> [String] {
        let names = RootNames(
            symbolicator: symbolicator, threads: recording.threadNames,
            main: ThreadID(UInt32(clamping: recording.program?.pid ?? 0)))
        return HeapAnalysis(snapshot: snapshot, types: recording.types, rootNames: names)
            .holders(ofObjectAt: address)
    }
}
