import Foundation

extension Rows {
    /// What sampling costs, beside perf record and gperftools at the same rate.
    var timeRows: [Row] {
        [
            Row(name: "time-1", title: "time: compute in 1 thread") { sampling(threads: 1, millions: 600) },
            Row(name: "time-8", title: "time: compute in 8 threads") { sampling(threads: 8, millions: 100) },
            Row(name: "time-64", title: "time: compute in 64 threads") { sampling(threads: 64, millions: 12) },
        ]
    }

    private func sampling(threads: Int, millions: Int) {
        let program = [programs + "/Compute", "\(threads)", "\(millions)"]
        func tool(_ rate: Int, _ more: [String] = []) -> Variant {
            Variant(
                name: "gameprof \(rate / 1000) kHz" + (more.isEmpty ? "" : " " + more.joined(separator: " ")),
                arguments: [
                    tools + "/gameprof", "time", "--quiet", "--rate", "\(rate)", "--json", scratch + "/time.json",
                ] + more + ["--"] + program)
        }
        var variants = [
            Variant(name: "unrecorded", arguments: program), tool(1000), tool(1000, ["--wall"]), tool(10_000),
        ]
        if let perf = find("perf") {
            for rate in [1000, 10_000] {
                variants.append(
                    Variant(
                        name: "perf record \(rate / 1000) kHz",
                        arguments: [
                            perf, "record", "-q", "-F", "\(rate)", "-e", "cpu-clock:u", "-g", "-o",
                            scratch + "/perf.data",
                            "--",
                        ] + program))
            }
        }
        let gperftools = "/usr/lib/x86_64-linux-gnu/libprofiler.so.0"
        if access(gperftools, R_OK) == 0 {
            for rate in [1000, 4000] {
                variants.append(
                    Variant(
                        name: "gperftools \(rate / 1000) kHz", arguments: program,
                        environment: [
                            "LD_PRELOAD": gperftools, "CPUPROFILE": scratch + "/gperf.prof",
                            "CPUPROFILE_FREQUENCY": "\(rate)",
                        ]))
            }
        }
        table(variants)
    }
}
