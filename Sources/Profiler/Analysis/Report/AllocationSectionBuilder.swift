import GameprofBasics
import GameprofTrace

/// The allocation part of a report.
enum AllocationSectionBuilder {
    /// Stacks that are named for the call tree and for the makers.
    private static let namedStacks = 20_000
    /// Functions with source.
    private static let functionLimit = 300
    /// Makers of one type.
    private static let makerLimit = 200

    /// The rows with the most bytes, named.
    static func rows(of recording: Recording, symbolicator: any Symbolicating, limit: Int, typeLimit: Int)
        -> Report.Allocations
    {
        let summary = recording.allocations
        var result = Report.Allocations(
            totals: summary.totals, peakSeconds: Seconds.of(summary.peakTime))
        result.sampled = summary.sampleMean.map { Report.Sampling(meanBytes: $0) }
        let named = summary.byStack.prefix(max(limit, namedStacks))
        symbolicator.prepare(stacks: Set(named.map(\.stack)), addresses: [])
        let (makers, makerOfStack) = makers(of: named, in: recording.types, symbolicator)
        result.byType = summary.byType.prefix(typeLimit).map { row in
            Report.TypeRow(
                type: TypeNames.name(row.type, in: recording.types), counts: row.counts,
                makers: makers[row.type].map { within(row.counts, $0) })
        }
        result.byStack = summary.byStack.prefix(limit).map { row in
            Report.StackRow(
                type: TypeNames.name(row.type, in: recording.types), counts: row.counts,
                allocatedBy: CallStack(symbolicator.stack(row.stack)) ?? CallStack(frames: []))
        }
        result.omittedTypes = max(0, summary.byType.count - typeLimit)
        result.omittedStacks = max(0, summary.byStack.count - limit)
        result.timeline = summary.timeline.map { point in
            Report.Point(
                seconds: Seconds.of(point.time), liveBytes: point.liveBytes, liveCount: point.liveCount,
                allocations: point.allocations, interval: summary.interval(of: point).map { Report.Interval($0) })
        }
        result.objects = objects(of: recording, symbolicator)
        addMoments(of: recording, named, makerOfStack, to: &result)
        let rows = Array(named)
        if let profile = AllocationTree.profile(of: recording, rows: rows, symbolicator: symbolicator) {
            result.callTree = AllocationTree.tree(of: recording, profile, rows: rows)
            let functions = AllocatingFunctions(profile, rows).rows(limit: functionLimit)
            result.functions = functions.rows.isEmpty ? nil : functions.rows
            result.omittedFunctions = functions.omitted > 0 ? functions.omitted : nil
        }
        return result
    }

    /// The listed objects; nil: none were.
    private static func objects(of recording: Recording, _ symbolicator: any Symbolicating) -> Report.ObjectRows? {
        guard recording.objects.total > 0 else { return nil }
        let objects = recording.objects.rows
        let stacks = Set(objects.map(\.stack))
        symbolicator.prepare(stacks: stacks, addresses: [])
        let frames = Dictionary(
            uniqueKeysWithValues: stacks.map { ($0, CallStack(symbolicator.stack($0))?.telling ?? []) })
        let rows = objects.map { object in
            var row = Report.ObjectRow(
                type: TypeNames.name(object.type, in: recording.types),
                address: "0x" + String(object.address, radix: 16), bytes: object.size,
                bornSeconds: Seconds.of(object.born),
                diedSeconds: object.died == 0 ? nil : Seconds.of(object.died))
            let telling = frames[object.stack] ?? []
            if let maker = telling.first(where: { !isInitializer($0, of: row.type) }) ?? telling.first {
                (row.function, row.file, row.line) = (maker.function, maker.file, maker.line)
            }
            return row
        }
        return Report.ObjectRows(
            rows: rows, total: Int(clamping: recording.objects.total), live: Int(clamping: recording.objects.living))
    }

    private static func isInitializer(_ frame: CallStack.Frame, of type: String) -> Bool {
        FunctionName.isInitializer(frame.function) && FunctionName.enclosingType(frame.function) == TypeName.bare(type)
    }

    // MARK: - Parts of the run

    private struct RowKey: Hashable {
        var row: Int
        var maker: Int
        var part: Int
    }

    private static func addMoments(
        of recording: Recording, _ named: ArraySlice<StackAllocations>, _ makers: [StackID: MakerKey],
        to result: inout Report.Allocations
    ) {
        let moments = recording.allocations.moments
        var typeRows: [TypeID: Int] = [:]
        for (index, row) in recording.allocations.byType.prefix(result.byType.count).enumerated() {
            typeRows[row.type] = index
        }
        let makerRows = result.byType.map { row in
            Dictionary(
                (row.makers ?? []).enumerated().map {
                    (
                        MakerKey(function: $0.element.function, module: $0.element.module, line: $0.element.line),
                        $0.offset
                    )
                }, uniquingKeysWith: { first, _ in first })
        }
        var places: [StackID: (stack: Int?, type: Int?, maker: Int)] = [:]
        for (index, row) in named.enumerated() {
            let type = typeRows[row.type]
            let maker = type.flatMap { type in makers[row.stack].flatMap { makerRows[type][$0] } }
            places[row.stack] = (index < result.byStack.count ? index : nil, type, maker ?? -1)
        }
        var byType: [RowKey: (bytes: UInt64, count: UInt64)] = [:]
        var byStack: [RowKey: (bytes: UInt64, count: UInt64)] = [:]
        for entry in moments.entries {
            guard let place = places[entry.stack] else { continue }
            let part = Int(entry.part)
            if let row = place.type {
                byType[RowKey(row: row, maker: place.maker, part: part), default: (0, 0)].bytes &+= entry.bytes
                byType[RowKey(row: row, maker: place.maker, part: part), default: (0, 0)].count &+= entry.count
            }
            if let row = place.stack {
                byStack[RowKey(row: row, maker: -1, part: part), default: (0, 0)].bytes &+= entry.bytes
                byStack[RowKey(row: row, maker: -1, part: part), default: (0, 0)].count &+= entry.count
            }
        }
        result.rowMoments.seconds = Double(moments.width) / 1e9
        result.rowMoments.byType = sorted(byType)
        result.rowMoments.byStack = sorted(byStack)
    }

    private static func sorted(
        _ weights: [RowKey: (bytes: UInt64, count: UInt64)]
    ) -> [Report.RowMoments.Entry] {
        weights.sorted { ($0.key.part, $0.key.row, $0.key.maker) < ($1.key.part, $1.key.row, $1.key.maker) }.map {
            .init(
                row: $0.key.row, maker: $0.key.maker, part: $0.key.part, bytes: Int(clamping: $0.value.bytes),
                count: Int(clamping: $0.value.count))
        }
    }

    // MARK: - Makers

    private struct MakerKey: Hashable {
        var function: String
        var module: String
        var line: Int?
    }

    /// By type, of those without a name; and which one each stack is.
    private static func makers(
        of rows: ArraySlice<StackAllocations>, in types: TypeTable, _ symbolicator: any Symbolicating
    ) -> (rows: [TypeID: [Report.Maker]], ofStack: [StackID: MakerKey]) {
        var ofStack: [StackID: MakerKey] = [:]
        var known: [TypeID: [MakerKey: Report.Maker]] = [:]
        for row in rows where row.type.isNone || types.name(row.type).isEmpty {
            let maker = maker(of: symbolicator.stack(row.stack), hasLine: !row.type.isNone)
            let key = MakerKey(function: maker.function, module: maker.module, line: maker.line)
            known[row.type, default: [:]][key, default: maker].counts.add(row.counts)
            ofStack[row.stack] = key
        }
        let rows = known.mapValues { makers in
            makers.values.sorted {
                ($1.counts.bytes, $0.function, $0.module, $0.line ?? 0) < (
                    $0.counts.bytes, $1.function, $1.module, $1.line ?? 0
                )
            }
        }
        return (rows, ofStack)
    }

    /// One of the user's functions makes several closures: their lines tell them apart. Memory is counted by function.
    private static func maker(of stack: SymbolicatedStack, hasLine: Bool) -> Report.Maker {
        if let frame = stack.frames.first(where: { $0.origin == .user }) {
            return Report.Maker(
                function: frame.function, module: frame.module, file: frame.file, line: hasLine ? frame.line : nil)
        }
        let library = stack.frames.first { $0.origin == .library } ?? stack.frames.first
        return Report.Maker(function: "", module: library.map { $0.module.isEmpty ? $0.image : $0.module } ?? "?")
    }

    /// A stack may have made other types too: the makers have no more than the type has.
    private static func within(_ counts: AllocationCounts, _ makers: [Report.Maker]) -> [Report.Maker] {
        var rest = counts
        return makers.prefix(makerLimit).map { maker in
            var maker = maker
            for path: WritableKeyPath<AllocationCounts, UInt64> in [
                \.allocations, \.frees, \.bytes, \.liveCount, \.liveBytes, \.atPeakBytes, \.temporary,
            ] {
                maker.counts[keyPath: path] = min(maker.counts[keyPath: path], rest[keyPath: path])
                rest[keyPath: path] -= maker.counts[keyPath: path]
            }
            return maker
        }.filter { $0.counts.allocations > 0 || $0.counts.atPeakBytes > 0 }
    }
}
