/// What each way into a program costs: the recorder preloaded, and the same one linked.
extension Rows {
    var wayRows: [Row] {
        [
            Row(name: "ways", title: "each way in: replace one of 1,024 live objects 5 million times (whole run)") {
                ways(["mixed", "1", "5000000"])
            },
            Row(name: "children", title: "200 children that do nothing, with the report of all", run: children),
        ]
    }

    private func children() {
        let (count, page) = (200, scratch + "/children.html")
        let program = ["/bin/sh", "-c", "i=0; while [ $i -lt \(count) ]; do /bin/true; i=$((i+1)); done"]
        var variants = [Variant(name: "unrecorded", arguments: program, mustSucceed: true)]
        for instrument in ["leaks", "allocations", "time"] {
            let record = [tools + "/gameprof", instrument, "--follow", "--html", page, "--"]
            variants.append(Variant(name: instrument, arguments: record + program, mustSucceed: true))
        }
        for (variant, runs) in zip(variants, table(variants, wholeRun: true)) {
            let each = median(runs.map(\.wallSeconds)) / Double(count) * 1000
            print("\(variant.name): \(String(format: "%.1f", each)) ms a child")
        }
    }

    /// The recorder's own variables are set here: beside `gameprof record` the larger of the two processes would be the peak.
    private func ways(_ arguments: [String]) {
        let plain = [programs + "/AllocateFree"] + arguments
        let linked = [programs + "/AllocateFree-linked"] + arguments
        let library = tools + "/GameProfiler_RecorderLibrary.resources/libGameRecorder.so"
        let trace = scratch + "/ways.gptrace"
        var variants = [
            Variant(name: "unrecorded", arguments: plain), Variant(name: "linked, not asked", arguments: linked),
        ]
        for instrument in ["allocations", "leaks", "time"] {
            variants.append(
                Variant(
                    name: "\(instrument), preloaded", arguments: plain,
                    environment: ["LD_PRELOAD": library, "GAMEPROF_TRACE": trace, "GAMEPROF_INSTRUMENTS": instrument]))
            variants.append(
                Variant(
                    name: "\(instrument), linked", arguments: linked,
                    environment: ["GAMEPROF": instrument, "GAMEPROF_OUTPUT": trace]))
        }
        table(variants, wholeRun: true)
    }
}
