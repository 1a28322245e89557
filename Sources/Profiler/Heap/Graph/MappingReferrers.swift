import CTraceFormat
import GameprofBasics
import GameprofTrace

/// Whether anything refers to memory that the program mapped for itself, and whether anybody can still join a thread that has ended.
///
/// All words of the program are looked at: its variables, live blocks and mapped memory, and apart from them its stacks and
/// registers, where functions leave what they no longer use. That takes as long as reading this memory once, and is done only where
/// there are so many mappings, or threads that nobody has joined, that a finding may come of it. How many have one maker does not show
/// here: one function has many stacks where its calls were unrolled.
struct MappingReferrers {
    /// Fewer are no finding.
    static let fewest = 3

    /// Values that refer to what is asked about.
    private struct Target {
        var values: ClosedRange<UInt64>
        /// What lies in a mapping does not count for itself.
        var own: Range<UInt64>
        var index: Int
    }

    private let clone: FrozenClone
    private let blocks: BlockMap
    private var targets: [Target] = []
    private var found: [ResidentRangeRecord.Referrer] = []

    init(_ clone: FrozenClone, _ blocks: BlockMap) {
        (self.clone, self.blocks) = (clone, blocks)
    }

    /// Nothing is said where not all memory of the process could be read.
    func find(for ranges: inout [ResidentRangeRecord]) {
        guard clone.image.unread.isEmpty else { return }
        var search = self
        search.run(&ranges)
    }

    private mutating func run(_ ranges: inout [ResidentRangeRecord]) {
        let handles = Dictionary(
            clone.endedStacks.unjoined.map { ($0.stack.lowerBound, $0.handle) }, uniquingKeysWith: { $1 })
        let asked = ranges.indices.filter {
            let range = ranges[$0]
            guard range.referrer == .notSearched, clone.image.mapping(at: range.start) != nil else { return false }
            return range.kind == .mapped || handles[range.start] != nil
        }
        let mapped = asked.count { ranges[$0].kind == .mapped }
        guard max(mapped, asked.count - mapped) >= Self.fewest else { return }
        for index in asked {
            let range = ranges[index]
            let values = handles[range.start].map { $0...$0 } ?? range.start...range.end
            targets.append(Target(values: values, own: range.start..<range.end, index: index))
        }
        // A handle lies in no mapping that the program made itself.
        targets.sort { $0.values.lowerBound < $1.values.lowerBound }
        leaveOutOverlaps()
        guard let first = targets.first, let last = targets.map(\.values.upperBound).max() else { return }
        found = Array(repeating: .none, count: targets.count)
        look(at: .passing, within: first.values.lowerBound...last)
        look(at: .lasting, within: first.values.lowerBound...last)
        for (target, referrer) in zip(targets, found) { ranges[target.index].referrer = referrer }
    }

    /// What was noted of several mappings at one place is wrong.
    private mutating func leaveOutOverlaps() {
        var kept: [Target] = []
        var end: UInt64 = 0
        for target in targets {
            // A handle lies inside the stack that its thread had.
            let isMapping = target.values.lowerBound == target.own.lowerBound
            if isMapping, target.own.lowerBound < end {
                kept.removeAll { $0.own.overlaps(target.own) }
            } else {
                kept.append(target)
            }
            if isMapping { end = max(end, target.own.upperBound) }
        }
        targets = kept
    }

    private mutating func look(at kind: ResidentRangeRecord.Referrer, within bounds: ClosedRange<UInt64>) {
        let skipped = (clone.malloc.ownRanges + clone.endedStacks.ranges).sorted { $0.lowerBound < $1.lowerBound }
        for words in clone.words where (words.kind & UInt32(GP_WORDS_PASSING) != 0) == (kind == .passing) {
            var at = words.start
            let first = partition(0..<skipped.count) { skipped[$0].upperBound > words.start }
            let isMapped = words.kind & 0xff == UInt32(GP_ROOT_MAPPED)
            for range in skipped[first...].prefix(while: { isMapped && $0.lowerBound < words.end }) {
                if at < range.lowerBound { scan(at..<range.lowerBound, kind, bounds) }
                at = max(at, range.upperBound)
            }
            if at < words.end { scan(at..<words.end, kind, bounds) }
        }
        guard kind == .lasting else { return }
        for word in clone.image.kernelWords { note(word, at: 0, .lasting) }
        for words in clone.endedStacks.results { scan(words, .lasting, bounds) }
        blocks.visitAll { block in scan(block.start..<block.start + block.size, .lasting, bounds) }
    }

    private mutating func scan(
        _ range: Range<UInt64>, _ kind: ResidentRangeRecord.Referrer, _ bounds: ClosedRange<UInt64>
    ) {
        var at = (range.lowerBound + 7) & ~7
        while at < range.upperBound {
            guard let (bytes, count) = clone.image.piece(at: at) else {
                let next = clone.image.next(from: at)
                at = next == at ? at + 4096 : (max(next, at) + 7) & ~7
                continue
            }
            let words = min(range.upperBound - at, count) / 8
            for place in 0..<words {
                let word = bytes.loadUnaligned(fromByteOffset: Int(8 * place), as: UInt64.self) & clone.image.userBits
                if bounds.contains(word) { note(word, at: at + 8 * place, kind) }
            }
            at += 8 * max(words, 1)
            clone.image.passed(at)
        }
    }

    /// The end of a mapping, which a stack's owner may keep, is often the beginning of another one, and counts for that then.
    private mutating func note(_ word: UInt64, at address: UInt64, _ kind: ResidentRangeRecord.Referrer) {
        var place = partition(0..<targets.count) { targets[$0].values.upperBound >= word }
        while place + 1 < targets.count, targets[place + 1].values.contains(word) { place += 1 }
        guard place < targets.count, targets[place].values.contains(word), !targets[place].own.contains(address) else {
            return
        }
        found[place] = kind
    }
}
