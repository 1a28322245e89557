import GameprofTraceFile

@testable import GameprofBasics
@testable import GameprofReportModel

/// Reports to draw, with a bit of everything.
enum ReportFixture {
    /// A cycle through a closure, a tree, a ring, leaks of each kind, a known leak, allocations.
    static var full: Report {
        let heap = HeapFixture()
        for _ in 0..<3 {
            heap.addUndoCycle(extraClosures: 2, from: heap.stack("UndoCycle.run()", "Fault.main()", "main"))
        }
        let first = heap.node("Game.Station", stack: heap.stack("Ring.close(count:)", "main"))
        var last = first
        for _ in 1..<1_000 {
            let next = heap.node("Game.Station")
            heap.refer(last, "next", next)
            last = next
        }
        heap.refer(last, "next", first)
        addTree(to: heap)
        heap.node("Game.Card", size: 48, stack: heap.stack("Board.deal()", "main"))
        heap.node("Game.Attribute", size: 64, strong: 3, stack: heap.stack("AttributeLeak.run()", "main"))
        _ = heap.raw(size: 1234, stack: heap.stack("MallocLeak.run()", "main"))
        heap.node("Foundation.NSObject", stack: heap.stack("CFRunArrayCreate", "main"))
        var report = heap.report()
        report.allocations = allocations
        return report
    }

    private static func addTree(to heap: HeapFixture) {
        let tree = heap.node("Game.Tree", stack: heap.stack("TreeCycle.run()", "main"))
        let storage = heap.node("Swift._ContiguousArrayStorage<Game.Leaf>")
        heap.refer(tree, "leaves", storage)
        for _ in 0..<4 {
            let leaf = heap.node("Game.Leaf")
            heap.refer(storage, "", leaf, kind: .element)
            heap.refer(leaf, "parent", tree)
        }
    }

    static var allocations: Report.Allocations {
        var totals = AllocationCounts()
        (totals.allocations, totals.frees, totals.bytes) = (48_210, 47_006, 9_812_004)
        (totals.liveCount, totals.liveBytes, totals.peakBytes, totals.temporary) = (1_204, 317_440, 1_482_112, 12_044)
        var result = Report.Allocations(totals: totals, peakSeconds: 0.41)
        let names = ["Swift._ContiguousArrayStorage<Swift.Int>", "Game.Card", "Game.Board", "memory"]
        for (index, name) in names.enumerated() {
            var counts = AllocationCounts()
            counts.allocations = UInt64(20_000 >> index)
            counts.frees = counts.allocations - 10
            counts.liveCount = 10
            counts.bytes = counts.allocations * 96
            counts.liveBytes = 960
            counts.peakBytes = counts.bytes / 4
            result.byType.append(Report.TypeRow(type: name, counts: counts))
            let frames = [
                CallStack.Frame(function: "swift_allocObject", module: "Swift", origin: .runtime),
                CallStack.Frame(function: "Board.deal\(index)()", module: "Game", file: "/src/Board.swift", line: 41),
                CallStack.Frame(function: "main", module: "Game", file: "/src/main.swift", line: 3),
            ]
            result.byStack.append(Report.StackRow(type: name, counts: counts, allocatedBy: CallStack(frames: frames)))
        }
        result.timeline = (0...60).map { step in
            let bytes = step == 29 ? 1_482_112 : UInt64(300_000 + (step * 7919) % 700_000)
            return Report.Point(seconds: Double(step) * 0.014, liveBytes: bytes, liveCount: UInt64(step))
        }
        return result
    }

    /// What a program said of itself, under the given names.
    static func addProbes(named name: String, to report: inout Report) {
        let durations = Durations(
            count: 3, total: 4_500_000, min: 900, p50: 1_000_000, p95: 3_400_000, p99: 3_499_100, max: 3_499_100)
        report.probes = [
            Report.Probe(
                name: name, durations: durations, allocations: 12, bytes: 4096, open: 1,
                activity: [Report.Activity(seconds: 0.1, busySeconds: 0.05)], bucketSeconds: 0.1)
        ]
        report.probeEvents = [Report.ProbeEvent(name: name, count: 2, seconds: [0.1, 0.3])]
        report.counters = [
            Report.Counter(
                name: name, count: 2, min: -1, max: 3.5, last: 3.5,
                points: [.init(seconds: 0.1, value: -1), .init(seconds: 0.2, value: 3.5)])
        ]
        report.frames = [
            Report.FrameLoop(
                name: name, durations: durations,
                slowest: [
                    Report.Frame(
                        number: 2, seconds: 0.2, nanoseconds: 3_499_100, allocations: 9, bytes: 4000,
                        probes: [.init(name: name, count: 2, nanoseconds: 3_000_000)])
                ])
        ]
        report.generations = [
            Report.Generation(
                name: name, seconds: 0.2, liveCount: 2, liveBytes: 96,
                byType: [.init(type: name, liveCount: 2, liveBytes: 96)],
                byStack: [
                    .init(
                        type: name, liveCount: 2, liveBytes: 96,
                        allocatedBy: CallStack(frames: [CallStack.Frame(function: name, file: "/src/\(name)", line: 4)])
                    )
                ])
        ]
        report.log = [
            Report.LogLine(seconds: 0.25, thread: name, file: "/src/\(name)", line: 7, message: name)
        ]
    }

    /// Nothing found.
    static var clean: Report { HeapFixture().report() }

    /// Strings that want to break out of a page, an attribute, a terminal.
    static let hostile = [
        "<script>alert(1)</script>", "\"onmouseover=\"alert(1)", "</title><img src=x onerror=alert(1)>",
        "\"\u{301} onload=alert(1) x=", "<\u{301}script>", "\u{1B}[31mred\u{1B}[0m\u{07}", "a\r\nb\u{202E}cba\u{0}",
        "{{title}}{{{style}}}", "]]><!--", "'\u{FE0F} onclick='x",
    ]

    /// A report in which every string of the program is hostile.
    static func hostileReport(_ text: String) -> Report {
        var report = Report(
            target: Report.Target(executable: "/bin/\(text)", arguments: [text]),
            capture: Report.Capture(instruments: [.leaks], problems: [text], notes: [text]))
        report.heap = Report.HeapTotals()
        for severity in Finding.Severity.allCases {
            var finding = Finding(kind: .retainCycle, severity: severity, signature: text, title: text, type: text)
            finding.message = text
            finding.known = text
            finding.fix = text
            finding.heldBy = [text]
            finding.objects = [text: 1, text + "2": 7]
            var reference = Reference(
                from: text, field: text, to: text, ownership: text, via: [text], closure: text, captures: text)
            reference.suspect = Reference.Suspicion(reason: text, explanation: text)
            finding.references = [reference, Reference(from: text, field: text, to: text)]
            finding.allocatedBy = CallStack(
                thread: text,
                frames: [
                    CallStack.Frame(function: text, module: text, file: "/src/\(text)", line: 1)
                ])
            finding.access = Finding.Access(operation: text, member: text)
            report.findings.append(finding)
        }
        report.unusedSuppressions = [text]
        report.environment = [text: text]
        var allocations = Self.allocations
        for index in allocations.byType.indices {
            allocations.byType[index].type = text
            allocations.byStack[index].type = text
            allocations.byStack[index].allocatedBy.frames[1].function = text
        }
        report.allocations = allocations
        addProbes(named: text, to: &report)
        var heap = Report.LiveHeap(snapshot: 1, name: text, objects: 2, bytes: 100)
        var holder = Report.LiveHeap.Holder(type: text, count: 2, ownBytes: 50, retainedBytes: 100)
        (holder.field, holder.root) = (text, text)
        heap.holders = [holder]
        heap.types = [.init(type: text, count: 2, shallowBytes: 100, retainedBytes: 100)]
        heap.types[0].allocatedBy = report.findings.first?.allocatedBy
        report.liveHeap = heap
        return report
    }
}
