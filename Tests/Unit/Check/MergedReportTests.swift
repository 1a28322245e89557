import Foundation
import GameprofBasics
import GameprofReport
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofCheck

struct MergedReportTests {
    private func report(_ seed: Int, findings: [(String, Int)], exit: Report.Exit? = Report.Exit(code: 0)) -> Report {
        var report = Report(
            target: .init(executable: "/bin/game", arguments: ["\(seed)"], exit: exit, wallSeconds: 0.1 * Double(seed)),
            capture: .init(instruments: [.allocations, .leaks], events: UInt64(seed), notes: ["n"]))
        report.heap = .init(blocks: 10, bytes: UInt64(seed), pauseSeconds: 0.01 * Double(seed))
        report.findings = findings.map { signature, count in
            var finding = Finding(kind: .leak, signature: signature, title: "Leak: \(signature)", type: "A")
            finding.count = count
            finding.bytes = UInt64(min(count, 1 << 40) * 16)
            finding.objects = ["A": count]
            finding.allocatedBy = CallStack(frames: [.init(function: "f\(seed)")])
            return finding
        }
        var counts = AllocationCounts()
        (counts.allocations, counts.bytes, counts.peakBytes) = (UInt64(seed), UInt64(100 * seed), UInt64(1_000 - seed))
        var allocations = Report.Allocations(totals: counts)
        allocations.byType = [.init(type: "A", counts: counts), .init(type: "T\(seed % 2)", counts: counts)]
        allocations.byStack = [
            .init(
                type: "A", counts: counts, allocatedBy: CallStack(thread: "t\(seed)", frames: [.init(function: "make")])
            )
        ]
        report.allocations = allocations
        var hotspots = Report.Hotspots(samples: 10, cpuSeconds: 0.1 * Double(seed), rate: 1_000, method: "timer")
        hotspots.functions = [
            .init(function: "f", own: 0.3, total: 0.7), .init(function: "g\(seed)", own: 0.1, total: 0.1),
        ]
        report.hotspots = hotspots
        report.files = files(seed)
        report.referenceCounting = counting(seed)
        return report
    }

    private func counting(_ seed: Int) -> Report.ReferenceCounting {
        var counting = Report.ReferenceCounting()
        (counting.retains, counting.releases, counting.seconds) = (UInt64(10 * seed), UInt64(seed), 0.1 * Double(seed))
        var row = Report.ReferenceCounting.FunctionRow(function: "deal", module: "Game", file: "Board\(seed % 2).swift")
        (row.retains, row.releases, row.line) = (UInt64(10 * seed), UInt64(seed), seed)
        row.types = [.init(type: "Game.Card", changes: UInt64(11 * seed))]
        row.lines = [.init(line: seed % 3, retains: UInt64(10 * seed), releases: UInt64(seed))]
        row.via = ["copy", "own\(seed)"]
        var library = Report.ReferenceCounting.LibraryRow(function: "copy", module: "Swift")
        library.retains = UInt64(100 * seed)
        library.callers = [.init(function: "deal", share: 0.75), .init(function: "own\(seed)", share: 0.25)]
        (counting.functions, counting.libraries) = ([row], [library])
        return counting
    }

    @Test("retains and releases are added up by function, type, line and caller")
    func referenceCounting() throws {
        let counting = try #require(try merge(parts).referenceCounting)
        #expect(counting.retains == 210 && counting.releases == 21 && abs(counting.seconds - 2.1) < 1e-9)
        let row = try #require(counting.functions.first)
        #expect(counting.functions.count == 1 && row.retains == 210 && row.releases == 21 && row.share == 1)
        #expect(row.types == [.init(type: "Game.Card", changes: 231)] && row.file == "Board0.swift")
        #expect(row.lines.map(\.line) == [0, 2, 1] && row.lines.map(\.retains) == [90, 70, 50] && row.line == 0)
        #expect(row.via.first == "copy")
        let library = try #require(counting.libraries.first)
        #expect(library.retains == 2_100 && library.callers.first == .init(function: "deal", share: 0.75))
    }

    private func files(_ seed: Int) -> Report.Files {
        var files = Report.Files()
        (files.opened, files.reads, files.seconds) = (2, UInt64(seed), 0.1 * Double(seed))
        var row = Report.Files.FileRow(name: "scores", kind: .file)
        (row.opened, row.seconds) = (1, 0.1 * Double(seed))
        files.byFile = [row, .init(name: "own\(seed)", kind: .socket)]
        let stack = CallStack(thread: "t\(seed)", frames: [.init(function: "load")])
        var call = Report.Files.CallRow(operation: .read, file: "scores", stack: stack)
        (call.calls, call.seconds) = (UInt64(seed), 0.1 * Double(seed))
        files.byStack = [call]
        files.neverClosed = [
            .init(
                kind: .file, count: seed, opened: 9, files: ["own\(seed)"], firstSeconds: 0.1 * Double(seed),
                lastSeconds: 1, stack: stack)
        ]
        files.timeline = [.init(seconds: 1, calls: 1, bytes: 1, meanSeconds: 1, longestSeconds: 1)]
        return files
    }

    private var parts: [(name: String, report: Report)] {
        (1...6).map { seed in
            ("part-\(seed).gptrace", report(seed, findings: [("common", seed % 3 + 1), ("own\(seed)", 1)]))
        }
    }

    private func merge(_ parts: [(name: String, report: Report)]) throws -> Report {
        var merged = MergedReport()
        for part in parts { merged.add(part.report, named: part.name) }
        return try #require(merged.report)
    }

    @Test("numbers whose sum does not exist are joined without a trap")
    func greatestNumbers() throws {
        var great = report(1, findings: [("common", .max)])
        great.findings[0].objects = ["A": .max, "B": .max]
        great.allocations?.omittedTypes = .max
        great.allocations?.omittedStacks = .max
        great.allocations?.byType = (0...MergedReport.rows).map { .init(type: "\($0)", counts: AllocationCounts()) }
        great.allocations?.totals.bytes = .max
        great.hotspots?.omittedFunctions = .max
        great.hotspots?.cpuSeconds = 1e300
        great.files?.seconds = 1e300
        great.files?.omittedFiles = .max
        great.files?.byFile[0].seconds = .infinity
        great.referenceCounting?.retains = .max
        great.referenceCounting?.functions[0].retains = .max
        great.referenceCounting?.libraries[0].retains = .max
        great.referenceCounting?.omittedLibraries = .max
        great.referenceCounting?.seconds = .nan
        let merged = try merge([("a", great), ("b", great)])
        #expect(merged.allocations?.totals.bytes == .max && merged.allocations?.omittedTypes == .max)
        #expect(JSONNumbers.excessive(in: try JSONReport.render(merged)) != nil)
    }

    @Test("numbers in texts are no numbers of a report")
    func numbersInTexts() {
        #expect(
            JSONNumbers.excessive(in: #"{"a\"99999999999999999999": "1e99\\", "b": [-1e18, 1000000000000000000]}"#)
                == nil)
        #expect(JSONNumbers.excessive(in: #"{"a": "\\", "b": 1e19}"#) == "1e19")
    }

    @Test("the joined report has the same bytes in every order")
    func order() throws {
        let expected = try JSONReport.render(try merge(parts))
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            #expect(try JSONReport.render(try merge(parts.shuffled(using: &generator))) == expected)
        }
    }

    @Test("the same finding stands there once, with where it was seen")
    func findings() throws {
        let merged = try merge(parts)
        let common = merged.findings.filter { $0.signature == "common" }
        #expect(common.count == 1 && merged.findings.count == 7)
        #expect(common[0].count == 12 && common[0].bytes == 192 && common[0].objects == ["A": 12])
        #expect(common[0].seen?.map(\.count) == [2, 3, 1, 2, 3, 1])
        #expect(common[0].seen?.map(\.shard) == parts.map(\.name))
        #expect(
            SeenText.sentence(common[0])?.hasPrefix("part-1.gptrace × 2, part-2.gptrace × 3, part-3.gptrace,") == true)
    }

    @Test("counts are added, the peak is that of the largest process")
    func allocations() throws {
        let totals = try #require(try merge(parts).allocations?.totals)
        #expect(totals.allocations == 21 && totals.bytes == 2_100 && totals.peakBytes == 999)
        let types = try #require(try merge(parts).allocations?.byType)
        #expect(types.map(\.type) == ["A", "T0", "T1"])
        #expect(try merge(parts).allocations?.byStack.count == 1)
    }

    @Test("CPU time is added, and shares are of all of it")
    func time() throws {
        let hotspots = try #require(try merge(parts).hotspots)
        #expect(abs(hotspots.cpuSeconds - 2.1) < 1e-6 && hotspots.samples == 60)
        #expect(abs(hotspots.functions[0].own - 0.3) < 1e-6 && hotspots.functions.count == 7)
    }

    @Test("files and descriptors are added by name and stack")
    func files() throws {
        let files = try #require(try merge(parts).files)
        #expect(files.opened == 12 && files.reads == 21 && abs(files.seconds - 2.1) < 1e-9)
        #expect(files.byFile.count == 7 && files.byFile[0].name == "scores" && files.byFile[0].opened == 6)
        #expect(files.byStack.count == 1 && files.byStack[0].calls == 21 && files.byStack[0].stack.thread == nil)
        let open = try #require(files.neverClosed.first)
        #expect(files.neverClosed.count == 1 && open.count == 21 && open.opened == 54)
        #expect(open.files.count == 5 && open.firstSeconds == 0.1 && files.timeline.isEmpty)
    }

    @Test("a recording that was not searched for leaks leaves the whole unsearched")
    func unsearched() throws {
        var parts = parts
        parts[2].report.heap = nil
        #expect(try merge(parts).heap == nil)
    }

    @Test("a signal of one recording is the end of the whole")
    func ends() throws {
        var parts = parts
        parts[1].report.target.exit = Report.Exit(signal: 11)
        parts[2].report.target.exit = Report.Exit(code: 3)
        #expect(try merge(parts).target.exit == Report.Exit(signal: 11))
        parts[1].report.target.exit = nil
        #expect(try merge(parts).target.exit == Report.Exit(code: 3))
        parts[2].report.target.exit = Report.Exit(code: 0)
        #expect(try merge(parts).target.exit == nil)
    }

    @Test("counts near the largest number do not wrap")
    func largeCounts() throws {
        let merged = try merge([("a", report(1, findings: [("x", .max)])), ("b", report(2, findings: [("x", .max)]))])
        #expect(merged.findings[0].count == .max)
    }

    @Test("a merged report follows the schema and comes back as it was")
    func schema() throws {
        let json = try JSONReport.render(try merge(parts))
        #expect(try JSONReport.read(json) == merge(parts))
        let file = Repository.file("Documentation/report.schema.json")
        let root = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        #expect(ReportSchema(root: root).problems(of: try JSONSerialization.jsonObject(with: Data(json.utf8))).isEmpty)
    }
}
