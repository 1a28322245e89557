import GameprofBasics
import GameprofTrace

/// What each resident byte of a snapshot is. The parts add up to what the kernel counts, whatever the recorder says of
/// ranges in it: what the process did between the two looks is taken off the ranges.
struct ResidentAccount {
    typealias Kind = Report.Footprint.Kind

    struct Part {
        var bytes: UInt64 = 0
        var dirty: UInt64 = 0
        var portions: [String: Report.Footprint.Portion] = [:]
    }

    private let isLate: Bool
    private(set) var total: UInt64 = 0
    private(set) var parts: [Kind: Part] = [:]
    /// By address.
    private(set) var arenas: [UInt64: Report.Footprint.Arena] = [:]

    /// - Parameters:
    ///   - isLate: blocks from before the recording are not known, and stand among those in thread caches.
    ///   - threadName: of a stack.
    ///   - mapperName: who mapped memory.
    init(
        _ facts: ResidentFacts, images: ImageMap, isLate: Bool = false,
        threadName: (ThreadID) -> String = { "thread \($0)" },
        mapperName: (StackID) -> String = { "stack \($0)" }
    ) {
        self.isLate = isLate
        let maps = facts.maps.filter { !$0.isSum }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        var left = maps.map(\.resident)
        total = left.clampedSum
        let ranges = facts.ranges.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        // What the program mapped may have become a stack.
        for isMapped in [false, true] {
            var first = 0
            for range in ranges where (range.kind == .mapped) == isMapped {
                while first < maps.count, maps[first].end <= range.start { first += 1 }
                var name = range.kind == .stack ? threadName(range.thread) : ""
                if isMapped {
                    // What the program mapped of a file is the file's.
                    let path = first < maps.count ? maps[first].path : ""
                    if first < maps.count, Self.use(of: maps[first], images).0 != .anonymous { continue }
                    name = mapperName(range.stack) + (path.isEmpty ? "" : ", \(path)")
                }
                let bytes = Self.take(range, from: maps[first...], &left)
                add(range, bytes: bytes, name)
            }
        }
        for (map, rest) in zip(maps, left) where rest > 0 {
            let taken = map.resident - rest
            let dirty = min(rest, map.dirty - min(map.dirty, taken))
            let (kind, name) = Self.use(of: map, images)
            add(rest, dirty: dirty, to: kind, name: name)
        }
        if let sum = facts.maps.first(where: \.isSum)?.resident, sum > total {
            add(sum - total, dirty: 0, to: .kernel, name: "in no mapping")
            total = sum
        }
    }

    /// As many bytes of the range as the mappings in which it lies still have.
    private static func take(
        _ range: ResidentRangeRecord, from maps: ArraySlice<ResidentMapRecord>, _ left: inout [UInt64]
    ) -> UInt64 {
        var wanted = range.resident
        for (index, map) in zip(maps.indices, maps) {
            guard map.start < range.end, wanted > 0 else { break }
            // Mappings of a damaged trace may overlap.
            guard map.end > range.start else { continue }
            let taken = min(wanted, left[index], min(map.end, range.end) - max(map.start, range.start))
            left[index] -= taken
            wanted -= taken
        }
        return range.resident - wanted
    }

    private mutating func add(_ bytes: UInt64, dirty: UInt64, to kind: Kind, name: String, count: Int = 1) {
        guard bytes > 0 else { return }
        var part = parts[kind] ?? Part()
        part.bytes.add(clamping: bytes)
        part.dirty.add(clamping: dirty)
        var portion = part.portions[name] ?? Report.Footprint.Portion(name: name, count: 0, bytes: 0)
        portion.count += count
        portion.bytes.add(clamping: bytes)
        part.portions[name] = portion
        parts[kind] = part
    }

    private mutating func add(_ range: ResidentRangeRecord, bytes: UInt64, _ name: String) {
        func addOwn(_ kind: Kind, _ name: String) { add(bytes, dirty: bytes, to: kind, name: name) }
        switch range.kind {
        case .stack: addOwn(.stacks, name)
        case .endedStack: addOwn(.stacks, ThreadNames.ended)
        case .unjoinedStack: addOwn(.stacks, ThreadNames.unjoined)
        case .recorder: addOwn(.recorder, "tables")
        case .mapped: addOwn(.anonymous, name)
        case .block: addOwn(.live, "blocks mapped one by one")
        // Told as heaps of arenas.
        case .allocator: break
        case .arena: addHeap(range, bytes: bytes)
        }
    }

    private mutating func addHeap(_ range: ResidentRangeRecord, bytes: UInt64) {
        let share = range.resident == 0 ? 0 : Double(bytes) / Double(range.resident)
        func scaled(_ part: UInt64) -> UInt64 { bytes == range.resident ? part : UInt64(Double(part) * share) }
        let use = range.use
        var arena = arenas[range.arena] ?? Report.Footprint.Arena(number: 0)
        let live = scaled(use.live)
        let trimmable = scaled(use.trimmable)
        let pinned = scaled(use.binned - use.trimmable)
        let (top, cached) = (scaled(use.top), scaled(use.cached))
        arena.heaps += 1
        arena.bytes.add(clamping: bytes)
        arena.live.add(clamping: isLate ? live + cached : live)
        arena.trimmable.add(clamping: trimmable)
        arena.pinned.add(clamping: pinned)
        arena.top.add(clamping: top)
        arena.cached.add(clamping: isLate ? 0 : cached)
        arenas[range.arena] = arena
        let own = bytes - live - trimmable - pinned - top - cached
        add(live, dirty: live, to: .live, name: "blocks in arenas")
        if isLate { add(cached, dirty: cached, to: .live, name: "allocated before the recording, or in thread caches") }
        for (name, bytes) in [
            ("free pages", trimmable), ("free beside blocks in use", pinned), ("free ends of heaps", top),
            ("thread caches and fast bins", isLate ? 0 : cached), ("malloc's own", own),
        ] {
            add(bytes, dirty: bytes, to: .allocatorFree, name: name)
        }
    }

    private static func use(of map: ResidentMapRecord, _ images: ImageMap) -> (Kind, String) {
        let file = map.path.split(separator: "/").last.map(String.init) ?? map.path
        if file.hasPrefix("libGameRecorder") || map.path.hasSuffix(".spool") { return (.recorder, file) }
        if let image = images.image(at: map.start) {
            return (image.name.hasPrefix("libGameRecorder") ? .recorder : .images, image.name)
        }
        switch map.path {
        case "": return (.anonymous, map.isShared ? "shared memory" : "not known")
        case "[heap]": return (.allocatorFree, "malloc's own")
        case "[stack]": return (.stacks, ThreadNames.main)
        default: break
        }
        if map.path.hasPrefix("[v") || map.path == "[uprobes]" { return (.kernel, map.path) }
        let isMemory = ["[", "/dev/zero", "/dev/shm/", "/memfd:", "/SYSV"].contains { map.path.hasPrefix($0) }
        return isMemory ? (.anonymous, map.path) : (.files, map.path)
    }
}
