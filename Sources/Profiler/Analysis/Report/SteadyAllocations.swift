import GameprofBasics
import GameprofTrace

/// What the loops of a program allocate frame by frame, named.
enum SteadyAllocations {
    static func add(
        _ recording: Recording, symbolicator: any Symbolicating, limit: Int, to report: inout AnalyzedReport
    ) {
        guard let loops = report.facts.frames, report.facts.countsAllocations else { return }
        let steady = zip(loops.indices, recording.probes.frames.map(\.steady)).filter { !$0.1.isEmpty }
        guard !steady.isEmpty else { return }
        let types = Dictionary(recording.allocations.byStack.map { ($0.stack, $0.type) }) { first, _ in first }
        symbolicator.prepare(stacks: Set(steady.flatMap { $0.1.prefix(limit).map(\.stack) }), addresses: [])
        for (index, stacks) in steady {
            report.facts.frames?[index].steady = stacks.prefix(limit).map { row in
                Report.SteadyAllocation(
                    type: TypeNames.name(types[row.stack] ?? .none, in: recording.types),
                    allocationsPerFrame: rounded(row.allocations), bytesPerFrame: rounded(row.bytes),
                    allocatedBy: CallStack(symbolicator.stack(row.stack)) ?? CallStack(frames: []))
            }
            if stacks.count > limit { report.facts.frames?[index].steadyOmitted = stacks.count - limit }
        }
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
