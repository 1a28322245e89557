import GameprofBasics
import GameprofTrace

/// What the live blocks of an image are, and the references between them: read anew wherever they are asked for.
final class BlockGraph {
    let space: Metadata.Space
    let blocks: BlockMap
    let memory: MemoryImage
    private let layouts: LayoutReader
    /// By address of a block without a type: where what it holds ends.
    var filledEnds: [UInt64: UInt64] = [:]
    @exclusivity(unchecked) private var reader: ObjectReferences
    private(set) var types = TypeTable()
    /// By first word of a block; nil: it is no metadata.
    @exclusivity(unchecked) private var known: [UInt64: ObjectType?] = [:]
    @exclusivity(unchecked) private var last: ObjectType?
    /// In which the metadata of the types met so far lie.
    private(set) var metadataBlocks: Set<Int> = []
    /// By block, in a heap that was made: what stands there may be the remains of a value (`FoundReference.isGuessed`).
    var guessing: BitSet
    /// By block: a function may be filling an array's storage, as a stack or a register names it. Its elements are counted when it has all;
    /// the buckets of a hash table are marked before they are filled. Elements of less than eight bytes hold nothing.
    var filling: BitSet
    /// Memory in which tasks keep their frames, once it was read.
    private(set) var taskFrames: BitSet
    private var numbers: [UInt64: TypeID] = [:]
    /// By word of a block: it is a known reference.
    @exclusivity(unchecked) private var isKnown: [Bool] = []
    /// By address of a block that is as large: the runtime makes metadata in it.
    @exclusivity(unchecked) private var slabs: [UInt64: Bool] = [:]

    init(_ space: Metadata.Space) {
        (self.space, blocks, memory) = (space, space.blocks, space.memory)
        layouts = LayoutReader(space)
        reader = ObjectReferences(layouts)
        guessing = BitSet(count: space.blocks.count)
        taskFrames = BitSet(count: space.blocks.count)
        filling = BitSet(count: space.blocks.count)
    }

    // MARK: - Types

    /// The type of the object in a block; nil: it is memory without one.
    func type(of block: BlockMap.Block) -> ObjectType? {
        guard let word = memory.word(block.start), word & 7 == 0, word >= 65536, word <= memory.userBits else {
            return nil
        }
        if let last, last.metadata.address == word { return last.instanceSize <= block.size ? last : nil }
        if let type = known[word] {
            guard let type, type.instanceSize <= block.size else { return nil }
            last = type
            return type
        }
        guard space.holds(word) else { return nil }
        guard let metadata = Metadata(space, word), let kind = metadata.objectKind(size: block.size) else {
            // A class whose instances do not fit may come again with a larger block.
            if Metadata(space, word) == nil { known[word] = .some(nil) }
            return nil
        }
        let type = ObjectType(metadata, kind, id: number(metadata, kind), layouts)
        if let block = blocks.inside(word) { metadataBlocks.insert(block) }
        known[word] = type
        return type
    }

    /// Whether a block that was read is a task's.
    var hasTasks: Bool { types.ids.contains { types.kind($0) == .task } }

    /// Whether an object lies in a block. Gives its type no number: those follow the order of the blocks.
    func isObject(_ block: BlockMap.Block) -> Bool {
        guard let word = memory.word(block.start), word & 7 == 0, word >= 65536, space.holds(word) else { return false }
        return Metadata(space, word)?.objectKind(size: block.size) != nil
    }

    private func number(_ metadata: Metadata, _ kind: TypeNameRecord.Kind) -> TypeID {
        if let id = numbers[metadata.address] { return id }
        let id = TypeID(rawValue: UInt32(numbers.count + 1))
        numbers[metadata.address] = id
        types.add(TypeRecord(id: id, metadata: metadata.address))
        types.add(
            TypeNameRecord(
                kind: kind, metadata: metadata.address, descriptor: metadata.descriptor?.address ?? 0,
                destroy: kind == .classInstance ? metadata.superclass?.address ?? 0 : metadata.destroyer,
                name: MetadataName(space).text(metadata.address)))
        return id
    }

    /// Number of a class that declares properties; none: no class stands there.
    func number(ofClass address: UInt64) -> TypeID {
        guard address != 0, let metadata = Metadata(space, address) else { return .none }
        return number(metadata, .classInstance)
    }

    // MARK: - References

    /// Visits the blocks that hold on to a block's own memory, or that it keeps: once for each reference. Whatever a type calls
    /// a number may still be an address.
    func forEachHeld(by block: BlockMap.Block, _ type: ObjectType?, _ visit: (Int) -> Void) {
        guard let type else { return rawWords(of: block, visit) }
        let block = whole(block, type)
        let count = type.isPlain ? 0 : Int(block.size / 8)
        if !type.isPlain {
            makeRoom(count)
            reader.read(block.start, size: block.size, type) { reference in
                let ownership = reference.ownership
                guard ownership != .unmanaged, let target = self.blocks.exact(reference.target) else { return }
                // A side table that a weak reference keeps stands behind a conservative one at the same place.
                let isSure = ownership != .conservative
                if isSure, reference.offset / 8 < count { self.isKnown[Int(reference.offset / 8)] = true }
                if self.holds(ownership, target) { visit(target) }
            }
        }
        words(of: block, from: 16, in: filled(block, type), visit)
        if count > 0 { forgetKnown(count) }
        if let table = sideTable(of: block) { visit(table) }
    }

    /// What lies behind an instance uses all that malloc gave: arrays ask for it.
    func whole(_ block: BlockMap.Block, _ type: ObjectType?) -> BlockMap.Block {
        guard blocks.isExact, let type, type.kind == .classInstance, block.size >= type.instanceSize + 8
        else { return block }
        return BlockMap.Block(number: block.number, start: block.start, size: usable(block))
    }

    /// Where the storage of a collection holds values; nil: all of a block may.
    func filled(_ block: BlockMap.Block, _ type: ObjectType?) -> FilledStorage? {
        guard let type, type.storage != nil,
            type.storage != .array || !filling.contains(block.number) || type.elementStride < 8
        else { return nil }
        return FilledStorage(block.start, size: block.size, type)
    }

    /// What malloc gave to a block.
    func usable(_ block: BlockMap.Block) -> UInt64 {
        guard blocks.hasHeaders else { return block.size }
        return memory.word(block.start - 8).map { Self.extent(block.size, chunk: $0) } ?? block.size
    }

    /// What malloc gave to a block. The word in front of it says so, unless the block before has overwritten that.
    @inline(__always)
    static func extent(_ size: UInt64, chunk word: UInt64) -> UInt64 {
        let usable = word & ~7 &- (word & 2 != 0 ? 16 : 8)
        return usable > size && usable - size <= slackMost ? usable : size
    }

    private static let slackMost: UInt64 = 2 << 20

    private func makeRoom(_ count: Int) {
        if isKnown.count < count { isKnown += [Bool](repeating: false, count: count - isKnown.count) }
    }

    private func forgetKnown(_ count: Int) {
        isKnown.withUnsafeMutableBufferPointer { $0[..<count].update(repeating: false) }
    }

    /// The block with an object's counts, which it owns.
    func sideTable(of block: BlockMap.Block) -> Int? {
        guard let word = memory.word(block.start + 8), word >> 62 == 3 else { return nil }
        return blocks.exact(ReferenceCounts(of: block.start, in: memory).sideTable)
    }

    /// Unowned references keep the memory of an object whose deinit has run. Who holds an unmanaged reference may still release
    /// it by hand.
    private func holds(_ ownership: Ownership, _ target: Int) -> Bool {
        switch ownership {
        case .strong, .conservative, .unmanaged: true
        case .unowned, .weak: isDeinitialised(blocks[target])
        }
    }

    private func isDeinitialised(_ block: BlockMap.Block) -> Bool {
        guard let type = type(of: block), type.isCounted else { return false }
        let counts = ReferenceCounts(of: block.start, in: memory)
        return !counts.isImmortal && counts.strong == 0
    }

    /// Visits the references of a block to others; nil: a word that is no known one.
    func forEachReference(of block: BlockMap.Block, _ type: ObjectType?, _ visit: (FoundReference?, Int) -> Void) {
        forEachAddress(in: block, type) { reference in
            let isInside = reference.ownership == .conservative
            let target = isInside ? self.blocks.inside(reference.target) : self.blocks.exact(reference.target)
            if let target, target != block.number || reference.target == block.start { visit(reference, target) }
        } word: {
            visit(nil, $0)
        }
    }

    /// Visits the references of a block before their blocks are looked up.
    /// - Parameter word: takes the blocks that other words name.
    func forEachAddress(
        in block: BlockMap.Block, _ type: ObjectType?, _ visit: (FoundReference) -> Void, word: (Int) -> Void
    ) {
        guard let type else { return rawWords(of: block, word) }
        let block = whole(block, type)
        let count = Int(block.size / 8)
        makeRoom(count)
        reader.read(block.start, size: block.size, type) { reference in
            if reference.offset / 8 < count { self.isKnown[Int(reference.offset / 8)] = true }
            visit(reference)
        }
        if !reader.isWhole { words(of: block, from: 16, in: filled(block, type), word) }
        forgetKnown(count)
    }

    /// Visits the blocks that the words of an object name of which its type tells no reference.
    func forEachNumber(of block: BlockMap.Block, _ type: ObjectType, _ visit: (Int) -> Void) {
        let block = whole(block, type)
        let count = Int(block.size / 8)
        makeRoom(count)
        reader.read(block.start, size: block.size, type) { reference in
            if reference.offset / 8 < count { self.isKnown[Int(reference.offset / 8)] = true }
        }
        words(of: block, from: 16, in: filled(block, type), visit)
        forgetKnown(count)
    }

    /// Of memory without a type: not what stands behind the last frame of a task, and of metadata nothing that names an object.
    private func rawWords(of block: BlockMap.Block, _ visit: (Int) -> Void) {
        guard isMetadataSlab(block) else {
            return words(of: block, from: isSideTable(block) ? 8 : 0, to: filledEnd(of: block), visit)
        }
        words(of: block, from: 0) { if self.type(of: self.blocks[$0]) == nil { visit($0) } }
    }

    /// Where what a block holds ends. Of a slab in which a task keeps its frames (swift::StackAllocator::Slab): its metadata, the next one, room and
    /// use without this header of 32 bytes; every frame begins with the one before and its slab.
    private func filledEnd(of block: BlockMap.Block) -> UInt64 {
        if !filledEnds.isEmpty, let end = filledEnds[block.start] {
            return end < block.start ? 0 : min(end - block.start, block.size)
        }
        guard block.size >= 48, let mark = memory.word(block.start), mark != 0, mark & 7 == 0,
            memory.word(block.start + 40) == block.start, let room = memory.u32(block.start + 16),
            let used = memory.u32(block.start + 20), used <= room, used & 15 == 0,
            let next = memory.word(block.start + 8), next == 0 || blocks.exact(next) != nil
        else { return block.size }
        let end = 32 + UInt64(room)
        guard end <= block.size + 32, end + 16 >= block.size else { return block.size }
        taskFrames.insert(block.number)
        return min(32 + UInt64(used), block.size)
    }

    private static let slabSizes: ClosedRange<UInt64> = 16384...16384 + 24

    private func isMetadataSlab(_ block: BlockMap.Block) -> Bool {
        guard Self.slabSizes.contains(block.size), block.size == 16384 || !blocks.isExact else { return false }
        if let known = slabs[block.start] { return known }
        let isSlab = stride(from: block.start + 16, to: block.start + 16384 - 48, by: 8).contains { address in
            guard let metadata = Metadata(space, address) else { return false }
            return metadata.descriptor != nil
        }
        slabs[block.start] = isSlab
        return isSlab
    }

    /// The blocks that words of unknown meaning name.
    private func words(
        of block: BlockMap.Block, from offset: Int, to end: UInt64? = nil, in filled: FilledStorage? = nil,
        _ visit: (Int) -> Void
    ) {
        let end = end ?? filled.flatMap { $0.isAtFront ? $0.end : nil }
        // A large block may be a reservation of which most was never touched, or lie in several pieces.
        let first = block.start + UInt64(offset)
        memory.forEachPiece(of: first..<max(first, block.start + (end ?? block.size))) { start, bytes in
            var at = 0
            while at + 8 <= bytes.count {
                if (Int(start) + at) & (Int(MemoryImage.leastUntouched) - 1) == 0,
                    block.size > MemoryImage.leastUntouched
                {
                    let touched = memory.next(from: start + UInt64(at))
                    guard touched < start + UInt64(bytes.count) else { return }
                    at = max(at, Int(touched - start) & ~7)
                    guard at + 8 <= bytes.count else { return }
                }
                let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                let number = (Int(start - block.start) + at) / 8
                if word >= TypeLayout.leastPointer, number >= isKnown.count || !isKnown[number],
                    let target = named(by: word), target != block.number,
                    filled?.holds(8 * UInt64(number)) ?? true
                {
                    visit(target)
                }
                at += 8
            }
        }
    }

    /// Of the block of a side table, which is 32 bytes long; glibc may not be able to use a rest of 16 otherwise.
    private static let sideTableSizes: ClosedRange<UInt64> = 32...56

    /// Whether the words of a block without a type all count.
    /// - Parameters:
    ///   - first: its first word.
    ///   - sixth: if there is one.
    @inline(__always)
    func isBare(_ block: BlockMap.Block, _ first: UInt64, _ sixth: UInt64?) -> Bool {
        sixth != block.start && !Self.slabSizes.contains(block.size)
            && (first &- blocks.places.low >= blocks.places.span || !Self.sideTableSizes.contains(block.size))
            && (filledEnds.isEmpty || filledEnds[block.start] == nil)
    }

    /// A side table of reference counts names its object without owning it.
    private func isSideTable(_ block: BlockMap.Block) -> Bool {
        guard Self.sideTableSizes.contains(block.size), let object = memory.word(block.start),
            blocks.exact(object) != nil,
            let word = memory.word(object + 8)
        else { return false }
        return word >> 62 == 3 && word << 3 & memory.userBits == block.start
    }

    /// Visits the words, with their numbers, that `named` may know: few do. A tenth of a visit's time for a word in a debug build,
    /// in which tests are searched.
    @inline(__always)
    func visitPossible(_ bytes: UnsafeRawPointer, _ count: Int, _ visit: (Int, UInt64) -> Void) {
        let (low, span) = (blocks.places.low, blocks.places.span)
        guard Int(bitPattern: bytes) & 7 == 0 else {
            for index in 0..<count { visit(index, bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)) }
            return
        }
        let words = bytes.assumingMemoryBound(to: UInt64.self)
        var index = 0
        while index < count {
            let word = words[index]
            if word &- low < span || word >> 48 != 0 { visit(index, word) }
            index &+= 1
        }
    }

    /// The block that a word may name, with what Swift and lock-free lists hide in it.
    func named(by word: UInt64) -> Int? {
        if let block = blocks.inside(word) { return block }
        guard word >> 48 != 0 else { return nil }
        let address = word & ObjectReferences.addressBits
        if let block = blocks.inside(address) ?? blocks.inside(word & memory.userBits) { return block }
        // A native string is stored 32 bytes in front of its text, a side table shifted by three.
        return word >> 63 == 0
            ? nil : blocks.inside(address &+ 32) ?? (word >> 62 == 3 ? blocks.inside(word << 3) : nil)
    }

    /// Whether a word is the address of the block itself: programs keep up to three bits of their own below one. A word that points
    /// into it may be what is left of a walk over its fields.
    func isAddress(_ word: UInt64, of block: Int) -> Bool {
        let start = blocks[block].start
        return word & ~7 == start || word & ObjectReferences.addressBits & ~7 == start
            || word & memory.userBits & ~7 == start
    }

    /// Whether a block holds the address of another one itself.
    func holdsAddress(_ holder: Int, of target: Int) -> Bool {
        let block = blocks[holder]
        var found = false
        memory.forEachPiece(of: block.start..<block.start + block.size) { _, bytes in
            for at in stride(from: 0, to: bytes.count - 7, by: 8) where !found {
                found = isAddress(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self), of: target)
            }
        }
        return found
    }
}
