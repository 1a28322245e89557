import GameprofBasics
import GameprofTrace

/// What the resident memory of the process is, and why it is so much.
struct FootprintSection {
    let recording: Recording
    let symbolicator: any Symbolicating

    private static let portionLimit = 8
    private static let arenaLimit = 16
    private static let pinnedLimit = 10
    /// Pages that are worth a row.
    private static let fewestPinned = 16
    private static let momentLimit = 512

    /// Of the snapshot with this number, else of the last one; nil: it was not recorded.
    func section(_ number: Int?) -> Report.Footprint? {
        let recorded = recording.heapSnapshots.filter { !$0.resident.maps.isEmpty }
        let chosen = recorded.first { Int($0.begin.snapshot.rawValue) == number } ?? recorded.last
        guard let snapshot = chosen else { return nil }
        let account = account(of: snapshot)
        let arenas = arenas(of: account)
        var result = Report.Footprint(
            snapshot: Int(snapshot.begin.snapshot.rawValue), seconds: Seconds.of(snapshot.begin.time),
            residentBytes: account.total, parts: parts(of: account), arenas: Array(arenas.prefix(Self.arenaLimit)))
        result.cause = Self.cause(result, arenas)
        result.addressSpaceBytes = snapshot.resident.maps.first { $0.isSum && $0.start == 0 }?.end
        result.limits = MemoryLimits.of(recording.environment)
        let threads = ThreadStacks(snapshot: snapshot, symbolicator: symbolicator, name: threadName).rows()
        result.threads = threads.rows.isEmpty ? nil : threads.rows
        result.threadsOmitted = threads.omitted > 0 ? threads.omitted : nil
        let pinned = snapshot.resident.pinned.filter { $0.count >= Self.fewestPinned }.sorted {
            ($0.count, $1.stack) > ($1.count, $0.stack)
        }
        let shown = pinned.prefix(Self.pinnedLimit)
        result.unused = rows(snapshot.resident.unused)
        result.untouched = rows(snapshot.resident.untouched)
        symbolicator.prepare(stacks: Set(shown.map(\.stack)), addresses: [])
        result.pinnedBy = shown.map { row in
            Report.Footprint.Pinned(
                type: TypeNames.name(row.type, in: recording.types), pages: row.count, freeBytes: row.bytes,
                allocatedBy: CallStack(symbolicator.stack(row.stack)))
        }
        result.pinnedByOmitted = pinned.count > shown.count ? pinned.count - shown.count : nil
        if recorded.count > 1 { result.history = recorded.suffix(Self.momentLimit).map(moment) }
        return result
    }

    private func rows(_ found: [HeapCensusRecord]) -> [Report.Footprint.Unused]? {
        let shown = found.sorted { ($0.bytes, $1.stack) > ($1.bytes, $0.stack) }.prefix(Self.pinnedLimit)
        symbolicator.prepare(stacks: Set(shown.map(\.stack)), addresses: [])
        let rows = shown.map { row in
            Report.Footprint.Unused(
                type: TypeNames.name(row.type, in: recording.types), count: row.count, bytes: row.bytes,
                allocatedBy: CallStack(symbolicator.stack(row.stack)))
        }
        return rows.isEmpty ? nil : rows
    }

    private func account(of snapshot: HeapSnapshot) -> ResidentAccount {
        let mappers = snapshot.resident.ranges.filter { $0.kind == .mapped }.map(\.stack)
        symbolicator.prepare(stacks: Set(mappers), addresses: [])
        return ResidentAccount(
            snapshot.resident, images: recording.images, isLate: recording.program?.isLate ?? false,
            threadName: threadName
        ) { stack in
            CallStack(symbolicator.stack(stack))?.maker ?? "not known"
        }
    }

    private func threadName(_ thread: ThreadID) -> String {
        recording.threadNames[thread].map(ThreadNames.joined) ?? "thread \(thread)"
    }

    private func parts(of account: ResidentAccount) -> [Report.Footprint.Part] {
        account.parts.map { kind, part in
            let portions = part.portions.values.sorted { ($0.bytes, $1.name) > ($1.bytes, $0.name) }
            return Report.Footprint.Part(
                kind: kind, bytes: part.bytes, dirty: part.dirty, largest: Array(portions.prefix(Self.portionLimit)))
        }.sorted { ($0.bytes, $1.kind.rawValue) > ($1.bytes, $0.kind.rawValue) }
    }

    private func arenas(of account: ResidentAccount) -> [Report.Footprint.Arena] {
        account.arenas.sorted { $0.key < $1.key }.enumerated().map { index, entry in
            var arena = entry.value
            arena.number = entry.key == 0 ? 0 : account.arenas[0] == nil ? index + 1 : index
            return arena
        }.sorted { ($0.bytes, $1.number) > ($1.bytes, $0.number) }
    }

    private func moment(_ snapshot: HeapSnapshot) -> Report.Footprint.Moment {
        let account = account(of: snapshot)
        return Report.Footprint.Moment(
            seconds: Seconds.of(snapshot.begin.time), residentBytes: account.total,
            parts: Dictionary(uniqueKeysWithValues: account.parts.map { ($0.key.rawValue, $0.value.bytes) }))
    }

    private static func cause(
        _ footprint: Report.Footprint, _ arenas: [Report.Footprint.Arena]
    ) -> Report.Footprint.Cause {
        let candidates: [(Report.Footprint.Cause, UInt64)] = [
            (.live, footprint.bytes(of: .live)),
            (.trimmable, (arenas.map(\.trimmable) + arenas.map(\.top)).clampedSum),
            (.pinned, arenas.map(\.pinned).clampedSum), (.stacks, footprint.bytes(of: .stacks)),
            (.images, footprint.bytes(of: .images)), (.files, footprint.bytes(of: .files)),
            (.anonymous, footprint.bytes(of: .anonymous)),
        ]
        return candidates.max { $0.1 < $1.1 }?.0 ?? .live
    }
}
