import GameprofBasics
import GameprofTrace
import Synchronization

/// What the snapshots of a process have counted so far: which blocks may be growth. Their paths from a root are reported without
/// being asked for.
struct GrowthSeries {
    private struct Maker: Hashable {
        var type: TypeID
        var stack: StackID
    }

    /// The states after each repetition of a scenario.
    private struct Scenario {
        var repetitions = 0
        var counts: [Maker: [UInt64]] = [:]
    }

    /// Blocks of one type and stack that are growth at the end, by their number alone, and how many such rows are named.
    private static let (many, manyMost, most): (UInt64, Int, Int) = (48, 16, 64)
    /// At the end what only may grow is not worth a walk over a very large heap.
    private static let blocksAtEnd = 1_000_000

    /// A process that tests itself has as many scenarios as tests: earlier ones are forgotten.
    private static let scenariosMost = 4

    /// The one that was counted last is the last.
    private var scenarios: [(name: String, known: Scenario)] = []

    /// Takes what the next snapshot has counted.
    /// - Parameter isClass: whether the blocks of a row are instances of a class.
    /// - Returns: places of rows that may grow.
    mutating func choose(
        _ rows: [HeapCensusRecord], name: String, trigger: HeapBeginRecord.Trigger, isClass: (Int) -> Bool
    ) -> [Int] {
        let isAtEnd = trigger == .atExit
        var known: [Scenario] = scenarios.map(\.known)
        if !isAtEnd, RepetitionNames.isRepetition(name) {
            known = [note(rows, RepetitionNames.scenario(of: name))]
        } else if !isAtEnd {
            return []
        }
        if isAtEnd, rows.reduce(0, { $0 &+ $1.count }) > Self.blocksAtEnd { return [] }
        var chosen = rows.indices.filter { place in
            let maker = Maker(type: rows[place].type, stack: rows[place].stack)
            return !maker.stack.isNone
                && known.contains {
                    $0.counts[maker].map { GrowthRule.repetitions($0) != nil } ?? false
                }
        }
        if isAtEnd {
            let many = rows.indices.filter { rows[$0].count >= Self.many && !rows[$0].stack.isNone && isClass($0) }
            let byCount = many.sorted { (rows[$0].count, $1) > (rows[$1].count, $0) }
            let byBytes = many.sorted { (rows[$0].bytes, $1) > (rows[$1].bytes, $0) }
            for place in byCount.prefix(Self.manyMost) + byBytes.prefix(Self.manyMost) where !chosen.contains(place) {
                chosen.append(place)
            }
        }
        return Array(chosen.prefix(Self.most))
    }

    private mutating func note(_ rows: [HeapCensusRecord], _ name: String) -> Scenario {
        var scenario = scenarios.first { $0.name == name }?.known ?? Scenario()
        for row in rows {
            let maker = Maker(type: row.type, stack: row.stack)
            var counts = scenario.counts[maker] ?? []
            while counts.count < scenario.repetitions { counts.append(0) }
            if counts.count == scenario.repetitions { counts.append(0) }
            counts[scenario.repetitions].add(clamping: row.count)
            scenario.counts[maker] = counts
        }
        scenario.repetitions += 1
        for maker in scenario.counts.keys where scenario.counts[maker]!.count < scenario.repetitions {
            scenario.counts[maker]!.append(0)
        }
        if scenario.repetitions > 2 {
            // What did not rise each time after the warm-up is growth no more (`GrowthRule.repetitions`).
            scenario.counts = scenario.counts.filter { _, counts in
                zip(counts.dropFirst(2), counts.dropFirst()).allSatisfy { $0 > $1 }
            }
        }
        scenarios.removeAll { $0.name == name }
        scenarios.append((name, scenario))
        if scenarios.count > Self.scenariosMost { scenarios.removeFirst() }
        return scenario
    }
}

/// The series of the processes whose copies are searched here.
final class GrowthOfProcesses: Sendable {
    private let series = Mutex<[UInt64: GrowthSeries]>([:])

    /// - Parameter process: the number of the process that was copied.
    func choose(
        _ rows: [HeapCensusRecord], of process: UInt64, name: String, trigger: HeapBeginRecord.Trigger,
        isClass: (Int) -> Bool
    ) -> [Int] {
        series.withLock { series in
            series[process, default: GrowthSeries()].choose(rows, name: name, trigger: trigger, isClass: isClass)
        }
    }
}
