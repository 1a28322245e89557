/// What `/metrics` says.
package enum Metrics {
    package static func text(_ heap: HeapFigures?, _ loops: [FrameTimes], listedTypes: Int) -> String {
        var text = OpenMetricsText()
        if let heap { write(heap, listedTypes: listedTypes, into: &text) }
        write(loops, into: &text)
        if let usage = ProcessUsage.now() { write(usage, into: &text) }
        return text.finished()
    }

    /// The types with the most live bytes; the others are one row.
    static func types(_ heap: HeapFigures, listed: Int) -> [(type: String, live: SampleSum)] {
        var byType: [String: SampleSum] = [:]
        for row in heap.rows where row.live.samples > 0 {
            byType[row.type, default: SampleSum()] += row.live
        }
        let sorted = byType.sorted { ($1.value.bytes, $0.key) < ($0.value.bytes, $1.key) }
        var list = sorted.prefix(max(0, listed)).map { (type: $0.key, live: $0.value) }
        let others = sorted.dropFirst(list.count).reduce(SampleSum()) { $0 + $1.value }
        if others.samples > 0 { list.append((type: "(other)", live: others)) }
        return list
    }

    private static func write(_ heap: HeapFigures, listedTypes: Int, into text: inout OpenMetricsText) {
        text.family(
            "gameprof_sample_mean_bytes", .gauge, unit: "bytes", help: "Mean bytes between two sampled allocations.")
        text.sample("gameprof_sample_mean_bytes", [], heap.mean)
        text.family(
            "gameprof_allocated_bytes", .counter, unit: "bytes",
            help: "Bytes allocated since the start, estimated from samples.")
        text.sample("gameprof_allocated_bytes_total", [], heap.allocated.wholeBytes)
        text.family(
            "gameprof_allocations", .counter,
            help: "Allocations of at least one byte since the start, estimated from samples.")
        text.sample("gameprof_allocations_total", [], heap.allocated.wholeCount)
        text.family("gameprof_sampled_allocations", .counter, help: "Allocations that were sampled.")
        text.sample("gameprof_sampled_allocations_total", [], heap.allocated.samples)
        write(types(heap, listed: listedTypes), into: &text)
        if let unreachable = heap.unreachable {
            text.family(
                "gameprof_unreachable_blocks", .gauge,
                help:
                    "Sampled blocks that nothing could reach at the last heap snapshot; a report distinguishes leaks "
                    + "from others."
            )
            text.sample("gameprof_unreachable_blocks", [], unreachable)
        }
    }

    private static func write(_ types: [(type: String, live: SampleSum)], into text: inout OpenMetricsText) {
        let figures: [(name: String, unit: String?, help: String, value: (SampleSum) -> UInt64)] = [
            ("gameprof_live_bytes", "bytes", "Live bytes by type, estimated from samples.", { $0.wholeBytes }),
            (
                "gameprof_live_low_bytes", "bytes", "Lower end of the 95 % interval of gameprof_live_bytes.",
                { $0.bytesInterval.lowerBound }
            ),
            (
                "gameprof_live_high_bytes", "bytes", "Upper end of the 95 % interval of gameprof_live_bytes.",
                { $0.bytesInterval.upperBound }
            ),
            ("gameprof_live_objects", nil, "Live blocks by type, estimated from samples.", { $0.wholeCount }),
        ]
        for figure in figures {
            text.family(figure.name, .gauge, unit: figure.unit, help: figure.help)
            for (type, live) in types { text.sample(figure.name, [("type", type)], figure.value(live)) }
        }
    }

    private static func write(_ loops: [FrameTimes], into text: inout OpenMetricsText) {
        guard !loops.isEmpty else { return }
        let name = "gameprof_frame_seconds"
        text.family(name, .histogram, unit: "seconds", help: "Times between frames, by loop.")
        for loop in loops {
            let labels = [(name: "loop", value: loop.loop)]
            var frames: UInt64 = 0
            for bucket in loop.buckets {
                frames &+= bucket.frames
                let bound = (name: "le", value: OpenMetricsText.seconds(bucket.bound))
                text.sample(name + "_bucket", labels + [bound], frames)
            }
            text.sample(name + "_bucket", labels + [(name: "le", value: "+Inf")], loop.frames)
            text.sample(name + "_sum", labels, OpenMetricsText.seconds(loop.nanoseconds))
            text.sample(name + "_count", labels, loop.frames)
        }
    }

    private static func write(_ usage: ProcessUsage, into text: inout OpenMetricsText) {
        text.family("process_cpu_seconds", .counter, unit: "seconds", help: "CPU time of all threads.")
        text.sample("process_cpu_seconds_total", [], OpenMetricsText.seconds(usage.cpuNanoseconds))
        text.family("process_resident_memory_bytes", .gauge, unit: "bytes", help: "Resident memory.")
        text.sample("process_resident_memory_bytes", [], usage.residentBytes)
    }
}
