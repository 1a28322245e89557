extension Rows {
    /// What a pair of probes costs, beside the two readings of the clock that it makes.
    var probeRows: [Row] {
        [
            Row(name: "probes", title: "20 million pairs of probes, and of readings of their clock") {
                probePairs("20000000")
            }
        ]
    }

    private func probePairs(_ pairs: String) {
        let program = programs + "/Probes"
        // An instrument that this loop gives nothing to do.
        let trace = ["GAMEPROF": "allocations", "GAMEPROF_OUTPUT": scratch + "/probes.gptrace"]
        table([
            Variant(name: "clock read twice", arguments: [program, "clock", pairs]),
            Variant(name: "clock, least", arguments: [program, "clock", pairs, "least"]),
            Variant(name: "probes on, least", arguments: [program, "probe", pairs, "least"], environment: trace),
            Variant(name: "probes off", arguments: [program, "probe", pairs]),
            Variant(name: "probes on, linked", arguments: [program, "probe", pairs], environment: trace),
            Variant(
                name: "probes on, preloaded",
                arguments: [
                    tools + "/gameprof", "record", "--instruments", "allocations", "--quiet", "--output",
                    scratch + "/probes2.gptrace", "--", program, "probe", pairs,
                ]),
        ])
    }
}
