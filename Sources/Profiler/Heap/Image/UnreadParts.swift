import GameprofBasics

/// What was not read of a process although words of the program may stand there: what only these name looks lost and is not.
/// Memory that the program never wrote is none of it: it is zero, or as its file has it.
package struct UnreadParts: Hashable, Sendable {
    /// Reasons, in the order in which they were met. A reason is a clause: "the core file is cut off".
    private var reasons: [String] = []
    private var bytes: [String: UInt64] = [:]
    private var threads: [String: Set<UInt32>] = [:]
    private var others: [String: [String]] = [:]
    private var sentences: [String] = []

    package init() {}

    package var isEmpty: Bool { reasons.isEmpty && sentences.isEmpty }

    /// Memory that was not read. Ranges of one reason do not overlap.
    package mutating func add(memory range: Range<UInt64>, because reason: String) {
        guard !range.isEmpty else { return }
        note(reason)
        // A damaged core file may claim more than there are addresses.
        let (sum, overflows) = bytes[reason, default: 0].addingReportingOverflow(range.upperBound - range.lowerBound)
        bytes[reason] = overflows ? .max : sum
    }

    /// A thread of which it is not known where it stood: its registers, or its stack, were not read.
    package mutating func add(thread: UInt32, because reason: String) {
        note(reason)
        threads[reason, default: []].insert(thread)
    }

    /// What is no memory and no thread: "the list of descriptors".
    package mutating func add(_ part: String, because reason: String) {
        note(reason)
        if others[reason]?.contains(part) != true { others[reason, default: []].append(part) }
    }

    /// What the recorder says of it, without a period.
    package mutating func add(sentence: String) { sentences.append(sentence) }

    private mutating func note(_ reason: String) { if !reasons.contains(reason) { reasons.append(reason) } }

    /// "132 KB of memory (the core file is cut off) and 2 threads (…) could not be read"
    package var clause: String {
        let parts = reasons.map { reason in
            var parts: [String] = []
            if let bytes = bytes[reason] { parts.append("\(NumberFormat.bytes(bytes)) of memory") }
            if let threads = threads[reason] { parts.append(NumberFormat.count(threads.count, "thread")) }
            return (parts + others[reason, default: []]).joined(separator: ", ") + " (\(reason))"
        }
        let own = parts.isEmpty ? [] : [parts.joined(separator: " and ") + " could not be read"]
        return (own + sentences).joined(separator: "; ")
    }
}
