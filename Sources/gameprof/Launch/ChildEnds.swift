import Foundation
import GameprofBasics
import GameprofTrace

/// How processes failed, as recorded processes noted it that waited for them: a line each with PID, `signal` or `code`, its number
/// and the time of the wait.
struct ChildEnds {
    private struct Note {
        var status: ProgramExitRecord.Status
        /// Nanoseconds of the wall clock.
        var time: UInt64
    }

    /// By process number, in the order of time.
    private var notes: [pid_t: [Note]] = [:]

    /// Reads what stands beside the trace at `path`.
    init(path: String) {
        let bytes = RegularFile.contents(UnrecordedPrograms.path(of: path)) ?? Data()
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard parts.count == 4, let process = pid_t(parts[0]), let number = Int32(parts[2]),
                let time = UInt64(parts[3])
            else { continue }
            let status: ProgramExitRecord.Status
            switch parts[1] {
            case "signal": status = .signal(number)
            case "code": status = .code(number)
            default: continue
            }
            notes[process, default: []].append(Note(status: status, time: time))
        }
    }

    /// The end of the process whose trace stands at `path`; nil: it is not known, or the trace has it. Process numbers are used again:
    /// it is the first end since the recording began.
    func exit(of process: pid_t, trace path: String) -> ProgramExitRecord? {
        guard let known = notes[process], let header = try? TraceReader(path: path).header, !header.isFinished,
            let end = known.first(where: { $0.time >= header.startUnixNanoseconds })
        else { return nil }
        // At the latest: the wait may have come after the end.
        return ProgramExitRecord(status: end.status, wall: end.time - header.startUnixNanoseconds)
    }
}
