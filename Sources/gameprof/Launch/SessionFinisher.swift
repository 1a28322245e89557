import Foundation
import GameprofBasics
import GameprofTrace

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
    /// Holds what is kept nowhere; nil: it is kept.
    var folder: PrivateFolder?
    /// Where the symbols are looked for that a kept trace holds.
    var search = SymbolSearch()
    var isQuiet = false
    /// What is known of the symbols of the traces that were finished before.
    private let symbols = SymbolCache()

    /// How long programs that outlive the first one are waited for, in steps of 50 ms.
    private static let waitSteps = 100

    func finish() throws -> SessionOutcome {
        waitForOthers()
        let images = reported(RecordedImages(path: raw, root: root))
        let unrecorded = UnrecordedPrograms(path: raw)
        let main = images.first
        let isLauncher = following == .launched && main?.process == root && main?.isLauncher ?? false
        if let reason = unrecorded.refusal(of: root) ?? (isLauncher ? unrecorded.refusal() : nil) ?? main?.failure {
            let sentence = reason.hasSuffix(".") ? reason : reason + "."
            throw ToolError(.toolFailed, "Nothing was recorded. \(sentence)")
        }
        guard let main else {
            throw ToolError(.toolFailed, "Nothing was recorded: the recorder did not start in \(name).")
        }
        if main.process != root, isBeingWritten(main) {
            throw ToolError(.toolFailed, "Nothing was recorded: a program that \(name) started still runs.")
        }
        do {
            var problems: [String] = []
            let ends = ChildEnds(path: raw)
            let finished = try finish(main, into: output, ends, problems: &problems)
            var outcome = SessionOutcome(
                main: finished, exit: exit, notes: unrecorded.sentences(root: name), problems: problems,
                folder: folder)
            for image in images.dropFirst() { try add(image, ends, to: &outcome) }
            return outcome
        } catch let error as TraceError {
            throw ToolError(.toolFailed, error.description)
        }
    }

    /// Without a launcher that was followed: the programs behind it are what was asked for. `swift run` becomes the program
    /// after a build, and what else ran until then is the build's: manifests, plugins and macros.
    private func reported(_ all: RecordedImages) -> [RecordedImages.Image] {
        Self.reported(all, of: root, following)
    }

    /// The same while they are recorded. `root`: the process that the tool started.
    static func reported(
        _ all: RecordedImages, of root: pid_t, _ following: Following
    ) -> [RecordedImages.Image] {
        let images = all.last
        guard following == .launched, images.count > 1, let first = images.first else { return images }
        if !first.isLauncher, first.process == root, all.images.first?.isSwiftTool ?? false { return [first] }
        let programs = images.dropFirst().filter { !$0.isOfPackageManager }
        return first.isLauncher && !programs.isEmpty ? programs : [first] + programs
    }

    private func add(_ image: RecordedImages.Image, _ ends: ChildEnds, to outcome: inout SessionOutcome) throws {
        if let failure = image.failure {
            outcome.problems.append("Process \(image.process) was not recorded: \(failure)")
        } else if isBeingWritten(image) {
            outcome.problems.append("Process \(image.process) still runs; its recording is omitted.")
        } else {
            let final = output.map { Self.path(of: "\(image.process)", beside: $0) }
            outcome.others.append(try finish(image, into: final, ends, problems: &outcome.problems))
        }
    }

    private func finish(
        _ image: RecordedImages.Image, into final: String?, _ ends: ChildEnds, problems: inout [String]
    ) throws -> SessionOutcome.Process {
        do {
            let known = image.process == root ? exit : ends.exit(of: image.process, trace: image.path)
            try TraceFinisher.finish(image.path, exit: known)
            if let final {
                let names = try Self.symbols(of: image.path, search, isQuiet: isQuiet, cache: symbols)
                try TraceFinisher.compress(image.path, into: final, symbols: names)
                return SessionOutcome.Process(trace: final, process: image.process)
            }
        } catch let error as TraceError {
            // A full disk: the recording is kept as the recorder left it, in two files.
            guard case .unwritable = error else { throw error }
            problems.append("\(error.description) The part that was written is kept.")
        }
        let kept = final ?? Self.finishedPath(of: raw) + image.path.dropFirst(raw.count)
        guard rename(image.path, kept) == 0 else {
            throw TraceError.unwritable(path: kept, reason: "it cannot be renamed")
        }
        rename(image.path + ".spool", kept + ".spool")
        return SessionOutcome.Process(trace: kept, process: image.process)
    }

    /// The names that a trace is kept with: its program may be rebuilt before somebody reads it.
    static func symbols(
        of trace: String, _ search: SymbolSearch, isQuiet: Bool, cache: SymbolCache? = nil
    ) throws -> [TraceRecord.Symbol] {
        let progress = Progress("Naming functions", isQuiet: isQuiet)
        progress.show(0)
        defer { progress.clear() }
        let recording = try RecordingReader.readHeap(path: trace, graphs: .rootsAlone)
        return Symbolicator(recording: recording, search: search, cache: cache).records().symbols
    }

    /// Where a trace that is kept nowhere stands while it is read.
    static func finishedPath(of raw: String) -> String { raw + ".finished" }

    /// `game.gptrace` → `game.1234.gptrace`.
    static func path(of process: String, beside path: String) -> String {
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
