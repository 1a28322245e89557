import Foundation

/// One measurement of `make bench`.
struct Row {
    var name: String
    var title: String
    var run: () -> Void
}

struct Rows {
    let tools: String
    let programs: String
    let scratch: String
    let rounds: Int

    var all: [Row] {
        [
            Row(name: "loop-1", title: "allocate and free 20 million objects, 1 thread") {
                overhead(workload: "loop", threads: 1, objects: 20_000_000)
            },
            Row(name: "loop-4", title: "allocate and free 5 million objects in each of 4 threads") {
                overhead(workload: "loop", threads: 4, objects: 5_000_000)
            },
            Row(name: "mixed-1", title: "replace one of 1,024 live objects 5 million times, 1 thread") {
                overhead(workload: "mixed", threads: 1, objects: 5_000_000)
            },
            Row(name: "mixed-4", title: "the same 1.25 million times in each of 4 threads") {
                overhead(workload: "mixed", threads: 4, objects: 1_250_000)
            },
            Row(name: "trees-1", title: "build trees by recursion, 2 million nodes, 1 thread") {
                overhead(workload: "trees", threads: 1, objects: 2_000_000)
            },
            Row(name: "leaks-5m", title: "leak check of 5 million live Swift objects at exit", run: leakCheck),
            Row(name: "leak-watch", title: "LeakWatch in a program with 10,000 and a million objects", run: leakWatch),
            Row(name: "symbols", title: "export of 10,000 stacks, 20,000 addresses to symbolicate", run: manySymbols),
            Row(name: "report-50m", title: "report of a trace of 50 million events", run: largeReport),
        ] + heapRows + sampledRows + zombieRows + timeRows + fileRows + wayRows + frameRows + probeRows + testRows
    }

    private var recorder: String { tools + "/gameprof" }

    private func overhead(workload: String, threads: Int, objects: Int) {
        let arguments = [workload, String(threads), String(objects)]
        let bare = programs + "/AllocateFree"
        var variants = [
            Variant(name: "unrecorded", arguments: [bare] + arguments),
            Variant(
                name: "gameprof record",
                arguments: [
                    recorder, "record", "--instruments", "allocations", "--output", scratch + "/loop.gptrace", "--",
                    bare,
                ] + arguments),
            Variant(
                name: "AddressSanitizer", arguments: [bare + "-asan"] + arguments,
                environment: ["ASAN_OPTIONS": "detect_leaks=0"]),
        ]
        if let heaptrack = find("heaptrack") {
            variants.append(
                Variant(
                    name: "heaptrack",
                    arguments: [heaptrack, "-o", scratch + "/heaptrack", bare] + arguments))
        }
        table(variants)
    }

    private func manySymbols() {
        let trace = scratch + "/symbols.gptrace"
        let program = programs + "/ManyFunctions"
        _ = measure(
            Variant(
                name: "record",
                arguments: [recorder, "record", "--instruments", "allocations", "--output", trace, "--", program]))
        table([
            Variant(
                name: "gameprof export",
                arguments: [
                    recorder, "export", trace, "--format", "collapsed", "--output", scratch + "/symbols.txt",
                ])
        ])
    }

    private func largeReport() {
        let trace = scratch + "/large.gptrace"
        _ = measure(
            Variant(
                name: "record",
                arguments: [
                    recorder, "record", "--instruments", "allocations", "--output", trace, "--",
                    programs + "/AllocateFree", "mixed", "1", "20000000",
                ]))
        let size = (try? FileManager.default.attributesOfItem(atPath: trace))?[.size] as? Int ?? 0
        print("trace: \(size / 1_000_000) MB")
        table([
            Variant(
                name: "gameprof report",
                arguments: [
                    recorder, "report", trace, "--html", scratch + "/large.html", "--json",
                    scratch + "/large.json",
                ])
        ])
    }

    @discardableResult
    func table(_ variants: [Variant], wholeRun: Bool = false) -> [[Run]] {
        let runs = interleave(variants, rounds: rounds)
        func figure(_ run: Run) -> Double { wholeRun ? run.wallSeconds : run.seconds }
        let base = median(runs[0].map(figure))
        print(column("", 24) + column("seconds", 10) + column("×", 8) + column("CPU s", 10) + "peak MB")
        for (variant, runs) in zip(variants, runs) {
            let seconds = median(runs.map(figure))
            print(
                column(variant.name, 24) + column(String(format: "%.3f", seconds), 10)
                    + column(String(format: "%.2f", seconds / base), 8)
                    + column(String(format: "%.3f", median(runs.map(\.cpuSeconds))), 10)
                    + "\(Int(median(runs.map { Double($0.peakBytes) })) / 1_000_000)"
                    + (runs.contains { hasFailed($0, variant) } ? "   (failed)" : ""))
        }
        return runs
    }

    private func hasFailed(_ run: Run, _ variant: Variant) -> Bool {
        run.status & 0x7f != 0 || run.seconds.isNaN || (variant.mustSucceed && run.status != 0)
    }

    func column(_ text: String, _ width: Int) -> String {
        text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
    }

    func find(_ program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }
}
