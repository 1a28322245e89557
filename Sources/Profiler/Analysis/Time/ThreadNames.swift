import Foundation
import GameprofTrace

/// Names of threads as a person wants to read them.
package enum ThreadNames {
    /// "thread main", "thread 3 · closure #1 in Game.start()"
    package static func phrase(_ name: String) -> String { name.hasPrefix("thread ") ? name : "thread \(name)" }

    /// Names for stacks whose thread has none of its own.
    static let (main, ended, unjoined) = ("main", "ended threads", "ended threads that nobody joined")

    /// Stands between the number of a thread and what it was started with.
    private static let separator = " · "

    /// As `readable`, and the same for all that were given no name: where many threads are joined.
    static func joined(_ name: String) -> String { hasNumber(name) ? "threads without a name" : readable(name) }

    private static func hasNumber(_ name: String) -> Bool { UInt32(name.components(separatedBy: separator)[0]) != nil }

    /// Adds to the number of a thread without a name what it was started with: the outermost function of the user's on the first of
    /// its stacks that has one.
    static func addStarts(to recording: inout Recording, _ symbolicator: any Symbolicating) {
        let unnamed = Set(recording.threadNames.lazy.filter { UInt32($0.value) != nil }.map(\.key))
        guard !unnamed.isEmpty else { return }
        var stacks: [ThreadID: [StackID]] = [:]
        for entry in recording.samples.entries
        where unnamed.contains(entry.thread) && stacks[entry.thread, default: []].count < looked {
            stacks[entry.thread, default: []].append(entry.stack)
        }
        for entry in recording.threadStacks where unnamed.contains(entry.thread) {
            stacks[entry.thread, default: []].append(entry.stack)
        }
        if let crash = recording.crash, unnamed.contains(crash.thread) {
            stacks[crash.thread, default: []].append(crash.stack)
        }
        symbolicator.prepare(stacks: Set(stacks.values.joined()), addresses: [])
        for (thread, stacks) in stacks {
            let whole = stacks.lazy.map { symbolicator.stack($0) }.filter { !$0.isTruncated }
            let starts = whole.compactMap { $0.frames.last { $0.origin == .user }?.function }
            if let start = starts.first { recording.threadNames[thread]? += separator + start }
        }
    }

    /// Samples of a thread that are looked at for what it was started with.
    private static let looked = 16

    /// A readable name without what the thread was started with: for a label that has little room.
    package static func short(_ readable: String) -> String { readable.components(separatedBy: separator)[0] }

    /// `dispatch pool (default)` for a worker of libdispatch's, `thread 3` for one that has a number only, `thread 3 · closure #1 in
    /// Game.start()` where it is known what that was started with, any other name as it is.
    static func readable(_ name: String) -> String {
        if hasNumber(name) { return "thread \(name)" }
        return ThreadTitles.spelledOut(name)
    }
}
