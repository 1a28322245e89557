import GameprofAnalysis
import GameprofBasics

/// Retains and releases of several processes. Whole numbers, so that a sum is the same in every order.
struct MergedReferenceCounting {
    private typealias Counting = Report.ReferenceCounting

    private struct Key: Hashable {
        var function, module: String
    }

    private struct Function {
        var row: Counting.FunctionRow
        var nanoseconds: Int64 = 0
        var types: [String: UInt64] = [:]
        var lines: [Int: Counting.LineRow] = [:]
        var via: [String: Int] = [:]
    }

    private struct Library {
        var row: Counting.LibraryRow
        var callers: [String: UInt64] = [:]
    }

    private static let (details, callers) = (24, 8)

    private var sum = Counting()
    private var nanoseconds: Int64 = 0
    private var countingNanoseconds: Int64 = 0
    private var functions: [Key: Function] = [:]
    private var libraries: [Key: Library] = [:]

    mutating func add(_ other: Report.ReferenceCounting) {
        sum.retains.add(clamping: other.retains)
        sum.releases.add(clamping: other.releases)
        sum.atomic.add(clamping: other.atomic)
        sum.immortal.add(clamping: other.immortal)
        if let missed = other.missed { sum.missed = [sum.missed ?? 0, missed].clampedSum }
        nanoseconds.add(clamping: Nanoseconds.of(other.seconds))
        countingNanoseconds.add(clamping: Nanoseconds.of(other.countingSeconds))
        for row in other.functions { add(row) }
        for row in other.libraries { add(row) }
        sum.omittedFunctions.add(clamping: other.omittedFunctions)
        sum.omittedLibraries.add(clamping: other.omittedLibraries)
    }

    private mutating func add(_ other: Report.ReferenceCounting.FunctionRow) {
        let key = Key(function: other.function, module: other.module)
        var function = functions[key] ?? Function(row: .init(function: other.function, module: other.module))
        function.row.file = [function.row.file, other.file].compactMap { $0 }.min()
        function.row.retains.add(clamping: other.retains)
        function.row.releases.add(clamping: other.releases)
        function.row.atomic.add(clamping: other.atomic)
        function.row.libraryRetains.add(clamping: other.libraryRetains)
        function.row.libraryReleases.add(clamping: other.libraryReleases)
        function.nanoseconds.add(clamping: Nanoseconds.of(other.seconds))
        for row in other.types { function.types[row.type, default: 0].add(clamping: row.changes) }
        for row in other.lines {
            var line = function.lines[row.line] ?? .init(line: row.line, retains: 0, releases: 0)
            line.retains.add(clamping: row.retains)
            line.releases.add(clamping: row.releases)
            function.lines[row.line] = line
        }
        for (place, name) in other.via.enumerated() { function.via[name, default: 0] += Self.callers - place }
        functions[key] = function
    }

    private mutating func add(_ other: Report.ReferenceCounting.LibraryRow) {
        let key = Key(function: other.function, module: other.module)
        var library = libraries[key] ?? Library(row: .init(function: other.function, module: other.module))
        library.row.retains.add(clamping: other.retains)
        library.row.releases.add(clamping: other.releases)
        library.row.atomic.add(clamping: other.atomic)
        for caller in other.callers {
            let changes = caller.share * Double([other.retains, other.releases].clampedSum)
            library.callers[caller.function, default: 0].add(clamping: UInt64(exactly: changes.rounded()) ?? 0)
        }
        libraries[key] = library
    }

    var value: Report.ReferenceCounting {
        var result = sum
        let total = [sum.retains, sum.releases].clampedSum
        result.seconds = Nanoseconds.seconds(nanoseconds)
        result.countingSeconds = Nanoseconds.seconds(countingNanoseconds)
        let rows = functions.values.map { Self.row($0, total: total) }.sorted {
            (Self.changes($1), $0.function, $0.module) < (Self.changes($0), $1.function, $1.module)
        }
        let others = libraries.values.map(Self.row).sorted {
            ([$1.retains, $1.releases].clampedSum, $0.function, $0.module)
                < ([$0.retains, $0.releases].clampedSum, $1.function, $1.module)
        }
        result.functions = Array(rows.prefix(MergedReport.rows))
        result.libraries = Array(others.prefix(MergedReport.rows))
        result.omittedFunctions = [sum.omittedFunctions, rows.count - result.functions.count].clampedSum
        result.omittedLibraries = [sum.omittedLibraries, others.count - result.libraries.count].clampedSum
        return result
    }

    private static func changes(_ row: Report.ReferenceCounting.FunctionRow) -> UInt64 {
        [row.retains, row.releases, row.libraryRetains, row.libraryReleases].clampedSum
    }

    private static func row(_ function: Function, total: UInt64) -> Report.ReferenceCounting.FunctionRow {
        var row = function.row
        row.seconds = Nanoseconds.seconds(function.nanoseconds)
        row.share = share(changes(row), of: total)
        row.types = function.types.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(details).map {
            .init(type: $0.key, changes: $0.value)
        }
        row.lines = Array(
            function.lines.values.sorted {
                ([$1.retains, $1.releases].clampedSum, $0.line) < ([$0.retains, $0.releases].clampedSum, $1.line)
            }.prefix(details))
        row.line = row.lines.first?.line
        row.via = largest(function.via).map(\.key)
        return row
    }

    private static func row(_ library: Library) -> Report.ReferenceCounting.LibraryRow {
        var row = library.row
        row.callers = largest(library.callers).map {
            .init(function: $0.key, share: share($0.value, of: [row.retains, row.releases].clampedSum))
        }
        return row
    }

    private static func largest<Number: Comparable>(
        _ parts: [String: Number]
    ) -> ArraySlice<(key: String, value: Number)> {
        parts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(callers)
    }

    private static func share(_ part: UInt64, of total: UInt64) -> Double {
        total > 0 ? (Double(part) / Double(total) * 1e6).rounded() / 1e6 : 0
    }
}
