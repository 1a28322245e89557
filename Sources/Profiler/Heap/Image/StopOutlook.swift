import Foundation
import GameprofBasics

/// What it does to the threads of a process that they are stopped, found without stopping them.
enum StopOutlook {
    /// Subjects and sentences.
    /// - Throws: they must not be stopped now.
    static func facts(of pid: pid_t) throws(MemoryImageError) -> [(subject: String, sentence: String)] {
        var (filtered, asleep) = (0, 0)
        var calls: [WaitingCall.Effect: [String: Int]] = [:]
        for thread in StoppedThreads.threads(of: pid) {
            if ProcessFacts.isUninterruptible(thread, of: pid) { asleep += 1 }
            let isFiltered = ProcessFacts.hasFilter(thread, of: pid)
            if isFiltered { filtered += 1 }
            if let danger = StoppedThreads.danger(thread, of: pid) { throw danger }
            guard let call = SleepingThread(thread, of: pid)?.call, let name = call.name,
                let effect = call.effect(of: thread, isFiltered: isFiltered)
            else { continue }
            calls[effect, default: [:]][name, default: 0] += 1
        }
        var facts: [(subject: String, sentence: String)] = []
        if asleep > 0 {
            facts.append(("sleep", "\(threads(asleep)) cannot be stopped now (in vfork, or waiting for a device)"))
        }
        if filtered > 0 {
            facts.append(
                (
                    "filter",
                    "of system calls (seccomp), for \(threads(filtered)): it sees no call that they do not make themselves"
                ))
        }
        for effect in WaitingCall.Effect.allCases {
            for (name, count) in (calls[effect] ?? [:]).sorted(by: { $0.key < $1.key }) {
                facts.append(("calls", "\(name) in \(threads(count)) \(effect.rawValue)"))
            }
        }
        return facts
    }

    private static func threads(_ count: Int) -> String { NumberFormat.count(count, "thread") }
}
