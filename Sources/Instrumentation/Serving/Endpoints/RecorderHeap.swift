#if Instrumented
internal import CRecorderInterface
internal import CTraceFormat
import GameprofBasics

/// The sampled blocks of this process, from its recorder.
package enum RecorderHeap {
    /// Whether blocks are sampled in this process.
    package static var isRecorded: Bool { gp_figures_mean() > 0 }

    package static func collect() -> Collected<HeapFigures> {
        let mean = gp_figures_mean()
        guard mean > 0 else { return .notRecorded }
        var sums = Sums()
        guard withUnsafeMutablePointer(to: &sums, { gp_figures_collect(Self.add, $0) }) else { return .busy }
        let lost = gp_last_lost()
        var names: [UInt32: String] = [:]
        let rows = sums.byPlace.map { place, sums in
            let type = names[place.type] ?? Self.name(of: place.type)
            names[place.type] = type
            return HeapFigures.Row(stack: place.stack, type: type, live: sums.live, freed: sums.freed)
        }
        // After the rows: what is allocated meanwhile is in the totals, so that no row is larger than they are.
        return .figures(
            HeapFigures(
                mean: mean, allocated: SampleSum(gp_figures_made()), rows: rows,
                unreachable: lost.known ? lost.blocks : nil))
    }

    private struct Place: Hashable {
        var stack: UInt32
        var type: UInt32
    }

    private struct Sums {
        var byPlace: [Place: (live: SampleSum, freed: SampleSum)] = [:]
    }

    private static let add: gp_figure_visitor = { row, context in
        guard let row = row?.pointee, let sums = context?.assumingMemoryBound(to: Sums.self) else { return }
        let place = Place(stack: row.stack, type: row.type)
        let sum = SampleSum(row.sum)
        if row.is_live {
            sums.pointee.byPlace[place, default: (SampleSum(), SampleSum())].live += sum
        } else {
            sums.pointee.byPlace[place, default: (SampleSum(), SampleSum())].freed += sum
        }
    }

    private static func name(of type: UInt32) -> String {
        guard type != 0 else { return HeapFigures.untyped }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1026) { name -> String in
            guard let start = name.baseAddress else { return "object" }
            let kind = gp_figures_type_name(type, start, name.count)
            if start[0] != 0 { return TypeSugar.sugared(String(cString: start)) }
            return noun(of: kind)
        }
    }
}

/// What has no name of its own, by GP_TYPE_*.
private func noun(of kind: Int32) -> String {
    switch kind {
    case Int32(GP_TYPE_LOCAL): "closure context or captured variable"
    case Int32(GP_TYPE_GENERIC_BOX): "captured variable"
    case Int32(GP_TYPE_ERROR): "error"
    case Int32(GP_TYPE_TASK): "task"
    case Int32(GP_TYPE_JOB): "job"
    default: "object"
    }
}

extension SampleSum {
    fileprivate init(_ sum: gp_sample_sum) {
        self.init(
            samples: sum.samples, observed: sum.observed, count: sum.count, bytes: sum.bytes,
            countVariance: sum.count_variance, bytesVariance: sum.bytes_variance)
    }
}
#else
/// Nothing is recorded in this build.
package enum RecorderHeap {
    package static var isRecorded: Bool { false }
    package static func collect() -> Collected<HeapFigures> { .notRecorded }
}
#endif
