import Foundation
import Synchronization

/// Ends a program that runs too long: asks it and all that it started by SIGTERM, and ends them later by SIGKILL.
final class Deadline: Sendable {
    /// What was done.
    private enum State { case waiting, asked, over }

    /// Seconds that the programs have for their end; the search for leaks takes place in them.
    private static let grace = 30.0

    private let process: pid_t
    private let state = Mutex(State.waiting)

    init(of process: pid_t, after seconds: Double) {
        self.process = process
        schedule(SIGTERM, after: seconds)
    }

    /// The program has ended and is not reaped yet. True: it was asked to.
    func cancel() -> Bool {
        state.withLock { state in
            defer { state = .over }
            return state == .asked
        }
    }

    private func schedule(_ signal: Int32, after seconds: Double) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in
            let isOver = state.withLock { state in
                guard state != .over else { return true }
                state = .asked
                for process in Self.family(of: process) { kill(process, signal) }
                return false
            }
            if !isOver, signal == SIGTERM { schedule(SIGKILL, after: Self.grace) }
        }
    }

    /// The process and those below it.
    private static func family(of process: pid_t) -> [pid_t] {
        var parents: [pid_t: pid_t] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let id = pid_t(name), let stat = FileManager.default.contents(atPath: "/proc/\(id)/stat") else {
                continue
            }
            // The name in brackets may hold anything.
            let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
            if fields.count > 1, let parent = pid_t(fields[1]) { parents[id] = parent }
        }
        var family = [process]
        var index = 0
        while index < family.count {
            defer { index += 1 }
            family += parents.filter { $0.value == family[index] }.map(\.key)
        }
        return family
    }
}
