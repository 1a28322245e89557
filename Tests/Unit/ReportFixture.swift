@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofTrace

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
        report.grew = grew
        report.grewOmitted = 3
        report.tasks = tasks(named: "Game.Desk")
        return report
    }

    static var footprint: Report.Footprint {
        var result = Report.Footprint(
            snapshot: 1, seconds: 0.84, residentBytes: 50 << 20,
            parts: [
                .init(
                    kind: .allocatorFree, bytes: 30 << 20, dirty: 30 << 20,
                    largest: [
                        .init(name: "free beside blocks in use", count: 2, bytes: 28 << 20),
                        .init(name: "free pages", count: 2, bytes: 2 << 20),
                    ]),
                .init(
                    kind: .images, bytes: 12 << 20, dirty: 1 << 20,
                    largest: [.init(name: "libFoundation.so", count: 6, bytes: 7 << 20)]),
                .init(kind: .recorder, bytes: 7 << 20, dirty: 7 << 20),
                .init(kind: .live, bytes: 1 << 20, dirty: 1 << 20),
            ],
            arenas: [
                .init(number: 0, heaps: 1, bytes: 21 << 20, live: 1 << 20, trimmable: 2 << 20, pinned: 18 << 20),
                .init(number: 1, heaps: 1, bytes: 10 << 20, pinned: 10 << 20),
            ],
            pinnedBy: [
                .init(
                    type: "Game.Card", pages: 7_400, freeBytes: 28 << 20,
                    allocatedBy: allocations.byStack[1].allocatedBy)
            ], cause: .pinned)
        result.pinnedByOmitted = 2
        result.addressSpaceBytes = 3 << 30
        var limits = Report.Footprint.Limits()
        (limits.addressSpace, limits.data, limits.group, limits.groupHigh) = (4 << 30, 3 << 30, 2 << 30, 1 << 30)
        limits.overcommit = 2
        result.limits = limits
        result.threads = [
            .init(
                name: "worker", count: 60, stackBytes: 480 << 20, residentBytes: 4 << 20,
                createdBy: allocations.byStack[1].allocatedBy),
            .init(name: "main", count: 1, stackBytes: 132 << 10, residentBytes: 52 << 10),
        ]
        result.threadsOmitted = 3
        result.history = [.init(seconds: 0.84, residentBytes: 50 << 20, parts: ["live": 1 << 20])]
        return result
    }

    /// Groups, of which some are left out, tasks that wait for an actor, and a task group that keeps its children.
    static func tasks(named name: String) -> Report.Tasks {
        var report = TaskReport(executable: name)
        func stack(_ line: Int) -> CallStack {
            CallStack(frames: [CallStack.Frame(function: name, module: name, file: "/src/\(name)", line: line)])
        }
        report.groups = (1...7).map { index in
            var group = TaskReport.Group(
                state: TaskReport.State([.continuation, .actor, .taskGroup, .running][index % 4]),
                stack: index % 4 == 3 ? CallStack(frames: []) : stack(index))
            (group.count, group.ids, group.names) = (500 / index, [UInt64(index)], [name])
            (group.state.type, group.state.name) = (name, name)
            if index % 4 == 0 { (group.state.holder, group.neverResumes) = (.nobody, true) }
            if index % 4 == 3 { (group.beginsIn, group.threads) = (stack(index).frames[0], [index]) }
            if index > 4 { group.createdBy = stack(100) }
            if index == 6 { group.parents = [TaskReport.Parent(state: group.state, stack: stack(7))] }
            return group
        }
        report.count = report.groups.reduce(0) { $0 + $1.count }
        report.neverResuming = report.groups.filter(\.neverResumes).reduce(0) { $0 + $1.count }
        report.mailboxes = [
            TaskReport.Mailbox(kind: .actor, type: name, waiting: 1_200, actors: 7, longest: 900),
            TaskReport.Mailbox(kind: .executor, type: nil, waiting: 2, actors: 1, longest: 2),
        ]
        report.finishedChildren = [
            TaskReport.FinishedChildren(count: 1_200, createdBy: stack(9)),
            TaskReport.FinishedChildren(count: 30, tasks: 3, stack: stack(10)),
            TaskReport.FinishedChildren(count: 3, stack: stack(11)),
        ]
        var tasks = Report.Tasks(report)
        tasks.omitted = Report.Tasks.Omitted(groups: 3, tasks: 40)
        return tasks
    }

    private static var grew: [Report.Grown] {
        var kept = Report.Grown(
            holder: "Game.Cache", field: "entries", type: "Game.Card", added: 1_200, removed: 12, kept: 1_188,
            bytes: 297_000, share: 0.9356, lastAddedSeconds: 0.82,
            curve: (1...32).map { 297_000 / 32 * $0 })
        kept.allocatedBy = allocations.byStack[1].allocatedBy
        let other = Report.Grown(
            type: "Game.Board", added: 400, removed: 0, kept: 400, bytes: 81_920, share: 0.0553, lastAddedSeconds: 0.4,
            curve: (1...32).map { 2_560 * $0 })
        return [kept, other]
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
        result.functions = [
            function("Board.deal0()", own: 1_920_000, total: 1_920_000), function("main", own: 0, total: 3_600_000),
        ]
        result.omittedFunctions = 2
        result.timeline = (0...60).map { step in
            let bytes = step == 29 ? 1_482_112 : UInt64(300_000 + (step * 7919) % 700_000)
            return Report.Point(seconds: Double(step) * 0.014, liveBytes: bytes, liveCount: UInt64(step))
        }
        return result
    }

    private static func function(_ name: String, own: UInt64, total: UInt64) -> Report.Allocations.FunctionRow {
        var lines = [Report.LineRow(line: 41), Report.LineRow(line: 44)]
        (lines[0].allocations, lines[0].bytes, lines[0].totalBytes) = (own / 96, own, total)
        (lines[1].allocations, lines[1].bytes, lines[1].totalBytes) = (0, 0, total / 2)
        return Report.Allocations.FunctionRow(
            function: name, module: "Game", file: "/src/Board.swift", line: 41, allocations: own / 96, bytes: own,
            totalBytes: total, lines: lines)
    }

    /// What a program said of itself, under the given names.
    static func addFiles(named name: String, to report: inout Report) {
        var files = Report.Files()
        files.exhausted = 1
        files.byFile = [.init(name: name, kind: .file)]
        let stack = CallStack(frames: [CallStack.Frame(function: name, file: "/src/\(name)", line: 1)])
        files.byStack = [.init(operation: .read, file: name, stack: stack)]
        files.neverClosed = [
            .init(
                kind: .socket, count: 2, opened: 3, files: [name], firstSeconds: 0.1, lastSeconds: 0.2, stack: stack,
                heldBy: [.init(process: 77, name: name, end: .write), .init(process: 78, name: name)])
        ]
        files.timeline = [1, 2].map {
            .init(seconds: $0, calls: 4, bytes: 4_096, meanSeconds: 1e-6, longestSeconds: 2e-6)
        }
        report.files = files
    }

    private static func addTimeline(named name: String, to report: inout Report) {
        report.timeline.doings = [
            .init(name: name, waitsFor: "lock", holder: name, holderThread: name), .init(name: name),
        ]
        report.timeline.tracks = [
            .init(
                kind: .thread, name: name,
                rows: [
                    [.init(start: 1_000, end: 9_000, doing: 0, kind: .waiting)],
                    [.init(start: 2_000, end: 8_000, doing: 1, kind: .interval)],
                ])
        ]
        report.timeline.loops = [
            .init(
                name: name,
                frames: [4_000_000, 40_000_000].map { start in
                    .init(
                        start: start, length: 16_000_000, work: 1_000_000 + start / 2, processor: 0, allocations: 9,
                        bytes: 4000, track: 0)
                }, budget: 16_666_666)
        ]
    }

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
                        probes: [.init(name: name, count: 2, nanoseconds: 3_000_000)]),
                    Report.Frame(
                        number: 7, seconds: 0.4, nanoseconds: 2_000_000, allocations: 1, bytes: 40, probes: []),
                ])
        ]
        report.frames?[0].slowest[0].excess = [.init(kind: .interval, name: name, value: 3_000_000, usual: 0)]
        report.frames?[0].slowest[1].excess = [.init(kind: .waiting, name: name, value: 1_000_000, usual: 0)]
        report.frames?[0].steady = [
            .init(
                type: name, allocationsPerFrame: 1.5, bytesPerFrame: 540,
                allocatedBy: CallStack(frames: [CallStack.Frame(function: name, file: "/src/\(name)", line: 5)]))
        ]
        report.frames?[0].slowest[0].path = .init(
            intervals: [.init(name: name, nanoseconds: 3_000_000)],
            mostly: .init(
                function: name, waitsFor: "lock", heldBy: name, holderThread: name, nanoseconds: 2_000_000))
        addTimeline(named: name, to: &report)
        report.failedAllocation = Report.FailedAllocation(
            number: 12, bytes: 4096, seconds: 0.3, requestedBy: CallStack(frames: [CallStack.Frame(function: name)]))
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
        report.memoryWarnings = [
            Report.MemoryWarning(
                seconds: 0.3, handledSeconds: 0.31, liveBytesBefore: 100, liveBytesAfter: 96,
                byType: report.generations?[0].byType ?? [], byStack: report.generations?[0].byStack ?? [])
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
        var footprint = Self.footprint
        footprint.parts[0].largest[0].name = text
        footprint.pinnedBy[0].type = text
        footprint.threads?[0].name = text
        (footprint.summary, footprint.remedy) = (text, text)
        report.footprint = footprint
        var allocations = Self.allocations
        for index in allocations.byType.indices {
            allocations.byType[index].type = text
            allocations.byStack[index].type = text
            allocations.byStack[index].allocatedBy.frames[1].function = text
        }
        allocations.functions?[0].function = text
        allocations.functions?[0].module = text
        allocations.functions?[0].file = "/src/\(text)"
        report.allocations = allocations
        report.grew = [
            Report.Grown(holder: text, field: text, type: text, allocatedBy: allocations.byStack.first?.allocatedBy)
        ]
        report.tasks = tasks(named: text)
        addProbes(named: text, to: &report)
        addFiles(named: text, to: &report)
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
