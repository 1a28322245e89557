import GameprofAnalysis
import GameprofBasics

/// Takes the numbers that limits speak of out of a report.
struct ReportMeasures {
    let report: Report

    /// The number; nil when the recording does not hold it. `counted`: the findings that count.
    func value(_ measure: Measure, counted: [FindingFamily: Int]) -> Double? {
        guard report.capture.instruments.contains(measure.instrument) else { return nil }
        switch measure {
        case .findings(let family):
            let isSearched = measure.instrument != .leaks || report.heap != nil || counted[family] != nil
            return isSearched ? Double(counted[family] ?? 0) : nil
        case .memory(let figure, let type): return memory(figure, type)
        case .growthRate(let type): return growthRate(type)
        case .retainedGrowth(let type): return retainedGrowth(type)
        case .afterWarning: return report.memoryWarnings?.map(\.share).max()
        case .kept(let holder, let unit): return kept(holder, unit)
        case .share(let function, let isOwn): return share(function, isOwn)
        case .probe(let name, let figure):
            let probe = report.probes?.first { $0.name == name }
            return probe.map { Self.number(figure, $0.durations, allocations: $0.allocations) }
        case .frame(let name, let figure):
            let loop = report.frames?.first { $0.name == name }
            return loop.map { Self.number(figure, $0.limited, allocations: $0.allocations) }
        case .everyFrame(.p99): return report.frames?.map { Double($0.limited.p99) }.max()
        // Not `Double.init`, which may be the one of a bit pattern.
        case .everyFrame(.allocations): return report.frames?.compactMap(\.usualAllocations).max().map { Double($0) }
        }
    }

    private static func number(
        _ figure: Measure.ProbeFigure, _ durations: Durations, allocations: UInt64
    ) -> Double {
        switch figure {
        case .p50: Double(durations.p50)
        case .p95: Double(durations.p95)
        case .p99: Double(durations.p99)
        case .max: Double(durations.max)
        case .allocations: durations.count > 0 ? Double(allocations) / Double(durations.count) : 0
        }
    }

    /// Counts of several types are added up; so are their peaks, which is an upper bound then.
    private func memory(_ figure: Measure.MemoryFigure, _ type: GlobPattern?) -> Double? {
        if figure == .retained { return retained(type) }
        // An estimate neither keeps a limit nor breaks it.
        guard let allocations = report.allocations, allocations.sampled == nil else { return nil }
        let counts = type.map { type in
            allocations.byType.filter { matches(type, $0.type) }.map(\.counts)
        }
        return number(figure, counts ?? [allocations.totals])
    }

    private func retained(_ type: GlobPattern?) -> Double? {
        guard let heap = report.liveHeap else { return nil }
        guard let type else { return Double(heap.bytes) }
        let rows = heap.types.filter { matches(type, $0.type) }
        // Of a type that is not listed it is not known.
        return rows.isEmpty && heap.typesOmitted > 0 ? nil : rows.reduce(0) { $0 + Double($1.retainedBytes) }
    }

    /// Nothing where less is retained at the end.
    private func retainedGrowth(_ type: GlobPattern?) -> Double? {
        guard let heap = report.liveHeap, let first = heap.first else { return nil }
        guard let type else { return max(0, Double(heap.bytes) - Double(first.bytes)) }
        let rows = heap.types.filter { matches(type, $0.type) }
        guard !rows.isEmpty || heap.typesOmitted == 0 else { return nil }
        return rows.reduce(0) { $0 + max(0, Double($1.retainedBytes) - Double($1.firstRetainedBytes ?? 0)) }
    }

    private func growthRate(_ type: GlobPattern?) -> Double? {
        guard RepetitionNames.showGrowth((report.snapshots ?? []).map(\.name)) else { return nil }
        let grown = report.findings.filter { finding in
            finding.kind == .growth && finding.severity != .note
                && type.map { type in finding.objects.keys.contains { matches(type, $0) } } ?? true
        }
        return grown.compactMap { $0.growth?.perRepetition }.max() ?? 0
    }

    /// Nothing where it did not grow; nil: it may be one of the rows that are left out.
    private func kept(_ pattern: GlobPattern, _ unit: MeasureUnit) -> Double? {
        let rows = (report.grew ?? []).filter { row in
            let holder = row.holder.map { ([$0] + [row.field].compactMap { $0 }).joined(separator: ".") }
            return [holder, row.holder, row.type].compactMap { $0 }.contains { TypeName.matches($0, pattern) }
        }
        guard !rows.isEmpty || report.grewOmitted == nil else { return nil }
        return rows.reduce(0) { $0 + Double(unit == .bytes ? $1.bytes : $1.kept) }
    }

    /// Whether a type of the recording matches; nil: it holds none.
    func hasType(_ pattern: GlobPattern) -> Bool? {
        report.allocations.map { $0.byType.contains { matches(pattern, $0.type) } }
    }

    private func matches(_ pattern: GlobPattern, _ type: String) -> Bool {
        pattern.matches(type) || pattern.matches(ShortNames.strip(type))
    }

    private func number(_ figure: Measure.MemoryFigure, _ counts: [AllocationCounts]) -> Double {
        func sum(_ path: KeyPath<AllocationCounts, UInt64>) -> Double {
            counts.reduce(0) { $0 + Double($1[keyPath: path]) }
        }
        switch figure {
        case .allocations: return sum(\.allocations)
        case .allocatedBytes: return sum(\.bytes)
        case .live: return sum(\.liveCount)
        case .liveBytes: return sum(\.liveBytes)
        case .peak: return sum(\.peakBytes)
        case .temporary: return sum(\.temporary)
        case .retained: return 0
        case .temporaryShare:
            let all = sum(\.allocations)
            return all > 0 ? sum(\.temporary) / all : 0
        }
    }

    /// The largest of those that match: shares with what was called overlap. A function without a sample has none.
    private func share(_ function: GlobPattern, _ isOwn: Bool) -> Double? {
        guard let hotspots = report.hotspots else { return nil }
        let rows = hotspots.functions.filter {
            function.matches($0.function) || function.matches(FunctionName.display($0.function))
        }
        return rows.map { isOwn ? $0.own : $0.total }.max() ?? 0
    }
}
