import Foundation
import GameprofBasics
import GameprofHeap
import GameprofReport
import GameprofTrace

/// Looks at a running process at an interval. Each look is a snapshot of one trace, from which the report is made in the end.
struct LookSeries {
    let pid: pid_t
    let interval: LookInterval

    /// Nanoseconds of the shortest and the longest pause.
    private typealias Pauses = (least: UInt64, most: UInt64)

    /// Looks, and makes the report; throws the exit status when it is not 0.
    /// - Parameter kept: where the trace is kept; nil: nowhere.
    func report(_ source: HeapImageSource, _ output: ReportOutput, keeping kept: String?) throws {
        var output = output
        if let kept { try AtomicFile.check(kept, needsFile: true) }
        try output.check()
        let trace = try PrivateTrace()
        defer { trace.remove() }
        try record(source, &output.search, to: trace, isQuiet: output.files.isQuiet)
        let finishing = trace.interruption()
        defer { finishing.end() }
        if let kept { try trace.keep(as: kept, output.search, isQuiet: output.files.isQuiet) }
        let status = try output.make(from: kept ?? trace.path).exitStatus
        if status != .nothingFound { throw status }
    }

    private func record(
        _ source: HeapImageSource, _ search: inout SymbolSearch, to trace: PrivateTrace, isQuiet: Bool
    ) throws {
        let signals = SignalForwarding.begin()
        SignalForwarding.unblockRequests()
        defer { signals.end() }
        if !isQuiet {
            StandardError.say(
                "Looking at process \(pid) every \(NumberFormat.seconds(Double(interval.milliseconds) / 1000)); Ctrl-C ends it with the report."
            )
        }
        let begin = DispatchTime.now()
        func isOver(_ next: DispatchTime) -> Bool {
            SignalForwarding.wasAskedToEnd || interval.duration.map { next > begin + .milliseconds(Int($0)) } ?? false
        }
        do {
            var next = begin
            let first = try look(source, &search, isQuiet)
            let mark = ProcessFacts.programMark(of: pid)
            var images = try ImageTrace(path: trace.path, first: first)
            var pauses: Pauses = (.max, 0)
            var looks = 0
            var notes = try append(first, to: &images, &pauses, &looks)
            while true {
                next = max(next + .milliseconds(Int(interval.milliseconds)), .now())
                guard wait(until: next, isOver) else { break }
                do {
                    let later = try look(source, &search, isQuiet)
                    let now = ProcessFacts.programMark(of: pid)
                    guard now.isEmpty || now == mark else {
                        images.note("Process \(pid) became another program.")
                        break
                    }
                    notes = try append(later, to: &images, &pauses, &looks)
                } catch let error as ToolError {
                    images.note("A look failed. \(error.description)")
                    if !ProcessFacts.isRunning(pid) { break }
                }
            }
            images.note(sentence(looks, pauses, DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds))
            for note in notes { images.note(note) }
            try images.finish()
        } catch let error as TraceError {
            throw ToolError(.toolFailed, error.description)
        }
    }

    private func look(
        _ source: HeapImageSource, _ search: inout SymbolSearch, _ isQuiet: Bool
    ) throws -> Recording {
        try source.read(for: .leaks, &search, isQuiet: isQuiet) { questions in
            (questions.keepsGraph, questions.counts) = (true, true)
        }
    }

    /// - Returns: what is to be said of it if it is the last one.
    private func append(
        _ look: Recording, to images: inout ImageTrace, _ pauses: inout Pauses, _ looks: inout Int
    ) throws -> [String] {
        var look = look
        // One sentence stands for the first of all looks.
        let notes = Array(look.capture.notes.dropFirst())
        look.capture.notes = []
        let pause = look.heapSnapshots.first?.begin.pause ?? 0
        pauses = (min(pauses.least, pause), max(pauses.most, pause))
        looks += 1
        try images.append(look)
        return notes
    }

    /// False: there will be no look.
    private func wait(until next: DispatchTime, _ isOver: (DispatchTime) -> Bool) -> Bool {
        while !isOver(next) {
            let now = DispatchTime.now()
            guard now < next else { return true }
            usleep(useconds_t(min(next.uptimeNanoseconds - now.uptimeNanoseconds, 50_000_000) / 1000 + 1))
        }
        return false
    }

    private func sentence(_ looks: Int, _ pauses: Pauses, _ time: UInt64) -> String {
        func seconds(_ nanoseconds: UInt64) -> String { NumberFormat.seconds(Double(nanoseconds) / 1e9) }
        let pause =
            looks == 1 ? seconds(pauses.most) : "\(seconds(pauses.least)) to \(seconds(pauses.most)) each time"
        return
            "Read from the running process \(pid), \(NumberFormat.count(looks, "time")) in \(seconds(time)), which was paused for "
            + "\(pause): there are no stacks of allocations."
    }
}
