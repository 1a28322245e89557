import Foundation
import GameprofBasics
import GameprofTrace

/// What ended the program, with lines.
enum CrashSection {
    /// Nil: the program did not end by a signal, or the recorder saw no fault.
    static func crash(of recording: Recording, symbolicator: any Symbolicating) -> Report.Crash? {
        guard let crash = recording.crash, hasEndedBySignal(recording) else { return nil }
        symbolicator.prepare(stacks: [crash.stack], addresses: [])
        var stack = CallStack(symbolicator.stack(crash.stack))
        let failure = stack?.takeRuntimeFailure()
        return Report.Crash(
            signal: Int(crash.signal), seconds: Seconds.of(crash.time),
            thread: recording.threadName(crash.thread), stack: stack,
            address: crash.address.map { "0x" + $0.hexDigits }, stackOverflow: crash.isStackOverflow ? true : nil,
            calls: crash.calls > 0 ? Int(clamping: crash.calls) : nil,
            message: crash.message.isEmpty
                ? failure : crash.message.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Where the threads of a core file stood, those at the same place joined; nil: none is known.
    static func threads(of recording: Recording, symbolicator: any Symbolicating) -> [Report.ThreadStack]? {
        guard !recording.threadStacks.isEmpty else { return nil }
        symbolicator.prepare(stacks: Set(recording.threadStacks.map(\.stack)), addresses: [])
        var result: [Report.ThreadStack] = []
        var places: [CallStack: Int] = [:]
        for entry in recording.threadStacks {
            var stack = CallStack(symbolicator.stack(entry.stack)) ?? CallStack(frames: [])
            _ = stack.takeRuntimeFailure()
            let name = recording.threadName(entry.thread)
            if let place = places[stack] {
                result[place].threads.append(name)
            } else {
                places[stack] = result.count
                result.append(Report.ThreadStack(threads: [name], stack: stack))
            }
        }
        return result
    }

    /// A handler of the program's may have gone on. A recording without an end was cut by what happened.
    private static func hasEndedBySignal(_ recording: Recording) -> Bool {
        if case .code = recording.exit?.status { return false }
        return true
    }
}

extension CallStack {
    /// An optimised build prints nothing. Its debug information has the reason as a function that was inlined.
    fileprivate mutating func takeRuntimeFailure() -> String? {
        let prefix = "Swift runtime failure: "
        guard let function = frames.first?.function, function.hasPrefix(prefix) else { return nil }
        frames.removeFirst()
        return String(function.dropFirst(prefix.count))
    }
}
