import GameprofAnalysis
import GameprofBasics

/// What resident memory is and what can be done, in sentences.
package struct FootprintWords {
    package static let heading = "Resident memory"

    private let footprint: Report.Footprint
    private let names: ShortNames

    package init(_ footprint: Report.Footprint, names: ShortNames) {
        self.footprint = footprint
        self.names = names
    }

    package static func title(_ kind: Report.Footprint.Kind) -> String {
        switch kind {
        case .live: "blocks in use"
        case .allocatorFree: "free inside malloc"
        case .stacks: "thread stacks"
        case .images: "program and libraries"
        case .files: "mapped files"
        case .anonymous: "anonymous mappings"
        case .recorder: "the recorder's own"
        case .kernel: "the kernel's"
        }
    }

    package static func title(_ arena: Report.Footprint.Arena) -> String {
        arena.number == 0 ? "main arena" : "arena \(arena.number)"
    }

    private func sum(_ path: KeyPath<Report.Footprint.Arena, UInt64>) -> UInt64 {
        footprint.arenas.map { $0[keyPath: path] }.clampedSum
    }

    private var spare: UInt64 { [sum(\.trimmable), sum(\.top)].clampedSum }

    private var whole: String { NumberFormat.bytes(footprint.programBytes) }

    private func part(_ kind: Report.Footprint.Kind) -> String { NumberFormat.bytes(footprint.bytes(of: kind)) }

    private func largest(_ kind: Report.Footprint.Kind) -> String {
        guard let first = footprint.parts.first(where: { $0.kind == kind })?.largest.first else { return "" }
        return PlainText.clean(
            kind == .files ? first.name.split(separator: "/").last.map(String.init) ?? first.name : first.name)
    }

    /// `147 MB resident, 125 MB of it free inside malloc`
    package var headline: String {
        let what =
            switch footprint.cause {
            case .live: "\(part(.live)) of it in blocks in use"
            case .trimmable: "\(NumberFormat.bytes(spare)) of it free inside malloc"
            case .pinned: "\(NumberFormat.bytes(sum(\.pinned))) of it free beside blocks in use"
            case .stacks: "\(part(.stacks)) of it in thread stacks"
            case .images: "\(part(.images)) of it the program and its libraries"
            case .files: "\(part(.files)) of it in mapped files"
            case .anonymous: "\(part(.anonymous)) of it in anonymous mappings"
            }
        return "\(whole) resident, \(what)"
    }

    package var summary: String {
        switch footprint.cause {
        case .live:
            "\(part(.live)) of \(whole) are malloc blocks in use." + (unusedCapacity.map { " \($0)" } ?? "")
        case .images: "\(part(.images)) of \(whole) are the program and its libraries."
        case .trimmable:
            "\(NumberFormat.bytes(spare)) of \(whole) are free memory that malloc keeps in "
                + "\(NumberFormat.count(footprint.arenas.count, "arena")) for later allocations; "
                + "blocks in use take \(part(.live))."
        case .pinned:
            "\(NumberFormat.bytes(sum(\.pinned))) of \(whole) are free memory on pages that also hold blocks in use: "
                + "malloc cannot return these pages." + (pinner.map { " \($0)" } ?? "")
        case .stacks:
            "\(part(.stacks)) of \(whole) are stacks of "
                + "\(NumberFormat.count(stacks, "thread")), mostly of \(largest(.stacks))."
        case .files: "\(part(.files)) of \(whole) are mapped files, most of it \(largest(.files))."
        case .anonymous:
            "\(part(.anonymous)) of \(whole) are mapped without malloc"
                + (largest(.anonymous) == "not known"
                    ? "; the code that mapped it is not recorded." : ", most of it by \(largest(.anonymous)).")
        }
    }

    private var stacks: Int {
        footprint.parts.first { $0.kind == .stacks }.map { $0.largest.reduce(0) { $0 + $1.count } } ?? 0
    }

    private var unusedBytes: UInt64 { (footprint.unused ?? []).map(\.bytes).clampedSum }

    private var isMuchUnused: Bool { unusedBytes > footprint.bytes(of: .live) / 10 }

    /// `24 MB of them are unused capacity, most of it of [Transform] made in EntityTable.sort().`
    private var unusedCapacity: String? {
        guard isMuchUnused, let first = footprint.unused?.first else { return nil }
        let maker = Self.maker(first.allocatedBy).map { " made in \(FunctionName.display($0.function))" } ?? ""
        return PlainText.clean(
            "\(NumberFormat.bytes(unusedBytes)) of them are unused capacity of collections, most of it of "
                + "\(names[first.type])\(maker).")
    }

    /// `Address space: 1.4 GB. Limits: ulimit -v 4.3 GB, memory.max 537 MB. vm.overcommit_memory is 0 (heuristic).`
    package var addressSpace: String? {
        guard let bytes = footprint.addressSpaceBytes else { return nil }
        let overcommit = footprint.limits?.overcommit.map { mode in
            let meaning = mode == 0 ? " (heuristic)" : mode == 1 ? " (always)" : mode == 2 ? " (never)" : ""
            return "vm.overcommit_memory is \(mode)\(meaning)."
        }
        let limits = footprint.limits.map { _ in
            named.isEmpty ? "No limit was found." : "Limits: \(named.joined(separator: ", "))."
        }
        return (["Address space: \(NumberFormat.bytes(bytes))."] + [limits, overcommit].compactMap { $0 })
            .joined(separator: " ")
    }

    package var isLimited: Bool { !named.isEmpty }

    /// The limits of memory, each with what sets it.
    private var named: [String] {
        let limits = footprint.limits
        let all = [
            ("ulimit -v", limits?.addressSpace), ("ulimit -d", limits?.data), ("memory.max", limits?.group),
            ("memory.high", limits?.groupHigh),
        ]
        return all.compactMap { name, bytes in bytes.map { "\(name) \(NumberFormat.bytes($0))" } }
    }

    /// `254 MB of live blocks are not resident (never written to, or swapped out): 254 MB of [UInt8] made in Buffer.init().`
    package var untouched: String? {
        guard let rows = footprint.untouched else { return nil }
        func title(_ row: Report.Footprint.Unused) -> String {
            let maker = Self.maker(row.allocatedBy).map { " made in \(FunctionName.display($0.function))" } ?? ""
            return names[row.type] + maker
        }
        let sums = Dictionary(grouping: rows, by: title).mapValues { $0.map(\.bytes).clampedSum }
        guard let most = sums.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
        return PlainText.clean(
            "\(NumberFormat.bytes(sums.values.clampedSum)) of live blocks are not resident (never written to, or swapped out): "
                + "\(NumberFormat.bytes(most.value)) of \(most.key).")
    }

    /// `Decal made in Level.burst() alone keeps 27,000 pages.`
    private var pinner: String? {
        guard let first = footprint.pinnedBy.first else { return nil }
        let maker = Self.maker(first.allocatedBy).map { " made in \(FunctionName.display($0.function))" } ?? ""
        return PlainText.clean(
            "\(names[first.type])\(maker) keeps \(NumberFormat.count(first.pages, "page")) with "
                + "\(NumberFormat.bytes(first.freeBytes)) free.")
    }

    /// Who made the blocks: an initializer of theirs says nothing of where they come from.
    package static func maker(_ stack: CallStack?) -> CallStack.Frame? {
        let frames = stack?.telling ?? []
        return frames.first { !FunctionName.isInitializer($0.function) } ?? frames.first
    }

    /// What a part consists of: a file by its name, threads with how many there are.
    package static func title(_ portion: Report.Footprint.Portion, of kind: Report.Footprint.Kind) -> String {
        let name = kind == .files ? portion.name.split(separator: "/").last.map(String.init) : nil
        let count = kind == .stacks && portion.count > 1 ? " (\(NumberFormat.count(portion.count)))" : ""
        return PlainText.clean((name ?? portion.name) + count)
    }

    /// `worker`, `60 × worker`
    package static func title(_ row: Report.Footprint.ThreadRow) -> String {
        PlainText.clean(row.count == 1 ? row.name : "\(NumberFormat.count(row.count)) × \(row.name)")
    }

    /// `Resident memory: 209 MB, 64 MB of it the recorder's`
    package var title: String {
        let own = footprint.bytes(of: .recorder)
        return "\(Self.heading): \(NumberFormat.bytes(footprint.residentBytes))"
            + (own > 0 ? ", \(NumberFormat.bytes(own)) of it the recorder's" : "")
    }

    package var remedy: String? {
        switch footprint.cause {
        case .live where isMuchUnused:
            return "To free unused capacity, call removeAll() without keepingCapacity, or copy what is left."
        case .live, .images: return nil
        case .trimmable:
            let isTop = sum(\.top) > sum(\.trimmable)
            let how =
                isTop
                ? "With MALLOC_TRIM_THRESHOLD_=131072 in the environment, free() returns it to the kernel"
                : "malloc_trim(0) after such work returns it to the kernel"
            let others = footprint.arenas.filter { $0.number > 0 }.map { [$0.trimmable, $0.top].clampedSum }.clampedSum
            return others > spare / 2
                ? "\(how). With MALLOC_ARENA_MAX=2, threads share arenas. Smaller bursts of allocations need less."
                : "\(how). Smaller bursts of allocations need less."
        case .pinned:
            return
                "malloc_trim cannot help. Allocate long-lived blocks before short-lived ones or separately from them: "
                + "reserve them first, or keep them as values in one array."
        case .stacks:
            return
                "Use fewer threads or a smaller Thread.stackSize, or a pool of threads instead of a thread for each "
                + "task."
        case .files:
            return "The kernel takes clean pages of files back when memory is short; unmap what is no longer read."
        case .anonymous:
            return "Unmap what is no longer needed, or return it to the kernel with madvise(MADV_DONTNEED)."
        }
    }
}

extension Report.Footprint {
    /// With its sentences.
    func worded(_ names: ShortNames) -> Self {
        let words = FootprintWords(self, names: names)
        var result = self
        result.summary = words.summary
        result.remedy = words.remedy
        return result
    }
}
