import GameprofBasics
import GameprofTrace

/// Finds the objects in memory whose allocator does not say where its blocks are: another malloc's, in a process that nobody recorded.
///
/// An object begins with the address of its metadata, and behind it stand its reference counts: hardly any other words look like both.
/// Its type says how long it is. An object that was freed shows it in its counts, unless its allocator has overwritten the address.
struct ObjectScan {
    private let image: MemoryImage
    private let space: Metadata.Space
    private let layouts: LayoutReader
    /// By first word; nil: it is no metadata of objects.
    private var types: [UInt64: ObjectType?] = [:]
    private var last: (word: UInt64, type: ObjectType)?
    /// What the stacks and the registers name: such an object may be in its deinit, and still holds what it has.
    private var named: Set<UInt64> = []
    private var regions = BlockMap.RegionsWithoutHeaders()
    private var freed: [Range<UInt64>] = []

    /// The objects as blocks, in ascending order.
    static func blocks(of image: MemoryImage) -> BlockMap {
        let images = ELFImages(image)
        let ranges = memory(of: image, images)
        var scan = ObjectScan(image, images, ranges)
        for range in ranges { scan.read(range) }
        return BlockMap(
            scan.regions.finish(), isExact: true, scanned: ScannedMemory(ranges: ranges, freed: scan.freed))
    }

    private init(_ image: MemoryImage, _ images: ELFImages, _ ranges: [Range<UInt64>]) {
        self.image = image
        // Metadata of generic types lies in the same memory.
        space = Metadata.Space(
            image, images, BlockMap([], scanned: ScannedMemory(ranges: ranges, freed: [])))
        layouts = LayoutReader(space)
        for thread in image.threads {
            named.formUnion(thread.registers)
            guard let mapping = image.stack(of: thread) else { continue }
            let start = max(thread.stackPointer, mapping.start) & ~7
            image.forEachPiece(of: start..<max(start, image.stackRange(of: thread, in: mapping).upperBound)) {
                for place in stride(from: 0, to: $1.count - 7, by: 8) {
                    let word = $1.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    if word & 15 == 0 { named.insert(word) }
                }
            }
        }
    }

    /// What a process maps for itself: neither files nor the stacks of threads. Mappings of a core file may overlap.
    private static func memory(of image: MemoryImage, _ images: ELFImages) -> [Range<UInt64>] {
        let mapped = image.mappings.filter {
            $0.isWritable && !$0.isFile && !$0.isForeign && !images.contains($0.start)
        }
        let running = image.threads.compactMap { thread in
            image.stack(of: thread).flatMap { image.stackBounds(of: thread, in: $0) }
        }.sorted { $0.lowerBound < $1.lowerBound }
        let ended = EndedStacks(image, in: mapped.map { $0.start..<$0.end }, outside: running)
        let stacks = (running + ended.ranges).sorted { $0.lowerBound < $1.lowerBound }
        var result: [Range<UInt64>] = []
        var at = TypeLayout.leastPointer
        for mapping in mapped {
            at = max(at, mapping.start)
            for stack in stacks where stack.lowerBound < mapping.end && stack.upperBound > at {
                if at < stack.lowerBound { result.append(at..<stack.lowerBound) }
                at = stack.upperBound
            }
            if at < mapping.end { result.append(at..<mapping.end) }
            at = max(at, mapping.end)
        }
        return result
    }

    private mutating func read(_ range: Range<UInt64>) {
        var at = (range.lowerBound + 15) & ~15
        while at < range.upperBound {
            guard let (bytes, count) = image.piece(at: at) else {
                let next = image.next(from: at)
                guard next < range.upperBound else { return }
                at = next == at ? at + 4096 : (next + 15) & ~15
                continue
            }
            let (start, end) = (at, min(range.upperBound, at + count))
            while at + 16 <= end {
                let counts = bytes.loadUnaligned(fromByteOffset: Int(at - start) + 8, as: UInt64.self)
                let word = bytes.loadUnaligned(fromByteOffset: Int(at - start), as: UInt64.self)
                let length =
                    Self.mayCount(counts) && word & 7 == 0 && word >= TypeLayout.leastPointer
                    ? note(at, word, within: range.upperBound - at) : nil
                at += length ?? 16
            }
            at = max(at, (end + 15) & ~15)
            image.passed(at)
        }
    }

    /// Whether a word may be the counts of an object that malloc has made (SwiftShims/RefCount.h): it names a side table, or its bit for pure
    /// Swift objects is set, and it counts few unowned and not too many strong references. Other memory seldom looks like that.
    @inline(__always)
    private static func mayCount(_ word: UInt64) -> Bool {
        word >> 62 == 3 || word & 1 == 1 && word >> 1 & 0x7fff_ffff < 1 << 8 && word >> 33 < 1 << 28
    }

    /// Where the search goes on behind an object; nil: none stands there.
    private mutating func note(_ object: UInt64, _ word: UInt64, within room: UInt64) -> UInt64? {
        guard let type = type(word, room) else { return nil }
        let counts = ReferenceCounts(of: object, in: image)
        guard !counts.isImmortal, mayLive(object, type.kind) else { return nil }
        let size = (min(type.length(of: object, within: room), room) + 7) & ~7
        let end = (size + 15) & ~15
        guard counts.isDeiniting, counts.unowned == 0, !named.contains(object) else {
            regions.add(object, size: size, isShort: end - size >= 8)
            return end
        }
        freed.append(object..<object + size)
        return end
    }

    /// Whether counts say if it was freed. Of a job and of a task that has ended they do not change.
    private func mayLive(_ object: UInt64, _ kind: TypeNameRecord.Kind) -> Bool {
        switch kind {
        case .job: false
        case .task: AsyncTask(image, object)?.hasEnded == false
        case .classInstance, .local, .genericBox, .error: true
        }
    }

    private mutating func type(_ word: UInt64, _ room: UInt64) -> ObjectType? {
        if let last, last.word == word, last.type.instanceSize <= room { return last.type }
        guard word <= image.userBits, space.holds(word) else { return nil }
        let known =
            types[word]
            ?? {
                let metadata = Metadata(space, word)
                let type = metadata.flatMap { metadata in
                    metadata.objectKind(size: room).map { ObjectType(metadata, $0, id: .none, layouts) }
                }
                // A class whose instances do not fit there may fit elsewhere.
                if type != nil || metadata == nil { types[word] = .some(type) }
                return type
            }()
        guard let known, known.instanceSize <= room else { return nil }
        last = (word, known)
        return known
    }
}
