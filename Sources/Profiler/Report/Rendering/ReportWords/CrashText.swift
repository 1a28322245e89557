import Foundation
import GameprofAnalysis
import GameprofBasics

/// The words for what ended a program.
package enum CrashText {
    package static func title(_ crash: Report.Crash) -> String {
        "Crash: signal \(crash.signal) (\(String(cString: strsignal(Int32(clamping: crash.signal)))))"
    }

    /// Where and when, beside the title. A core file does not say when.
    package static func place(_ crash: Report.Crash) -> String {
        [
            crash.thread.map(ThreadNames.phrase),
            crash.seconds > 0 ? "at \(NumberFormat.seconds(crash.seconds))" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }

    /// The threads of a core file beside the one that crashed, whose stack the crash has.
    package static func others(
        _ threads: [Report.ThreadStack]?, beside crash: Report.Crash?
    ) -> [Report.ThreadStack] {
        var threads = threads ?? []
        guard let crashed = crash?.thread, threads.first?.threads.first == crashed else { return threads }
        threads[0].threads.removeFirst()
        if threads[0].threads.isEmpty { threads.removeFirst() }
        return threads
    }

    package static func threadsHeading(beside crash: Report.Crash?) -> String {
        crash == nil ? "Where the threads stood" : "Where the other threads stood"
    }

    /// `thread main`, `3 threads: 2, 3, 4`.
    package static func names(_ threads: Report.ThreadStack) -> String {
        let most = 8
        let more = threads.threads.count - most
        let names =
            threads.threads.prefix(most).joined(separator: ", ")
            + (more > 0 ? " and \(NumberFormat.count(more)) more" : "")
        return threads.threads.count == 1
            ? ThreadNames.phrase(names) : "\(NumberFormat.count(threads.threads.count, "thread")): \(names)"
    }

    /// Words of the runtime's messages and what they mean.
    private static let meanings: [(words: String, meaning: String)] = [
        ("Index out of range", "a collection was asked for an element that it does not have"),
        ("unexpectedly found nil", "an optional without a value was unwrapped with !"),
        ("access conflict", "a variable was modified during another access to it (exclusivity)"),
        ("unowned reference", "an unowned reference was read after its object had been deallocated"),
        ("deallocated with", "a reference to the object escaped from its deinit: it refers to freed memory"),
        ("actor executor", "code of an actor ran outside the actor"),
        ("CONTINUATION MISUSE", "a continuation was resumed more than once, or never"),
        ("Division by zero", "a number was divided by zero"),
        ("not enough bits", "a number does not fit into the type that it was converted to"),
        ("Could not cast", "as! was applied to an object of another type"),
    ]

    /// Up to here an address is that of a null pointer's member or element.
    private static let nearNull: UInt64 = 4096

    /// Where memory was accessed; nil: it was not that.
    package static func access(_ crash: Report.Crash) -> String? {
        guard [SIGSEGV, SIGBUS].contains(Int32(clamping: crash.signal)), let address = crash.address else { return nil }
        guard let number = UInt64(address.dropFirst(2), radix: 16) else { return nil }
        return "address 0x\(String(number, radix: 16))" + (number < nearNull ? ", near null" : "")
    }

    /// What the runtime's message means; nil: it says so itself, or there is none.
    package static func meaning(_ crash: Report.Crash) -> String? {
        if crash.stackOverflow == true {
            let depth = crash.calls.map { ": it held \(NumberFormat.count($0, "call")) already" } ?? ""
            return "the thread's stack had no room for another call (stack overflow)\(depth)"
        }
        return crash.message.flatMap { message in
            meanings.first { message.range(of: $0.words, options: .caseInsensitive) != nil }?.meaning
        }
    }
}
