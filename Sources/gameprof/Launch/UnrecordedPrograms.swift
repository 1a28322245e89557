import Foundation
import GameprofBasics
import GameprofTrace

/// What the recorder noted about programs that were run and not recorded: a line each with PID, `exec` or `start`, the
/// path and why it cannot be recorded (empty: not asked for). Other lines are those of `ChildEnds`.
struct UnrecordedPrograms {
    private struct Note {
        var process: pid_t
        var isExec: Bool
        var path: String
        var reason: String

        var name: String { URL(fileURLWithPath: path).lastPathComponent }
        /// Whether it is Swift's crash reporter, which the runtime starts and not the program.
        var isCrashReporter: Bool { name == "swift-backtrace" }
    }

    private let notes: [Note]
    private static let shownNames = 5

    /// Reads what stands beside the trace at `path`.
    init(path: String) {
        let bytes = RegularFile.contents(Self.path(of: path)) ?? Data()
        notes = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 4, let process = pid_t(parts[0]), ["exec", "start"].contains(parts[1]) else {
                return nil
            }
            return Note(process: process, isExec: parts[1] == "exec", path: parts[2], reason: parts[3])
        }
    }

    /// Where the notes of a trace stand.
    static func path(of trace: String) -> String { trace + ".others" }

    /// Why there is no recording of what `process` became last; nil: it became nothing that cannot be recorded.
    func refusal(of process: pid_t) -> String? {
        notes.last { $0.process == process && $0.isExec }.flatMap(sentence)
    }

    /// Why there is no recording of a program that was started; nil: none was refused.
    func refusal() -> String? { notes.lazy.compactMap(sentence).first }

    private func sentence(_ note: Note) -> String? {
        guard !note.reason.isEmpty else { return nil }
        // A linked recorder has no room either where memory is limited.
        let instead = "; link the GameInstrumentation product of GameProfiler into it instead"
        return "\(note.path) \(note.reason)\(note.reason == LeastMemory.shortage ? "" : instead)"
    }

    /// Sentences for the reader of a report; `root` is the name of the program that was asked for.
    func sentences(root: String) -> [String] {
        var sentences: [String] = []
        let unasked = names { $0.reason.isEmpty && !$0.isCrashReporter }
        if !unasked.isEmpty {
            sentences.append(
                "\(root) started programs that were not recorded (\(unasked)). Use --follow to record them too.")
        }
        for reason in Set(notes.map(\.reason)).subtracting([""]).sorted() {
            sentences.append("Not recorded, because it \(reason): \(names { $0.reason == reason }).")
        }
        return sentences
    }

    private func names(_ isMeant: (Note) -> Bool) -> String {
        let names = Set(notes.filter(isMeant).map(\.name)).sorted()
        let more = names.count > Self.shownNames ? ["…"] : []
        return (names.prefix(Self.shownNames) + more).joined(separator: ", ")
    }
}
