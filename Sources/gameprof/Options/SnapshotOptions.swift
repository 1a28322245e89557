import ArgumentParser
import Foundation

/// Heap snapshots before the one at the end.
struct SnapshotOptions: ParsableArguments {
    @Option(
        name: .customLong("snapshot-every"),
        help: ArgumentHelp("Also search for leaks at this interval, not only at exit.", valueName: "seconds"))
    var every: Double?

    @Option(
        name: .customLong("snapshot-signal"),
        help: ArgumentHelp(
            "Also search for leaks when gameprof (not the program) receives this signal: USR1 or USR2.",
            valueName: "signal"))
    var signal: String?

    @Flag(
        name: .customLong("at-peak"),
        help: """
            Also take the heap near its most live bytes: at each growth by a quarter, of which the last is kept. gameprof \
            heap shows that one.
            """)
    var atPeak = false

    /// Signals that neither the terminal nor a service manager sends.
    private static let signals = ["USR1": SIGUSR1, "USR2": SIGUSR2]

    mutating func validate() throws {
        if let every, !(every >= 0.01 && every <= 1e6) {
            throw ValidationError("--snapshot-every needs a number of seconds, 0.01 or more.")
        }
        if let signal, Self.number(of: signal) == nil {
            throw ValidationError("--snapshot-signal takes USR1 or USR2.")
        }
    }

    private static func number(of name: String) -> Int32? {
        let name = name.uppercased()
        return signals[name.hasPrefix("SIG") ? String(name.dropFirst(3)) : name]
    }

    /// What a recording session needs to know of them; nil: there are none.
    var request: SnapshotRequest? {
        guard every != nil || signal != nil || atPeak else { return nil }
        return SnapshotRequest(
            milliseconds: every.map { UInt64(($0 * 1_000).rounded()) }, signal: signal.flatMap(Self.number),
            isAtPeak: atPeak)
    }
}

/// When to take heap snapshots before the end.
struct SnapshotRequest {
    var milliseconds: UInt64?
    /// The signal to gameprof that asks for one.
    var signal: Int32?
    /// Whenever live bytes have grown by a quarter.
    var isAtPeak = false
}
