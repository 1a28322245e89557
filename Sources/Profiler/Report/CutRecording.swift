import Foundation
import TraceFile

/// What the reader of a report should know when the program did not come to its exit: how far the recording reaches, what
/// was not looked for, and how to have it looked for.
enum CutRecording {
    /// - Parameter hasLeaks: a heap snapshot was searched for leaks.
    static func sentences(_ recording: Recording, hasLeaks: Bool) -> [String] {
        var sentences: [String] = []
        let instruments = recording.program?.instruments ?? []
        var isSignalled = false
        if case .signal = recording.exit?.status { isSignalled = true }
        if recording.capture.isCut || isSignalled {
            let reach = Quantity.seconds(ReportBuilder.seconds(recording.wallNanoseconds))
            sentences.append("\(end(recording.exit)): the recording covers the \(reach) up to then.")
        }
        guard instruments.contains(.leaks) else { return sentences }
        let sound = recording.heapSnapshots.filter { $0.unsoundReason == nil }
        if recording.heapSnapshots.isEmpty, recording.capture.dropped > 0, !recording.capture.isCut {
            sentences.append("No conclusion about leaks: what the search at the end found could not be stored.")
        } else if recording.heapSnapshots.isEmpty {
            sentences.append(
                "Leaks were not searched for: that is done when the program ends by exit() or by returning from main. "
                    + "Let it end so (a handler of SIGTERM may call exit), or search before with --snapshot-every "
                    + "SECONDS or --snapshot-signal USR1.")
        } else if recording.capture.isCut, hasLeaks, let last = sound.last {
            let time = Quantity.seconds(ReportBuilder.seconds(last.begin.time))
            sentences.append("Leaks were searched for at \(time), not at the end.")
        }
        return sentences
    }

    private static func end(_ exit: ProgramExitRecord?) -> String {
        switch exit?.status {
        case .signal(let signal):
            "The program was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .code: "The program ended by a system call (exit_group) without exit()"
        case nil: "The program's end was not recorded"
        }
    }
}
