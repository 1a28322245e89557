/// What each way into a program costs: the recorder preloaded, and the same one linked.
extension Rows {
    var wayRows: [Row] {
        [
            Row(name: "ways", title: "each way in: replace one of 1,024 live objects 5 million times (whole run)") {
                ways(["mixed", "1", "5000000"])
            }
        ]
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
