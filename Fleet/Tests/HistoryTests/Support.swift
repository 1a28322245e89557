import Foundation
import GameprofBasics
import HistoryModel

/// splitmix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return StableHash.mix(state)
    }

    /// Normal distribution (Box and Muller).
    mutating func normal() -> Double {
        let (a, b) = (Double.random(in: 1e-12...1, using: &self), Double.random(in: 0...1, using: &self))
        return (-2 * log(a)).squareRoot() * cos(2 * .pi * b)
    }
}

extension Run {
    /// Of commit number `commit`, a second after the one before.
    static func test(
        _ commit: Int, scenario: String = "level", branch: String = "main", machine: String = "m",
        toolchain: String = "t",
        instruments: Set<String> = ["leaks", "allocations"], isComplete: Bool = true, wall: Double = 1,
        findings: [Finding] = [], figures: [Figure] = []
    ) -> Run {
        Run(
            origin: Origin(
                commit: "c\(commit)", committed: Int64(commit), branch: branch, machine: machine, toolchain: toolchain),
            scenario: scenario, instruments: instruments, isComplete: isComplete, wallSeconds: wall, findings: findings,
            figures: figures)
    }
}

extension Run.Finding {
    static func test(_ signature: String, count: Int64 = 1, kind: String = "leak", severity: String = "error") -> Self {
        Self(
            signature: signature, kind: kind, severity: severity, title: "Leak: \(signature)", count: count,
            bytes: 100 * count)
    }
}

/// A folder that goes with the test.
final class Folder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func file(_ name: String) -> String { url.appending(path: name).path }

    deinit { try? FileManager.default.removeItem(at: url) }
}
