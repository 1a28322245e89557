import GameprofTrace

/// What the reader of a report should know when the program did not come to its exit: how far the recording reaches, what
/// was not looked for, and how to have it looked for.
enum CutRecording {
    /// - Parameter hasLeaks: a heap snapshot was searched for leaks.
    static func problems(_ recording: Recording, hasLeaks: Bool) -> [Report.Problem] {
        var problems: [Report.Problem] = []
        let instruments = recording.program?.instruments ?? []
        var isSignalled = false
        if case .signal = recording.exit?.status { isSignalled = true }
        if recording.capture.isCut || isSignalled {
            problems.append(
                .ended(end(recording.exit), seconds: Seconds.of(recording.wallNanoseconds)))
        }
        guard instruments.contains(.leaks) else { return problems }
        let sound = recording.heapSnapshots.filter { $0.unsoundReason == nil }
        // What the program had lost when it crashed is what it lost.
        if recording.crash != nil, let last = sound.last, last.begin.trigger == .atExit { return problems }
        if recording.heapSnapshots.isEmpty {
            let isLost = recording.capture.dropped > 0 && !recording.capture.isCut
            problems.append(isLost ? .leaksNotStored : .leaksNotSearched)
        } else if recording.capture.isCut, hasLeaks, let last = sound.last {
            problems.append(.leaksSearchedBeforeEnd(seconds: Seconds.of(last.begin.time)))
        } else if isSignalled, hasLeaks {
            problems.append(.leaksSearchedAtSignal)
        }
        return problems
    }

    private static func end(_ exit: ProgramExitRecord?) -> Report.Problem.End {
        switch exit?.status {
        case .signal where exit?.isOutOfMemory == true: .outOfMemory
        case .signal(let signal): .signal(Int32(signal))
        case .code: .systemCall
        case nil: .notRecorded
        }
    }
}
