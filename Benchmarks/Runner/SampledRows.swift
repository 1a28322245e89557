import Foundation

/// What the sampled heap costs, beside the profilers that two other allocators bring, each against its own run without.
extension Rows {
    var sampledRows: [Row] {
        [
            Row(name: "sample-loop", title: "sampled heap, 512 KB: allocate and free 20 million objects, 1 thread") {
                sampled(workload: "loop", threads: 1, objects: 20_000_000)
            },
            Row(name: "sample-mixed", title: "sampled heap, 512 KB: replace one of 1,024 live objects 5 million times")
            {
                sampled(workload: "mixed", threads: 1, objects: 5_000_000)
            },
            Row(name: "dormant", title: "CPU time with a recorder that waits for gameprof attach", run: dormant),
        ]
    }

    private func dormant() {
        let library = tools + "/GameProfiler_RecorderLibrary.resources/libGameRecorder.so"
        let workloads = [("loop", 20_000_000), ("mixed", 5_000_000), ("trees", 20_000_000)]
        let variants = workloads.flatMap { workload, objects in
            let program = [programs + "/AllocateFree", workload, "1", String(objects)]
            return [
                Variant(name: "without, \(workload)", arguments: program),
                Variant(
                    name: "dormant, \(workload)", arguments: program,
                    environment: ["LD_PRELOAD": library, "GAMEPROF": "dormant"]),
            ]
        }
        compare(variants, of: "dormant / without", \.cpuSeconds)
    }

    /// Prints the second of each pair beside its first.
    private func compare(_ variants: [Variant], of title: String, _ figure: (Run) -> Double) {
        let runs = table(variants)
        print("\n" + column(title, 24) + "×")
        for pair in stride(from: 0, to: variants.count, by: 2) {
            let ratio = median(runs[pair + 1].map(figure)) / median(runs[pair].map(figure))
            print(column(variants[pair + 1].name, 24) + String(format: "%.3f", ratio))
        }
    }

    private static let libraries = "/usr/lib/x86_64-linux-gnu"

    /// Pairs of a run without and a run with sampling, all interleaved.
    private func sampled(workload: String, threads: Int, objects: Int) {
        let program = [programs + "/AllocateFree", workload, String(threads), String(objects)]
        let trace = scratch + "/sampled.gptrace"
        let record = [tools + "/gameprof", "record", "--instruments", "allocations", "--output", trace]
        var variants = [
            Variant(name: "unrecorded", arguments: program),
            Variant(name: "gameprof --sample 512k", arguments: record + ["--sample", "512k", "--"] + program),
            Variant(name: "unrecorded", arguments: program),
            Variant(
                name: "… --guard=1/10",
                arguments: record + ["--sample", "512k", "--guard=1/10", "--"] + program),
            Variant(name: "unrecorded", arguments: program),
            Variant(name: "gameprof, every block", arguments: record + ["--"] + program),
        ]
        func add(_ name: String, _ library: String, plain: [String: String], profiled: [String: String]) {
            let path = "\(Self.libraries)/\(library)"
            guard FileManager.default.fileExists(atPath: path) else { return }
            let preload = ["LD_PRELOAD": path]
            variants.append(Variant(name: name, arguments: program, environment: preload.merging(plain) { $1 }))
            variants.append(
                Variant(
                    name: "\(name), profiled", arguments: program, environment: preload.merging(profiled) { $1 }))
        }
        add("tcmalloc", "libtcmalloc.so.4", plain: [:], profiled: ["TCMALLOC_SAMPLE_PARAMETER": "524288"])
        add(
            "jemalloc", "libjemalloc.so.2", plain: [:],
            profiled: ["MALLOC_CONF": "prof:true,lg_prof_sample:19,prof_final:false"])
        compare(variants, of: "profiled / unprofiled", \.seconds)
    }
}
