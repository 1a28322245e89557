import Foundation
import GameprofBasics
import GameprofReport
import GameprofTrace

/// A program that is started for each run of the page.
final class LiveProgram: LiveRecorder {
    private let session: RecordingSession
    private let program: ProgramToRun
    private let input = InputOfRuns()
    private var runs = 0

    init(_ session: RecordingSession, _ program: ProgramToRun) { (self.session, self.program) = (session, program) }

    var sentence: String { "Running" }

    func makeRun() -> LiveRun {
        LiveRun(session.instruments, following: session.following, search: session.search)
    }

    func record(_ run: LiveRun, whenEnded: @escaping () -> Void) throws -> LiveOutcome {
        runs += 1
        if runs > 1 { input.restart() }
        var session = session
        session.output = program.output.map { LiveOutcome.path($0, ofRun: runs) }
        session.watcher = EndNotice(run, whenEnded)
        let outcome = try session.run()
        for sentence in outcome.notes where !session.isQuiet { StandardError.say(sentence) }
        if let output = session.output, !session.isQuiet { StandardError.say("The trace is \(output).") }
        return LiveOutcome(
            trace: outcome.main.trace, sentence: Self.sentence(outcome.exit),
            propagated: program.propagatesExit ? outcome.exit.shellStatus : nil, amend: outcome.amend,
            settle: { outcome.interruption?.end() }, remove: outcome.removeIfTemporary)
    }

    private static func sentence(_ exit: ProgramExitRecord) -> String {
        switch exit.status {
        case .code(let code): "The program exited with code \(code)."
        case .signal(let signal): "The program was ended by signal \(signal)."
        }
    }
}

/// Tells of the end of a recording before its watcher lets go of it.
final class EndNotice: RecordingWatcher {
    private let watcher: any RecordingWatcher
    private let whenEnded: () -> Void

    init(_ watcher: any RecordingWatcher, _ whenEnded: @escaping () -> Void) {
        (self.watcher, self.whenEnded) = (watcher, whenEnded)
    }

    func begin(_ recording: RunningRecording) { watcher.begin(recording) }

    func end() {
        whenEnded()
        watcher.end()
    }
}
