import GameprofBasics
import GameprofTrace

/// Retains and releases by function. A call in the user's code is the user's function's. That of a library, or of what the
/// compiler made, is the user's nearest caller's, by the stacks that were sampled of this call.
struct ReferenceCountingBuilder {
    private typealias Tally = ReferenceCounts.Tally

    private static let limit = 200
    private static let detailLimit = 24
    private static let callerLimit = 8
    private static let depthLimit = 1024

    private struct FunctionKey: Hashable {
        var name: String
        var module: String

        /// Nil: there is none.
        init(_ frame: SymbolicatedFrame?) {
            (name, module) = (frame?.start ?? frame?.function ?? "?", frame?.module ?? "")
        }
    }

    /// The return address of a call and the function that ended in a jump to the runtime's, 0: none.
    private struct Site: Hashable {
        var function: UInt64
        var pc: UInt64
        var type: TypeID
        var releases: Bool
        var isAtomic: Bool
    }

    private struct Counts {
        var retains = 0.0
        var releases = 0.0
        var sum: Double { retains + releases }

        mutating func add(_ amount: Double, releases isRelease: Bool) {
            if isRelease { releases += amount } else { retains += amount }
        }
    }

    private struct UserFunction {
        var frame: SymbolicatedFrame
        var own = Counts()
        var atomic: UInt64 = 0
        var inLibraries = Counts()
        var nanoseconds: UInt64 = 0
        var types: [TypeID: Double] = [:]
        var lines: [Int: Counts] = [:]
        var via: [FunctionKey: Double] = [:]
        var changes: Double { own.sum + inLibraries.sum }
    }

    private struct LibraryFunction {
        var counts = Counts()
        var atomic: UInt64 = 0
        var callers: [FunctionKey: Double] = [:]
    }

    private let recording: Recording
    private let symbolicator: any Symbolicating
    private var functions: [FunctionKey: UserFunction] = [:]
    private var libraries: [FunctionKey: LibraryFunction] = [:]
    private var samples: [Site: [(stack: StackID, calls: UInt64)]] = [:]
    private var result = Report.ReferenceCounting()

    /// Nil: they were not counted.
    init?(_ recording: Recording, _ symbolicator: any Symbolicating) {
        guard recording.referenceCounts.isRecorded else { return nil }
        (self.recording, self.symbolicator) = (recording, symbolicator)
    }

    /// Linear in the calls, and in the frames of their stacks.
    func section() -> Report.ReferenceCounting {
        var builder = self
        return builder.build()
    }

    private mutating func build() -> Report.ReferenceCounting {
        let counts = recording.referenceCounts
        symbolicator.prepare(
            stacks: Set(counts.tallies.keys.map(\.stack)).union(counts.samples.keys.map(\.stack)), addresses: [])
        for (call, calls) in counts.samples { samples[site(of: call), default: []].append((call.stack, calls)) }
        // In one order: sums of estimates are rounded.
        let sorted = counts.tallies.sorted {
            ($0.key.stack, $0.key.type.rawValue, $0.key.order) < ($1.key.stack, $1.key.type.rawValue, $1.key.order)
        }
        for (call, tally) in sorted { add(call, tally) }
        result.missed = counts.missed > 0 ? counts.missed : nil
        addTimes()
        let total = [result.retains, result.releases].clampedSum
        let rows = functions.values.filter { $0.changes >= 0.5 }.sorted {
            ($1.changes, $0.frame.function, $0.frame.module) < ($0.changes, $1.frame.function, $1.frame.module)
        }
        result.functions = rows.prefix(Self.limit).map { row($0, total: total) }
        result.omittedFunctions = max(0, rows.count - Self.limit)
        let others = libraries.sorted {
            ($1.value.counts.sum, $0.key.name, $0.key.module) < ($0.value.counts.sum, $1.key.name, $1.key.module)
        }
        result.libraries = others.prefix(Self.limit).map { row($0.key, $0.value) }
        result.omittedLibraries = max(0, others.count - Self.limit)
        return result
    }

    // MARK: - Calls

    private func site(of call: ReferenceCounts.Call) -> Site {
        let frames = recording.frames.frames(of: call.stack, limit: 2)
        let isJump = frames.first?.isExact ?? false
        return Site(
            function: isJump ? frames[0].pc : 0, pc: (isJump ? frames.dropFirst().first : frames.first)?.pc ?? 0,
            type: call.type, releases: call.releases, isAtomic: call.isAtomic)
    }

    /// Innermost first. Of a function that ended in a jump only where it begins is known.
    private func frames(of stack: StackID) -> some Sequence<SymbolicatedFrame> {
        recording.frames.frames(of: stack, limit: Self.depthLimit).lazy.enumerated().flatMap { index, frame in
            let named = symbolicator.frames(at: frame.id)
            return index == 0 && frame.isExact ? named.suffix(1) : named[...]
        }
    }

    private mutating func add(_ call: ReferenceCounts.Call, _ tally: Tally) {
        let atomic = call.isAtomic ? tally.calls - min(tally.calls, tally.immortal) : 0
        if call.releases {
            result.releases.add(clamping: tally.changes)
        } else {
            result.retains.add(clamping: tally.changes)
        }
        result.atomic.add(clamping: atomic)
        result.immortal.add(clamping: tally.immortal)
        let frames = Array(frames(of: call.stack))
        let own = frames.first { !$0.isOfCaller }
        if let own, own.origin == .user {
            addOwn(call, tally, atomic: atomic, own)
        } else {
            addLibrary(call, tally, atomic: atomic, FunctionKey(own ?? frames.first))
        }
    }

    private mutating func addOwn(
        _ call: ReferenceCounts.Call, _ tally: Tally, atomic: UInt64, _ frame: SymbolicatedFrame
    ) {
        let changes = Double(tally.changes)
        var function = functions[FunctionKey(frame)] ?? UserFunction(frame: frame)
        function.own.add(changes, releases: call.releases)
        function.atomic.add(clamping: atomic)
        function.types[call.type, default: 0] += changes
        if function.frame.file == nil { function.frame.file = frame.file }
        if let line = frame.line, frame.file == function.frame.file {
            function.lines[line, default: Counts()].add(changes, releases: call.releases)
        }
        functions[FunctionKey(frame)] = function
    }

    private mutating func addLibrary(
        _ call: ReferenceCounts.Call, _ tally: Tally, atomic: UInt64, _ key: FunctionKey
    ) {
        var library = libraries[key] ?? LibraryFunction()
        library.counts.add(Double(tally.changes), releases: call.releases)
        library.atomic.add(clamping: atomic)
        let stacks = (samples[site(of: call)] ?? []).sorted { $0.stack < $1.stack }
        let total = Double(stacks.map(\.calls).clampedSum)
        for (stack, calls) in stacks {
            guard let user = frames(of: stack).first(where: { !$0.isOfCaller && $0.origin == .user }) else { continue }
            let part = Double(tally.changes) * Double(calls) / total
            var function = functions[FunctionKey(user)] ?? UserFunction(frame: user)
            function.inLibraries.add(part, releases: call.releases)
            function.types[call.type, default: 0] += part
            function.via[key, default: 0] += part
            functions[FunctionKey(user)] = function
            library.callers[FunctionKey(user), default: 0] += part
        }
        libraries[key] = library
    }

    // MARK: - Time

    /// Samples inside the runtime's functions are those of the user's nearest function.
    private mutating func addTimes() {
        let period = recording.sampling?.period ?? 0
        var weights: [StackID: UInt64] = [:]
        for entry in recording.samples.entries where entry.kind == .computing {
            weights[entry.stack, default: 0].add(clamping: UInt64(entry.weight))
        }
        var (all, counting): (UInt64, UInt64) = (0, 0)
        for (stack, weight) in weights {
            let nanoseconds = weight.multipliedReportingOverflow(by: period)
            guard !nanoseconds.overflow else { continue }
            let frames = symbolicator.stack(stack).frames
            if Self.counts(frames) {
                counting.add(clamping: nanoseconds.partialValue)
            } else if let first = frames.first, Self.changesCount(first) {
                all.add(clamping: nanoseconds.partialValue)
                let user = frames.first { !$0.isOfCaller && $0.origin == .user }
                if let user { functions[FunctionKey(user)]?.nanoseconds.add(clamping: nanoseconds.partialValue) }
            }
        }
        result.seconds = Seconds.of(all)
        result.countingSeconds = Seconds.of(counting)
    }

    /// Whether the recorder was called by the runtime's function. Packages contain a recorder without names; what the program
    /// itself calls of it has one.
    private static func counts(_ frames: [SymbolicatedFrame]) -> Bool {
        let recorder = frames.prefix(while: \.isRuntimeSupport).last {
            $0.image.hasPrefix("libGameRecorder") || $0.function.hasPrefix("gp_")
        }
        return recorder.map { $0.start != nil || $0.function.hasPrefix("gp_hook_") } ?? false
    }

    private static let runtimeFunctions = [
        "swift_retain", "swift_release", "swift_tryRetain", "swift_nonatomic_re", "swift_bridgeObjectRe",
        "_swift_retain",
        "_swift_release_(", "swift::RefCounts<",
    ]

    private static func changesCount(_ frame: SymbolicatedFrame) -> Bool {
        frame.isRuntimeSupport && runtimeFunctions.contains(where: frame.function.hasPrefix)
    }

    // MARK: - Rows

    private func row(_ function: UserFunction, total: UInt64) -> Report.ReferenceCounting.FunctionRow {
        let lines = function.lines.sorted { ($1.value.sum, $0.key) < ($0.value.sum, $1.key) }
        var row = Report.ReferenceCounting.FunctionRow(
            function: function.frame.start ?? function.frame.function, module: function.frame.module,
            file: function.frame.file, line: lines.first?.key ?? function.frame.line)
        row.retains = Self.rounded(function.own.retains)
        row.releases = Self.rounded(function.own.releases)
        row.atomic = function.atomic
        row.libraryRetains = Self.rounded(function.inLibraries.retains)
        row.libraryReleases = Self.rounded(function.inLibraries.releases)
        row.share = Self.share(function.changes, of: Double(total))
        row.seconds = Seconds.of(function.nanoseconds)
        row.types = types(function.types)
        row.lines = lines.prefix(Self.detailLimit).map {
            .init(line: $0.key, retains: Self.rounded($0.value.retains), releases: Self.rounded($0.value.releases))
        }
        row.via = Self.largest(function.via).map(\.key.name)
        return row
    }

    private func row(_ key: FunctionKey, _ library: LibraryFunction) -> Report.ReferenceCounting.LibraryRow {
        var row = Report.ReferenceCounting.LibraryRow(function: key.name, module: key.module)
        row.retains = Self.rounded(library.counts.retains)
        row.releases = Self.rounded(library.counts.releases)
        row.atomic = library.atomic
        row.callers = Self.largest(library.callers).map {
            .init(function: $0.key.name, share: Self.share($0.value, of: library.counts.sum))
        }
        return row
    }

    private func types(_ changes: [TypeID: Double]) -> [Report.ReferenceCounting.TypeRow] {
        var named: [String: Double] = [:]
        for (type, amount) in changes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            named[TypeNames.name(type, in: recording.types), default: 0] += amount
        }
        return named.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.detailLimit).map {
            .init(type: $0.key, changes: Self.rounded($0.value))
        }
    }

    private static func largest(_ parts: [FunctionKey: Double]) -> [(key: FunctionKey, value: Double)] {
        Array(
            parts.sorted { ($1.value, $0.key.name, $0.key.module) < ($0.value, $1.key.name, $1.key.module) }.prefix(
                callerLimit))
    }

    private static func rounded(_ count: Double) -> UInt64 { UInt64(exactly: count.rounded()) ?? .max }

    private static func share(_ part: Double, of total: Double) -> Double {
        total > 0 ? (part / total * 1e6).rounded() / 1e6 : 0
    }
}

extension ReferenceCounts.Call {
    fileprivate var order: Int { (releases ? 2 : 0) + (isAtomic ? 1 : 0) }
}
