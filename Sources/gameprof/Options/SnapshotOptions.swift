import ArgumentParser
import Foundation
import GameprofBasics

/// Heap snapshots before the one at the end.
struct SnapshotOptions: ParsableArguments {
    @Option(
        name: .customLong("snapshot-at"), parsing: .singleValue,
        help: ArgumentHelp(
            """
            Also search the heap before the end: at an interval in seconds (60), when gameprof (not the program) \
            receives a signal (USR1, USR2), or near the most live bytes (peak). May be repeated.
            """,
            discussion: """
                With peak, the heap is copied each time it has grown by a quarter. The last copy is kept, and gameprof \
                heap shows it.
                """,
            valueName: "when"))
    var moments: [String] = []

    @Option(
        name: .customLong("memory-warning-at"),
        help: ArgumentHelp(
            "Send the program a memory warning after this time (2s, 500ms). The report shows what it freed.",
            valueName: "time"))
    var memoryWarning: String?

    /// Signals that neither the terminal nor a service manager sends.
    private static let signals = ["USR1": SIGUSR1, "USR2": SIGUSR2]

    mutating func validate() throws {
        for moment in moments where Self.request(moment) == nil {
            throw ValidationError("--snapshot-at takes seconds (0.01 or more), USR1, USR2 or peak, not “\(moment)”.")
        }
        if let memoryWarning, TimeSpan.milliseconds(memoryWarning) == nil {
            throw ValidationError("--memory-warning-at needs a time from 1 ms to 1,000,000 s, such as 2s or 500ms.")
        }
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
        let warning = memoryWarning.flatMap(TimeSpan.milliseconds).map { SnapshotRequest(warningMilliseconds: $0) }
        return moments.compactMap(Self.request).reduce(warning) { known, next in
            guard var all = known else { return next }
            all.milliseconds = next.milliseconds ?? all.milliseconds
            all.signal = next.signal ?? all.signal
            all.isAtPeak = all.isAtPeak || next.isAtPeak
            return all
        }
    }
}

/// Which snapshots of a trace are looked at.
struct SnapshotNumberOptions: ParsableArguments {
    @Option(
        name: .customLong("snapshot"),
        help: ArgumentHelp(
            """
            Show this snapshot of a trace, from 1 (default: the last one, or with gameprof heap the one near the \
            peak); heap diff compares two of them, or three of one trace (1,2,3).
            """,
            valueName: "number"))
    var text: String?

    func validate() throws {
        guard try numbers()?.allSatisfy({ $0 > 0 }) ?? true else {
            throw ValidationError("--snapshot takes numbers of snapshots, from 1.")
        }
    }

    /// Nil: those that the command chooses.
    func numbers() throws -> [Int]? {
        try text?.split(separator: ",", omittingEmptySubsequences: false).map {
            guard let number = Int($0) else {
                throw ValidationError("--snapshot takes numbers of snapshots, from 1, not “\($0)”.")
            }
            return number
        }
    }

    /// The one number where there can be no more.
    func only() throws -> Int? {
        guard let numbers = try numbers() else { return nil }
        guard numbers.count == 1 else { throw ToolError(.wrongUsage, "--snapshot takes one number here.") }
        return numbers[0]
    }
}

/// The types whose living objects are to be explained.
struct WhyOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Report what holds live objects of this type, by the shortest strong path from a root; heap also reports what \
            they retain. May be repeated.
            """,
            discussion: "Board, Game.Board, Box<Card>, *Controller: with or without module; * and ? are wildcards.",
            valueName: "type"))
    var why: [String] = []

    mutating func validate() throws {
        for type in why where type.isEmpty || type.contains(where: \.isNewline) {
            throw ValidationError("--why needs the name of a type or a pattern.")
        }
    }

    /// What is passed to the recorder.
    var environment: [String: String] {
        why.isEmpty ? [:] : ["GAMEPROF_WHY": why.joined(separator: "\n")]
    }
}

/// Types whose objects are listed.
struct ObjectOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "List the objects of these types, each with address, lifetime, bytes and maker; 10,000 at most, those that lived longest.",
            valueName: "types"))
    var objects: String?

    func validate(with sample: BlockSampling?) throws {
        guard let objects else { return }
        if objects.isEmpty || objects.contains(where: { ";|=".contains($0) }) {
            throw ValidationError("--objects takes names of types, separated by commas.")
        }
        if sample.map({ $0.mean > 1 }) ?? false {
            throw ValidationError("--objects lists every object of a type: it cannot be combined with --sample.")
        }
    }

    /// Variables for the recorder.
    var environment: [String: String] {
        objects.map { ["GAMEPROF_OBJECTS": TypeName.list($0[...]).joined(separator: "|")] } ?? [:]
    }
}
