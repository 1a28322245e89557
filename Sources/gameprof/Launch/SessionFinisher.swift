import Foundation
import TraceFile

/// Brings the traces of a session to their end.
struct SessionFinisher {
    /// The first trace, as the recorder writes it.
    var raw: String
    /// The process that the tool started.
    var root: pid_t
    /// The program that was asked for.
    var name: String
    var exit: ProgramExitRecord
    var following: Following
    /// Where the trace is to be kept; nil: nowhere.
    var output: String?

    /// How long programs that outlive the first one are waited for, in steps of 50 ms.
    private static let waitSteps = 100

    func finish() throws -> SessionOutcome {
        waitForOthers()
        let images = reported(RecordedImages(path: raw, root: root).last)
        let unrecorded = UnrecordedPrograms(path: raw)
        let main = images.first
        let isLauncher = following == .beyondLaunchers && main?.process == root && main?.isLauncher ?? false
        if let reason = unrecorded.refusal(of: root) ?? (isLauncher ? unrecorded.refusal() : nil) ?? main?.failure {
            let sentence = reason.hasSuffix(".") ? reason : reason + "."
            throw ToolError(.toolFailed, "Nothing was recorded. \(sentence)")
        }
        guard let main else {
            throw ToolError(.toolFailed, "Nothing was recorded: the recorder did not start in \(name).")
        }
        if main.process != root, isBeingWritten(main) {
            throw ToolError(.toolFailed, "Nothing was recorded: what \(name) started still runs.")
        }
        do {
            var problems: [String] = []
            let finished = try finish(main, into: output, problems: &problems)
            var outcome = SessionOutcome(
                main: finished, exit: exit, notes: unrecorded.sentences(root: name), problems: problems,
                isTemporary: output == nil)
            for image in images.dropFirst() { try add(image, to: &outcome) }
            return outcome
        } catch let error as TraceError {
            throw ToolError(.toolFailed, error.description)
        }
    }

    /// Without a launcher that was followed: the programs behind it are what was asked for.
    private func reported(_ images: [RecordedImages.Image]) -> [RecordedImages.Image] {
        guard following == .beyondLaunchers, images.count > 1, let first = images.first, first.isLauncher else {
            return images
        }
        return Array(images.dropFirst())
    }

    private func add(_ image: RecordedImages.Image, to outcome: inout SessionOutcome) throws {
        if let failure = image.failure {
            outcome.problems.append("Process \(image.process) was not recorded: \(failure)")
        } else if isBeingWritten(image) {
            outcome.problems.append("Process \(image.process) still runs; its recording is left out.")
        } else {
            let final = output.map { pathOfProcess(image.process, beside: $0) }
            outcome.others.append(try finish(image, into: final, problems: &outcome.problems))
        }
    }

    private func finish(
        _ image: RecordedImages.Image, into final: String?, problems: inout [String]
    ) throws -> SessionOutcome.Process {
        do {
            try TraceFinisher.finish(image.path, exit: image.process == root ? exit : nil)
            if let final {
                try TraceFinisher.compress(image.path, into: final)
                return SessionOutcome.Process(trace: final, process: image.process)
            }
        } catch let error as TraceError {
            // A full disk: the recording is kept as the recorder left it, in two files.
            guard case .unwritable = error else { throw error }
            problems.append("\(error.description) The recording is kept as far as it was written.")
        }
        let kept = final ?? image.path + ".finished"
        guard rename(image.path, kept) == 0 else {
            throw TraceError.unwritable(path: kept, reason: "it cannot be renamed")
        }
        rename(image.path + ".spool", kept + ".spool")
        return SessionOutcome.Process(trace: kept, process: image.process)
    }

    /// `game.gptrace` → `game.1234.gptrace`.
    private func pathOfProcess(_ process: pid_t, beside path: String) -> String {
        let suffix = ".gptrace"
        return path.hasSuffix(suffix) ? "\(path.dropLast(suffix.count)).\(process)\(suffix)" : "\(path).\(process)"
    }

    private func waitForOthers() {
        for _ in 0..<Self.waitSteps {
            let images = RecordedImages(path: raw, root: root).last
            guard images.contains(where: { $0.process != root && isBeingWritten($0) }) else { return }
            usleep(50_000)
        }
    }

    /// Its process lives and has not finished it.
    private func isBeingWritten(_ image: RecordedImages.Image) -> Bool {
        guard kill(image.process, 0) == 0 || errno == EPERM, image.failure == nil else { return false }
        return (try? TraceReader(path: image.path).header.isFinished) != true
    }
}
