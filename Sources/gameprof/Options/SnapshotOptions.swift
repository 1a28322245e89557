import ArgumentParser
import Foundation

/// Heap snapshots before the one at the end.
struct SnapshotOptions: ParsableArguments {
    @Option(
        name: .customLong("snapshot-at"), parsing: .singleValue,
        help: ArgumentHelp(
            """
            Also search the heap before the end: every so many seconds (60), when gameprof (not the program) receives a \
            signal (USR1, USR2), or near the most live bytes (peak). May be repeated.
            """,
            discussion: """
                The heap of peak is taken at each growth by a quarter, and the last one is kept: gameprof heap shows that one.
                """,
            valueName: "when"))
    var moments: [String] = []

    @Option(
        name: .customLong("memory-warning-at"),
        help: ArgumentHelp(
            "Send the program a memory warning after so long, as 2s or 500ms: the report says what it gave back.",
            valueName: "time"))
    var memoryWarning: String?

    /// Signals that neither the terminal nor a service manager sends.
    private static let signals = ["USR1": SIGUSR1, "USR2": SIGUSR2]

    mutating func validate() throws {
        for moment in moments where Self.request(moment) == nil {
            throw ValidationError("--snapshot-at takes seconds (0.01 or more), USR1, USR2 or peak, not “\(moment)”.")
        }
        if let memoryWarning, Self.milliseconds(memoryWarning) == nil {
            throw ValidationError("--memory-warning-at needs a time of 1 ms to 1,000,000 s, as 2s or 500ms.")
        }
    }

    private static func milliseconds(_ text: String) -> UInt64? {
        let (digits, factor) =
            text.hasSuffix("ms") ? (text.dropLast(2), 1.0) : (text.hasSuffix("s") ? text.dropLast() : text[...], 1_000)
        guard let number = Double(digits), case let time = number * factor, time >= 1, time <= 1e9 else { return nil }
        return UInt64(time.rounded())
    }

    private static func request(_ moment: String) -> SnapshotRequest? {
        if moment == "peak" { return SnapshotRequest(isAtPeak: true) }
        let name = moment.uppercased()
        if let signal = signals[name.hasPrefix("SIG") ? String(name.dropFirst(3)) : name] {
            return SnapshotRequest(signal: signal)
        }
        guard let seconds = Double(moment), seconds >= 0.01, seconds <= 1e6 else { return nil }
        return SnapshotRequest(milliseconds: UInt64((seconds * 1_000).rounded()))
    }

    /// What a recording session needs to know of them; nil: there are none.
    var request: SnapshotRequest? {
        let warning = memoryWarning.flatMap(Self.milliseconds).map { SnapshotRequest(warningMilliseconds: $0) }
        return moments.compactMap(Self.request).reduce(warning) { known, next in
            guard var all = known else { return next }
            all.milliseconds = next.milliseconds ?? all.milliseconds
            all.signal = next.signal ?? all.signal
            all.isAtPeak = all.isAtPeak || next.isAtPeak
            return all
        }
    }
}
