import GameprofRecording
import GameprofTraceFile

/// The live blocks of an image and the references between them.
final class BlockGraph {
    private static let labelLimit = 1 << 15

    let space: Metadata.Space
    private let layouts: LayoutReader
    private var reader: ObjectReferences
    private(set) var types = TypeTable()
    private(set) var heap = LiveHeap()
    private(set) var swiftObjects: UInt64 = 0
    /// By first word of a block; nil: it is no metadata.
    private var known: [UInt64: ObjectType?] = [:]
    private var numbers: [UInt64: TypeID] = [:]
    private var labels: [LabelKey: Int32] = [:]
    /// By word of a block: it is a known reference.
    private var isKnown: [Bool] = []

    private struct LabelKey: Hashable {
        var kind: HeapReference.Kind
        var path: String
        var function: UInt64
        var declaredBy: UInt64
    }

    let blocks: BlockMap
    private let memory: MemoryImage

    init(_ space: Metadata.Space) {
        (self.space, blocks, memory) = (space, space.blocks, space.memory)
        layouts = LayoutReader(space)
        reader = ObjectReferences(layouts)
        heap.rows.reserveCapacity(blocks.count + 1)
        for block in 0..<blocks.count { add(block) }
        heap.addresses = blocks.starts
    }

    // MARK: - Types

    /// The type of the object in a block; nil: it is memory without one.
    func type(of block: Int) -> ObjectType? {
        let size = blocks.sizes[block]
        guard let word = memory.word(blocks.starts[block]), word & 7 == 0, word >= 65536, word >> 47 == 0 else {
            return nil
        }
        if let type = known[word] {
            guard let type, type.instanceSize <= size else { return nil }
            return type
        }
        guard let metadata = Metadata(space, word), let kind = metadata.objectKind(size: size) else {
            // A class whose instances do not fit may come again with a larger block.
            if Metadata(space, word) == nil { known[word] = .some(nil) }
            return nil
        }
        let type = ObjectType(metadata, kind, id: number(metadata, kind), layouts)
        known[word] = type
        return type
    }

    private func number(_ metadata: Metadata, _ kind: TypeNameRecord.Kind) -> TypeID {
        if let id = numbers[metadata.address] { return id }
        let id = TypeID(rawValue: UInt32(numbers.count + 1))
        numbers[metadata.address] = id
        types.add(TypeRecord(id: id, metadata: metadata.address))
        types.add(
            TypeNameRecord(
                kind: kind, metadata: metadata.address, descriptor: metadata.descriptor?.address ?? 0,
                destroy: kind == .classInstance ? 0 : metadata.destroyer,
                name: MetadataName(space).text(metadata.address)))
        return id
    }

    /// Number of a class that declares properties; none: no class stands there.
    func number(ofClass address: UInt64) -> TypeID {
        guard address != 0, let metadata = Metadata(space, address) else { return .none }
        return number(metadata, .classInstance)
    }

    // MARK: - Blocks

    private func add(_ block: Int) {
        let (start, size) = (blocks.starts[block], blocks.sizes[block])
        var flags: HeapNodeRow.Flags = []
        var strong: UInt32 = 0
        let type = type(of: block)
        if let type {
            let counts = ReferenceCounts(of: start, in: memory)
            flags = .swift
            if type.kind != .task, type.kind != .job, !counts.isImmortal { flags.insert(.countSure) }
            strong = counts.strong
            swiftObjects += 1
            if let table = blocks.exact(counts.sideTable) { add(table, 0, .strong) }
        }
        references(of: block, type) { reference, target in
            add(target, reference.map(label) ?? 0, reference?.ownership ?? .conservative)
        }
        heap.sizes.append(type?.requested(of: size) ?? size)
        heap.types.append(type?.id ?? .none)
        heap.stacks.append(.none)
        heap.strongCounts.append(strong)
        heap.flags.append(flags)
        heap.rows.append(heap.targets.count)
    }

    private func add(_ target: Int, _ label: Int32, _ ownership: Ownership) {
        heap.targets.append(UInt32(target))
        heap.labelNumbers.append(UInt32(label))
        heap.ownerships.append(ownership)
    }

    /// Calls `visit` for each reference of a block to another; nil: a word that is no known one.
    func references(of block: Int, _ type: ObjectType?, _ visit: (FoundReference?, Int) -> Void) {
        let (start, size) = (blocks.starts[block], blocks.sizes[block])
        guard let type else { return words(of: block, from: isSideTable(start, size) ? 8 : 0) { visit(nil, $0) } }
        reader.read(start, size: size, type)
        for reference in reader.found {
            let target =
                reference.ownership == .conservative
                ? blocks.inside(reference.target) : blocks.exact(reference.target)
            if let target, target != block || reference.ownership != .conservative { visit(reference, target) }
        }
        guard !reader.isWhole else { return }
        let count = Int(size / 8)
        if isKnown.count < count { isKnown += [Bool](repeating: false, count: count - isKnown.count) }
        for reference in reader.found { isKnown[Int(reference.offset / 8)] = true }
        words(of: block, from: 16) { visit(nil, $0) }
        for reference in reader.found { isKnown[Int(reference.offset / 8)] = false }
    }

    /// The blocks that words of unknown meaning name.
    private func words(of block: Int, from offset: UInt64, _ visit: (Int) -> Void) {
        let (start, size) = (blocks.starts[block], blocks.sizes[block])
        guard let bytes = memory.bytes(at: start, count: size) else { return }
        var at = Int(offset)
        while at + 8 <= Int(size) {
            let word = bytes.load(fromByteOffset: at, as: UInt64.self)
            if word >= TypeLayout.leastPointer, offset == 0 || at / 8 >= isKnown.count || !isKnown[at / 8],
                let target = named(by: word), target != block
            {
                visit(target)
            }
            at += 8
        }
    }

    /// A side table of reference counts names its object without owning it.
    private func isSideTable(_ start: UInt64, _ size: UInt64) -> Bool {
        guard size >= 24, let object = memory.word(start), blocks.exact(object) != nil,
            let word = memory.word(object + 8)
        else { return false }
        return word >> 62 == 3 && word << 3 & 0x0000_7fff_ffff_ffff == start
    }

    /// The block that a word may name, with what Swift and lock-free lists hide in it.
    func named(by word: UInt64) -> Int? {
        if let block = blocks.inside(word) { return block }
        guard word >> 48 != 0 else { return nil }
        let address = word & ObjectReferences.addressBits
        if let block = blocks.inside(address) ?? blocks.inside(word & 0x0000_7fff_ffff_ffff) { return block }
        // A native string is stored 32 bytes in front of its text, a side table shifted by three.
        return word >> 63 == 0
            ? nil : blocks.inside(address &+ 32) ?? (word >> 62 == 3 ? blocks.inside(word << 3) : nil)
    }

    // MARK: - Labels

    /// The number of what a reference is called: the same for each element of a collection.
    private func label(_ reference: FoundReference) -> Int32 {
        guard let step = reference.step else {
            return reference.kind == .none
                ? 0 : self.label(LabelKey(kind: reference.kind, path: "", function: 0, declaredBy: 0))
        }
        let slot = Int(reference.kind.rawValue)
        if reference.function == 0, slot < step.labels.count, step.labels[slot] >= 0 { return step.labels[slot] }
        let number = self.label(
            LabelKey(
                kind: reference.kind, path: step.path, function: reference.function, declaredBy: reference.declaredBy))
        if reference.function == 0 {
            while step.labels.count <= slot { step.labels.append(-1) }
            step.labels[slot] = number
        }
        return number
    }

    private func label(_ key: LabelKey) -> Int32 {
        if let number = labels[key] { return number }
        guard labels.count < Self.labelLimit else { return 0 }
        let number = Int32(heap.labels.count)
        labels[key] = number
        heap.labels.append(
            HeapLabelRecord(
                number: UInt32(number), kind: key.kind, function: key.function,
                declaredType: self.number(ofClass: key.declaredBy), path: key.path))
        return number
    }

    // MARK: - Reachability

    /// Marks what the roots reach, and takes note of them.
    func mark(_ roots: [HeapRoot]) {
        spread(from: roots.map { $0.object.index - 1 })
        heap.roots = roots
    }

    private func spread(from blocks: [Int]) {
        var next = blocks
        for block in blocks { heap.flags[block].insert(.reachable) }
        while let block = next.popLast() {
            for edge in heap.rows[block]..<heap.rows[block + 1] {
                let target = Int(heap.targets[edge])
                guard !heap.flags[target].contains(.reachable), holds(heap.ownerships[edge], target) else { continue }
                heap.flags[target].insert(.reachable)
                next.append(target)
            }
        }
    }

    /// Marks objects that a word at an uneven address names, as in a packed structure of C, and what they hold.
    func markUnaligned(in ranges: [Range<UInt64>], _ image: MemoryImage) {
        let lost = (0..<heap.count).filter { heap.flags[$0].contains(.swift) && !heap.flags[$0].contains(.reachable) }
        guard let first = lost.first, let last = lost.last else { return }
        let bounds = heap.addresses[first]...heap.addresses[last]
        var found: Set<Int> = []
        func search(_ start: UInt64, _ size: UInt64) {
            guard size >= 8, let bytes = image.bytes(at: start, count: size) else { return }
            for offset in 0...Int(size - 8) where offset & 7 != 0 {
                let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                guard bounds.contains(word), let block = blocks.exact(word) else { continue }
                if !heap.flags[block].contains(.reachable) { found.insert(block) }
            }
        }
        for range in ranges { search(range.lowerBound, UInt64(range.count)) }
        for block in 0..<heap.count
        where heap.flags[block].isDisjoint(with: .swift) && heap.flags[block].contains(.reachable) {
            search(heap.addresses[block], blocks.sizes[block])
        }
        spread(from: Array(found))
    }

    /// Unowned references keep the memory of an object whose deinit has run. Who holds an unmanaged reference may still release
    /// it by hand.
    private func holds(_ ownership: Ownership, _ target: Int) -> Bool {
        switch ownership {
        case .strong, .conservative, .unmanaged: true
        case .unowned, .weak: heap.isDeinitialised(target)
        }
    }
}
