import Foundation
import GameprofAnalysis
import GameprofBasics

/// Joins the reports of recordings that ran side by side, one after the other: what is added is counted and then let go. The
/// result does not depend on the order. Memory: the different findings, types, stacks and functions.
public struct MergedReport {
    private var shards: [Shard] = []
    private var capture = Report.Capture()
    private var instruments: Set<Instrument> = []
    private var problems: Set<String> = []
    private var notes: Set<String> = []
    private var unused: Set<String>?
    private var heap: Report.HeapTotals?
    /// A recording was to be searched for leaks and was not.
    private var lacksHeap = false
    private var findings: [String: MergedFinding] = [:]
    private var allocations: MergedAllocations?
    private var time: MergedTime?
    private var files: MergedFileUses?
    private var counting: MergedReferenceCounting?
    private var hasOthers = false

    /// Rows of each list of the merged report.
    public static let rows = 500

    public init() {}

    /// `name`: of the recording; each has another.
    public mutating func add(_ report: Report, named name: String) {
        shards.append(Shard(name: name, report: report))
        instruments.formUnion(report.capture.instruments)
        capture.events.add(clamping: report.capture.events)
        capture.dropped.add(clamping: report.capture.dropped)
        capture.truncated = capture.truncated || report.capture.truncated
        problems.formUnion(report.capture.problems.map { "\(name): \($0)" })
        notes.formUnion(report.capture.notes)
        unused = unused.map { $0.intersection(report.unusedSuppressions) } ?? Set(report.unusedSuppressions)
        add(report.heap, isExpected: report.capture.instruments.contains(.leaks))
        for finding in report.findings {
            if findings[finding.signature] == nil {
                findings[finding.signature] = MergedFinding(finding, in: name)
            } else {
                findings[finding.signature]?.add(finding, in: name)
            }
        }
        if let other = report.allocations {
            var sum = allocations ?? MergedAllocations()
            sum.add(other)
            allocations = sum
        }
        if let other = report.hotspots {
            var sum = time ?? MergedTime()
            sum.add(other)
            time = sum
        }
        if let other = report.files {
            var sum = files ?? MergedFileUses()
            sum.add(other)
            files = sum
        }
        if let other = report.referenceCounting {
            var sum = counting ?? MergedReferenceCounting()
            sum.add(other)
            counting = sum
        }
        hasOthers =
            hasOthers || report.probes != nil || report.frames != nil || report.why != nil || report.liveHeap != nil
            || report.crash != nil || report.footprint != nil || report.grew != nil || report.memoryWarnings != nil
            || report.failedAllocation != nil
    }

    private mutating func add(_ other: Report.HeapTotals?, isExpected: Bool) {
        guard let other else {
            lacksHeap = lacksHeap || isExpected
            return
        }
        var sum = heap ?? Report.HeapTotals()
        sum.blocks.add(clamping: other.blocks)
        sum.bytes.add(clamping: other.bytes)
        sum.swiftObjects.add(clamping: other.swiftObjects)
        sum.leakedBlocks.add(clamping: other.leakedBlocks)
        sum.leakedBytes.add(clamping: other.leakedBytes)
        sum.pauseSeconds = max(sum.pauseSeconds, other.pauseSeconds)
        heap = sum
    }

    /// Nil: nothing was added.
    public var report: Report? {
        let shards = shards.sorted { $0.name < $1.name }
        guard let first = shards.first else { return nil }
        let isOneProgram = shards.allSatisfy { $0.executable == first.executable }
        var target = Report.Target(
            executable: isOneProgram ? first.executable : "\(shards.count) programs",
            arguments: shards.allSatisfy { $0.arguments == first.arguments } && isOneProgram ? first.arguments : [],
            wallSeconds: shards.map(\.wallSeconds).max() ?? 0)
        target.exit = Self.worst(shards.map(\.exit))
        var capture = capture
        capture.instruments = Instrument.sorted(instruments)
        capture.problems = problems.sorted()
        capture.notes = notes.sorted()
        if hasOthers {
            capture.notes.append(
                "Probes, frames, paths, the live heap, resident memory, growth, memory warnings and crashes are those of one "
                    + "process: see the reports of the recordings.")
        }
        var report = Report(target: target, capture: capture)
        report.heap = lacksHeap ? nil : heap
        if lacksHeap { report.capture.problems.append("The heap of a recording was not searched for leaks.") }
        report.findings = findings.values.map(\.finding)
            .sorted { ($0.severity, $1.bytes, $0.signature) < ($1.severity, $0.bytes, $1.signature) }
        report.allocations = allocations?.value
        report.hotspots = time?.value
        report.files = files?.value
        report.referenceCounting = counting?.value
        report.unusedSuppressions = (unused ?? []).sorted()
        report.shards = shards
        return report
    }

    /// A signal before a code, a code before success; unknown if one is.
    private static func worst(_ exits: [Report.Exit?]) -> Report.Exit? {
        let known = exits.compactMap { $0 }
        if let signal = known.compactMap(\.signal).max() { return Report.Exit(signal: signal) }
        if let code = known.compactMap(\.code).max(), code != 0 || known.count == exits.count {
            return Report.Exit(code: code)
        }
        return nil
    }
}

/// The same defect in several recordings.
private struct MergedFinding {
    /// Of each recording, its findings of this signature: processes may have the same.
    private var seen: [String: Finding.Seen] = [:]
    private var severity: Finding.Severity
    private var objects: [String: Int] = [:]
    /// Whose words and stacks stand for all: the one with the most instances, of equal ones the first by its JSON.
    private var example: Finding

    init(_ finding: Finding, in shard: String) {
        example = finding
        severity = finding.severity
        count(finding, in: shard)
    }

    mutating func add(_ finding: Finding, in shard: String) {
        severity = min(severity, finding.severity)
        count(finding, in: shard)
        if isBefore(finding, example) { example = finding }
    }

    private mutating func count(_ finding: Finding, in shard: String) {
        var row = seen[shard] ?? Finding.Seen(shard: shard, count: 0, bytes: 0)
        row.count.add(clamping: finding.count)
        row.bytes.add(clamping: finding.bytes)
        seen[shard] = row
        for (type, number) in finding.objects { objects[type, default: 0].add(clamping: number) }
    }

    private func isBefore(_ one: Finding, _ other: Finding) -> Bool {
        guard one.count == other.count else { return one.count > other.count }
        guard one != other else { return false }
        return Self.bytes(one).lexicographicallyPrecedes(Self.bytes(other))
    }

    private static func bytes(_ finding: Finding) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(finding)) ?? Data()
    }

    var finding: Finding {
        var result = example
        result.severity = severity
        result.objects = objects
        result.process = nil
        result.sightings = nil
        result.firstSeenSeconds = nil
        let rows = seen.values.sorted { $0.shard < $1.shard }
        result.seen = rows
        (result.count, result.bytes) = (0, 0)
        for row in rows {
            result.count.add(clamping: row.count)
            result.bytes.add(clamping: row.bytes)
        }
        // It was proved on the instances of one recording.
        if result.count != example.count { result.fixFrees = nil }
        return result
    }
}

/// Counts of several processes: their peaks are not added, for each is another process's.
private struct MergedAllocations {
    private var totals = AllocationCounts()
    private var types: [String: (counts: AllocationCounts, makers: [MakerKey: AllocationCounts]?)] = [:]
    private var stacks: [StackKey: AllocationCounts] = [:]
    private var omittedTypes = 0
    private var omittedStacks = 0

    private struct MakerKey: Hashable {
        var function, module: String
        var file: String?
        var line: Int?
    }

    private struct StackKey: Hashable {
        var type: String
        var stack: CallStack
    }

    mutating func add(_ other: Report.Allocations) {
        Self.add(other.totals, to: &totals)
        for row in other.byType {
            var known = types[row.type] ?? (AllocationCounts(), nil)
            Self.add(row.counts, to: &known.counts)
            if let makers = row.makers {
                var sums = known.makers ?? [:]
                for one in makers {
                    let key = MakerKey(function: one.function, module: one.module, file: one.file, line: one.line)
                    Self.add(one.counts, to: &sums[key, default: AllocationCounts()])
                }
                known.makers = sums
            }
            types[row.type] = known
        }
        for row in other.byStack {
            let key = StackKey(type: row.type, stack: row.allocatedBy.ofAnyThread)
            Self.add(row.counts, to: &stacks[key, default: AllocationCounts()])
        }
        omittedTypes.add(clamping: other.omittedTypes)
        omittedStacks.add(clamping: other.omittedStacks)
    }

    private static func add(_ counts: AllocationCounts, to sum: inout AllocationCounts) {
        let (peak, atPeak) = (max(sum.peakBytes, counts.peakBytes), max(sum.atPeakBytes, counts.atPeakBytes))
        sum.add(counts)
        (sum.peakBytes, sum.atPeakBytes) = (peak, atPeak)
    }

    var value: Report.Allocations {
        var result = Report.Allocations(totals: totals)
        let allTypes = types.map { type, row in
            Report.TypeRow(
                type: type, counts: row.counts,
                makers: row.makers.map { makers in
                    makers.map {
                        Report.Maker(
                            function: $0.key.function, module: $0.key.module, file: $0.key.file, line: $0.key.line,
                            counts: $0.value)
                    }.sorted { Self.order($0.counts, "\($0)") < Self.order($1.counts, "\($1)") }
                })
        }.sorted { Self.order($0.counts, $0.type) < Self.order($1.counts, $1.type) }
        let allStacks = stacks.map { Report.StackRow(type: $0.key.type, counts: $0.value, allocatedBy: $0.key.stack) }
            .map { (row: $0, order: Self.order($0.counts, "\($0.type) \($0.allocatedBy)")) }
            .sorted { $0.order < $1.order }.map(\.row)
        result.byType = Array(allTypes.prefix(MergedReport.rows))
        result.byStack = Array(allStacks.prefix(MergedReport.rows))
        result.omittedTypes = [omittedTypes, allTypes.count - result.byType.count].clampedSum
        result.omittedStacks = [omittedStacks, allStacks.count - result.byStack.count].clampedSum
        return result
    }

    /// Most bytes first.
    private static func order(_ counts: AllocationCounts, _ name: String) -> (UInt64, UInt64, String) {
        (.max - counts.bytes, .max - counts.allocations, name)
    }
}

/// CPU time of several processes. Whole nanoseconds, so that a sum is the same in every order.
private struct MergedTime {
    private var samples: UInt64 = 0
    private var lost: UInt64 = 0
    private var cpu: Int64 = 0
    private var system: Int64 = 0
    private var unsampled: Int64 = 0
    private var rate = 0.0
    private var methods: Set<String> = []
    private var functions: [Key: (own: Int64, total: Int64, line: Int?)] = [:]
    private var omitted = 0

    private struct Key: Hashable {
        var function, module: String
        var file: String?
        var origin: FrameOrigin
    }

    mutating func add(_ other: Report.Hotspots) {
        samples.add(clamping: other.samples)
        lost.add(clamping: other.lost)
        cpu.add(clamping: Nanoseconds.of(other.cpuSeconds))
        system.add(clamping: Nanoseconds.of(other.systemSeconds))
        unsampled.add(clamping: Nanoseconds.of(other.unsampledSeconds ?? 0))
        rate = max(rate, other.rate)
        methods.insert(other.method)
        for row in other.functions {
            let key = Key(function: row.function, module: row.module, file: row.file, origin: row.origin)
            var sum = functions[key] ?? (0, 0, nil)
            sum.own.add(clamping: Nanoseconds.of(row.own * other.cpuSeconds))
            sum.total.add(clamping: Nanoseconds.of(row.total * other.cpuSeconds))
            sum.line = [sum.line, row.line].compactMap { $0 }.min()
            functions[key] = sum
        }
        omitted.add(clamping: other.omittedFunctions)
    }

    var value: Report.Hotspots {
        let all = Double(max(1, cpu))
        let rows = functions.map { key, sum in
            Report.Hotspots.FunctionRow(
                function: key.function, module: key.module, file: key.file, line: sum.line, own: Double(sum.own) / all,
                total: Double(sum.total) / all, origin: key.origin)
        }.sorted {
            ($1.own, $1.total, $0.function, $0.module, $0.file ?? "") < (
                $0.own, $0.total, $1.function, $1.module, $1.file ?? ""
            )
        }
        let shown = Array(rows.prefix(MergedReport.rows))
        var result = Report.Hotspots(
            samples: samples, cpuSeconds: Nanoseconds.seconds(cpu), rate: rate,
            method: methods.sorted().joined(separator: "; "))
        result.systemSeconds = Nanoseconds.seconds(system)
        if unsampled > 0 { result.unsampledSeconds = Nanoseconds.seconds(unsampled) }
        result.lost = lost
        result.functions = shown
        result.omittedFunctions = [omitted, rows.count - shown.count].clampedSum
        return result
    }
}
