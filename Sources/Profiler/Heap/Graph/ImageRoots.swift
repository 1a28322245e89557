import CTraceFormat
import GameprofBasics
import GameprofTrace

/// The words outside of malloc's memory that name blocks: variables, stacks, registers, mapped memory.
struct ImageRoots {
    private let image: MemoryImage
    private let graph: BlockGraph
    private let images: ELFImages
    /// What is malloc's own, by address.
    private var arenas: [Range<UInt64>]
    /// By block: it has a root.
    private var isNamed: BitSet
    private(set) var roots: [HeapRoot] = []
    /// By block: a word names it that is in use, as those of functions that have not returned are.
    private(set) var held: BitSet
    /// By block: a thread names it that may just move a reference.
    private(set) var running: BitSet
    /// By block: a stack or a register names it.
    private(set) var filling: BitSet
    /// Where the roots begin that are variables of the C library's own: its buffers show what their last owners left.
    private(set) var libc = 0
    /// The memory in which they were looked for.
    private(set) var ranges: [Range<UInt64>] = []
    /// Those of threads, as far as they have them for themselves.
    private(set) var stacks: [(thread: UInt32, range: Range<UInt64>)] = []
    /// Kept by the C library for the next thread.
    private(set) var endedStacks: [Range<UInt64>] = []
    private var skipsNextChunks = false
    private var mayBeStale = false
    /// The words are a frozen clone's: one that points into a block is no proof that the block is used.
    private var isOfClone = false
    private var isRunning = false

    /// At most one root for each block, of the kind that says most.
    /// - Parameter frames: of a thread, innermost first; empty: not known.
    static func find(
        _ image: MemoryImage, _ graph: BlockGraph, arenas: [Range<UInt64>],
        frames: (MemoryImage.Thread) -> [IdleThreads.Frame] = { _ in [] }
    ) -> ImageRoots {
        var search = ImageRoots(image, graph, arenas)
        search.run(parkedEnds: IdleThreads(image, frames: frames).parkedEnds)
        return search
    }

    /// The roots among words that the recorder has listed.
    static func find(_ clone: FrozenClone, _ graph: BlockGraph) -> ImageRoots {
        let ended = clone.endedStacks
        let skipped = (clone.malloc.ownRanges + ended.ranges).sorted { $0.lowerBound < $1.lowerBound }
        var search = ImageRoots(clone.image, graph, skipped)
        search.isOfClone = true
        for block in clone.pinned { search.note(block, .runtime, at: 0, .none) }
        let own = clone.words.filter { $0.kind & UInt32(GP_WORDS_NEXT_CHUNKS) == 0 }
        let libcs = clone.words.filter { $0.kind & UInt32(GP_WORDS_NEXT_CHUNKS) != 0 }
        let lasting = own.prefix { $0.kind & UInt32(GP_WORDS_PASSING) == 0 }
        for words in lasting { search.scan(words, clone) }
        for word in clone.image.kernelWords { search.note(word, .kernel, at: 0, .none) }
        for words in ended.results { search.scanPlain(words.lowerBound, words.upperBound, .mapped, .none) }
        for words in own[lasting.endIndex...] { search.scan(words, clone) }
        search.libc = search.roots.count
        search.skipsNextChunks = true
        for words in libcs { search.scan(words, clone) }
        return search
    }

    private init(_ image: MemoryImage, _ graph: BlockGraph, _ arenas: [Range<UInt64>]) {
        (self.image, self.graph, self.arenas) = (image, graph, arenas)
        images = graph.space.images
        (isNamed, held) = (BitSet(count: graph.blocks.count), BitSet(count: graph.blocks.count))
        running = BitSet(count: graph.blocks.count)
        filling = BitSet(count: graph.blocks.count)
    }

    /// How much of them is in the machine's memory is not known.
    var stackRanges: [ResidentRangeRecord] {
        stacks.map { thread, range in
            ResidentRangeRecord(
                kind: .stack, thread: ThreadID(rawValue: thread), start: range.lowerBound, end: range.upperBound,
                resident: 0)
        }
            + endedStacks.map {
                ResidentRangeRecord(kind: .endedStack, start: $0.lowerBound, end: $0.upperBound, resident: 0)
            }
    }

    private mutating func scan(_ words: gp_search_words, _ clone: FrozenClone) {
        let passing = words.kind & UInt32(GP_WORDS_PASSING) != 0
        isRunning = passing && clone.running.contains(words.thread)
        mayBeStale = passing && !isRunning
        let kind = HeapRoot.Kind(rawValue: UInt8(truncatingIfNeeded: words.kind)) ?? .mapped
        let first = roots.count
        if kind == .mapped {
            scan(words.start, words.end, kind)
        } else {
            scanPlain(words.start, words.end, kind, ThreadID(rawValue: words.thread))
        }
        // What is read there are copies of registers, one behind the other.
        guard kind == .register else { return }
        for root in first..<roots.count { roots[root].address = (roots[root].address - words.start) / 8 }
    }

    /// - Parameter parkedEnds: by thread that waits for work: where its frames end.
    private mutating func run(parkedEnds: [UInt32: UInt64]) {
        var places: [(thread: MemoryImage.Thread, mapping: MemoryImage.Mapping)] = []
        for thread in image.threads {
            for (number, word) in thread.registers.enumerated()
            where parkedEnds[thread.id] == nil && !thread.isDead(number, image.machine) {
                note(word, .register, at: UInt64(number), ThreadID(rawValue: thread.id))
            }
            if let mapping = image.stack(of: thread) {
                places.append((thread, mapping))
                stacks.append((thread.id, image.stackRange(of: thread, in: mapping)))
            } else {
                image.unread.add(thread: thread.id, because: "its stack is not in the image")
            }
        }
        // A variable says more than a word that a register or a stack has left.
        let passing = roots
        roots = []
        isNamed = BitSet(count: graph.blocks.count)
        let writable = image.mappings.filter(images.mayHoldWords)
        for mapping in writable where images.contains(mapping.start) {
            scan(mapping.start, mapping.end, .global)
        }
        roots += passing.filter { isNamed.insert($0.object.index - 1) }
        for word in image.kernelWords { note(word, .kernel, at: 0, .none) }
        var parts: [Range<UInt64>] = []
        for (thread, mapping) in places {
            // A thread that runs on a block of another malloc's has not made all of that heap a stack.
            let unknown = graph.blocks.scanned == nil ? mapping.start : min(thread.stackPointer, mapping.end)
            let stack = image.stackBounds(of: thread, in: mapping) ?? unknown..<mapping.end
            parts += [mapping.start..<stack.lowerBound, stack.upperBound..<mapping.end].filter { !$0.isEmpty }
            // Below the stack pointer the ABI of x86-64 lets a function use 128 bytes, outside of system calls.
            let redZone: UInt64 = thread.systemCall(image.machine) != nil ? 0 : 128
            let inner = parkedEnds[thread.id] ?? thread.stackPointer - min(redZone, thread.stackPointer)
            scan(max(mapping.start, inner), stack.upperBound, .stack, ThreadID(rawValue: thread.id))
        }
        let mapped =
            writable.filter { mapping in
                !images.contains(mapping.start) && !places.contains { $0.mapping == mapping }
            }.map { $0.start..<$0.end } + parts
        let ended = EndedStacks(image, in: mapped, outside: arenas)
        endedStacks = ended.ranges
        arenas = (arenas + ended.ranges).sorted { $0.lowerBound < $1.lowerBound }
        for range in mapped { scan(range.lowerBound, range.upperBound, .mapped) }
        for words in ended.results { scanPlain(words.lowerBound, words.upperBound, .mapped, .none) }
        libc = roots.count
    }

    /// Looks at the words from `start` to `end` that are not malloc's own.
    private mutating func scan(_ start: UInt64, _ end: UInt64, _ kind: HeapRoot.Kind, _ thread: ThreadID = .none) {
        var at = start
        let first = partition(0..<arenas.count) { arenas[$0].upperBound > start }
        for arena in arenas[first...].prefix(while: { $0.lowerBound < end }) {
            scanPlain(at, arena.lowerBound, kind, thread)
            at = max(at, arena.upperBound)
        }
        scanPlain(at, end, kind, thread)
    }

    private mutating func scanPlain(_ start: UInt64, _ end: UInt64, _ kind: HeapRoot.Kind, _ thread: ThreadID) {
        var at = (start + 7) & ~7
        while at < end {
            guard let (bytes, count) = image.piece(at: at) else {
                let next = image.next(from: at)
                guard next < end else { return }
                at = next == at ? at + 4096 : (next + 7) & ~7
                continue
            }
            let words = Int(min(end - at, count) / 8)
            if words > 0, kind != .register { ranges.append(at..<at + 8 * UInt64(words)) }
            graph.visitPossible(bytes, words) { note($1, kind, at: at + 8 * UInt64($0), thread) }
            at += 8 * UInt64(max(words, 1))
            image.passed(at)
        }
    }

    private mutating func note(_ word: UInt64, _ kind: HeapRoot.Kind, at address: UInt64, _ thread: ThreadID) {
        guard word >= TypeLayout.leastPointer, let block = graph.named(by: word),
            !skipsNextChunks || !graph.blocks.endsBehind(word)
        else { return }
        var isSure = !mayBeStale && (!isOfClone || graph.isAddress(word, of: block))
        if let scanned = graph.blocks.scanned, kind != .register, scanned.contains(address) {
            guard !isAccountedFor(word, at: address) else { return }
            isSure = isSure && graph.isAddress(word, of: block) && !scanned.isFreed(address)
        }
        if isSure { held.insert(block) }
        if kind == .stack || kind == .register { filling.insert(block) }
        if isRunning { running.insert(block) }
        note(block, kind, at: address, thread)
    }

    /// Whether a word in memory of which only the objects are known is no root: it stands in an object, of which the type says what it
    /// holds, or in the side table of the object's counts.
    private func isAccountedFor(_ word: UInt64, at address: UInt64) -> Bool {
        graph.blocks.inside(address).map { address - graph.blocks[$0].start < graph.blocks[$0].size } == true
            || image.word(word &+ 8).map { $0 >> 62 == 3 && $0 << 3 & image.userBits == address } == true
    }

    private mutating func note(_ block: Int, _ kind: HeapRoot.Kind, at address: UInt64, _ thread: ThreadID) {
        guard isNamed.insert(block) else { return }
        roots.append(
            HeapRoot(object: ObjectID(rawValue: UInt32(block + 1)), kind: kind, address: address, thread: thread))
    }
}

extension MemoryImage.Thread {
    /// A register of x86-64 whose value nothing will use: in a system call those that it overwrites, those of the arguments that it
    /// does not take, and all that a function may change, as the vector registers.
    fileprivate func isDead(_ number: Int, _ machine: UInt16) -> Bool {
        guard let call = systemCall(machine) else { return false }
        if let argument = Self.arguments.firstIndex(of: number) {
            return argument >= Self.argumentCounts[call] ?? 6
        }
        return number >= 27 || [6, 10, 11].contains(number)
    }

    private static let arguments = ThreadRegisters(machine: 62)?.arguments ?? []

    /// Of calls in which threads wait: read, poll, pause, nanosleep, accept, recvmsg, wait4, clock_nanosleep, epoll_wait, accept4.
    private static let argumentCounts: [UInt64: Int] = [
        0: 3, 7: 3, 34: 0, 35: 2, 43: 3, 47: 3, 61: 4, 230: 4, 232: 4, 288: 4,
    ]

    /// The number of the system call in which a thread of x86-64 is: `orig_rax` is that, or −1.
    func systemCall(_ machine: UInt16) -> UInt64? {
        guard machine == 62, registers.count > 15, Int64(bitPattern: registers[15]) >= 0 else { return nil }
        return registers[15]
    }
}
