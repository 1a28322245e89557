import CGameprofProcessor
import Foundation

/// Which blocks are reached, while all blocks are read in ascending order. What a reached block holds is marked at once; what
/// another one holds is kept until it is reached. All of it is pointers: copies are the same, and cost no counting.
struct Marking {
    /// By block that has been read: where its references begin.
    private var rows = Column()
    /// By reference of a block that was not reached when it was read: the block that it names.
    private var targets = Column()
    /// Blocks that are reached, have been read, and hold what is not marked yet.
    private var next = Column()
    let reached: Marks
    /// The block whose references are visited: those in front of it have been read.
    private var reading = -1
    /// It is reached.
    private var isHeld = true

    init(count: Int) { reached = Marks(count: count) }

    func deallocate() {
        for column in [rows, targets, next] { column.deallocate() }
        reached.deallocate()
    }

    /// References that were kept.
    var count: Int { targets.count }

    mutating func forgetReferences() {
        rows.deallocate()
        targets.deallocate()
        (rows, targets) = (Column(), Column())
    }

    /// A block, and one that it holds. Blocks come in ascending order.
    @inline(__always)
    mutating func visit(_ block: Int, _ target: Int) {
        if block != reading { begin(block) }
        if isHeld { reach(target) } else if !reached.contains(target) { targets.append(target) }
    }

    /// All blocks in front of this one have been read.
    @inline(__always)
    mutating func begin(_ block: Int) {
        if next.count > 0 { spread() }
        while rows.count <= block { rows.append(targets.count) }
        reading = block
        isHeld = reached.contains(block)
    }

    /// What has not been read yet is spread from when it is.
    @inline(__always)
    mutating func reach(_ block: Int) { if reached.insert(block), block < reading { next.append(block) } }

    /// Some blocks wait in a ring in front of the stack: where their references begin is fetched, and half-way these.
    mutating func spread() {
        let (ahead, mask) = (16, 15)
        withUnsafeTemporaryAllocation(of: Int.self, capacity: ahead) { ring in
            var (head, tail) = (0, 0)
            while true {
                while tail - head < ahead, let block = next.popLast() {
                    ring[tail & mask] = block
                    tail += 1
                    rows.fetch(block)
                }
                guard tail > head else { return }
                if tail - head > ahead / 2 { targets.fetch(rows[ring[(head + ahead / 2) & mask]]) }
                let block = ring[head & mask]
                head += 1
                for edge in rows[block]..<rows[block + 1] { reach(targets[edge]) }
            }
        }
    }

    /// Marks blocks and what they hold, after all have been read; returns those that were not marked before.
    mutating func spread(from blocks: [Int]) -> [Int] {
        var fresh: [Int] = []
        for block in blocks where reached.insert(block) {
            next.append(block)
            fresh.append(block)
        }
        while let block = next.popLast() {
            for edge in rows[block]..<rows[block + 1] where reached.insert(targets[edge]) {
                next.append(targets[edge])
                fresh.append(targets[edge])
            }
        }
        return fresh
    }

    /// Marks all blocks, after all have been read; returns some from which all others are reached that were not marked before:
    /// those that no other one holds, and one of each ring.
    mutating func markRest() -> [Int] {
        let held = Marks(count: rows.count)
        defer { held.deallocate() }
        reached.visitOthers { block in
            for edge in rows[block]..<rows[block + 1] where targets[edge] != block { held.insert(targets[edge]) }
        }
        var first: [Int] = []
        for isHeld in [false, true] {
            reached.visitOthers { block in
                guard held.contains(block) == isHeld, !reached.contains(block) else { return }
                first.append(block)
                _ = spread(from: [block])
            }
        }
        return first
    }
}

/// Numbers of 32 bits. The C library moves a large block without copying it: growing it needs no room for two.
private struct Column {
    private var elements: UnsafeMutablePointer<UInt32>
    private var capacity = 1 << 12
    private(set) var count = 0

    init() { elements = Self.resize(nil, capacity) }

    func deallocate() { free(elements) }

    private static func resize(_ elements: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutablePointer<UInt32> {
        guard let result = realloc(elements, 4 * count) else { fatalError("out of memory") }
        return result.assumingMemoryBound(to: UInt32.self)
    }

    @inline(__always)
    subscript(_ index: Int) -> Int { Int(elements[index]) }

    @inline(__always)
    func fetch(_ index: Int) { gp_prefetch(elements + index) }

    @inline(__always)
    mutating func append(_ element: Int) {
        if count == capacity { grow() }
        elements[count] = UInt32(truncatingIfNeeded: element)
        count += 1
    }

    @inline(never)
    private mutating func grow() {
        capacity += capacity / 2
        elements = Self.resize(elements, capacity)
    }

    @inline(__always)
    mutating func popLast() -> Int? {
        guard count > 0 else { return nil }
        count -= 1
        return Int(elements[count])
    }
}

/// Some of the numbers below a count.
struct Marks {
    private let words: UnsafeMutableBufferPointer<UInt64>
    private let count: Int

    init(count: Int) {
        self.count = count
        words = .allocate(capacity: count / 64 + 1)
        words.initialize(repeating: 0)
    }

    func deallocate() { words.deallocate() }

    @inline(__always)
    func contains(_ number: Int) -> Bool { words[number >> 6] >> UInt64(number & 63) & 1 != 0 }

    /// Whether it was not in it before.
    @discardableResult
    @inline(__always)
    func insert(_ number: Int) -> Bool {
        let (before, bit) = (words[number >> 6], UInt64(1) << UInt64(number & 63))
        words[number >> 6] = before | bit
        return before & bit == 0
    }

    func remove(_ number: Int) { words[number >> 6] &= ~(1 << UInt64(number & 63)) }

    /// Visits the numbers that are not in it.
    func visitOthers(_ body: (Int) -> Void) {
        for (index, word) in words.enumerated() {
            var others = ~word
            while others != 0 {
                let number = 64 * index + others.trailingZeroBitCount
                guard number < count else { return }
                body(number)
                others &= others - 1
            }
        }
    }
}
