import GameprofTrace

/// Type metadata in an image: which words are some, and what they say (swift/ABI/Metadata.h).
struct Metadata {
    enum Kind: UInt64 {
        case classType = 0
        case structType = 0x200
        case enumType = 0x201
        case optional = 0x202
        case foreignClass = 0x203
        case foreignReference = 0x204
        case opaque = 0x300
        case tuple = 0x301
        case function = 0x302
        case existential = 0x303
        case metatype = 0x304
        case existentialMetatype = 0x306
        case extendedExistential = 0x307
        case local = 0x400
        case genericBox = 0x500
        case error = 0x501
        case task = 0x502
        case job = 0x503
    }

    /// Where metadata may lie.
    final class Space {
        let memory: MemoryImage
        let images: ELFImages
        let blocks: BlockMap

        init(_ memory: MemoryImage, _ images: ELFImages, _ blocks: BlockMap) {
            (self.memory, self.images, self.blocks) = (memory, images, blocks)
        }

        private static let (slab, largest): (UInt64, UInt64) = (16384, 65536)

        /// In a loaded file, or in a block from which the runtime allocates metadata. Where only objects are known: in any memory.
        func holds(_ address: UInt64) -> Bool {
            guard address & 7 == 0, address >= 65536, address <= memory.userBits else { return false }
            if images.contains(address - 16, count: 64) { return memory.has(address - 16, count: 64) }
            if let scanned = blocks.scanned {
                return scanned.contains(address - 16, count: 64) && memory.has(address - 16, count: 64)
            }
            guard let block = blocks.inside(address) else { return false }
            // The address point of metadata is never the start of its block.
            let (offset, size) = (address - blocks[block].start, blocks[block].size)
            return offset >= 16 && size > Self.slab / 2 && size <= Self.largest && offset + 48 <= size
        }

        func isImage(_ address: UInt64, count: UInt64) -> Bool {
            images.contains(address, count: count) && memory.has(address, count: count)
        }
    }

    let space: Space
    let address: UInt64
    let kind: Kind

    private var memory: MemoryImage { space.memory }

    /// Nil: no metadata stands there.
    init?(_ space: Space, _ address: UInt64) {
        guard space.holds(address), let kind = space.memory.word(address).flatMap(Kind.init) else { return nil }
        (self.space, self.address, self.kind) = (space, address, kind)
    }

    /// The structural test of class metadata.
    var isClass: Bool {
        guard kind == .classType, let mask = memory.u16(address + 28), let point = memory.u32(address + 36),
            memory.u32(address + 20) == 0, point >= 16, point % 8 == 0, [7, 15, 31, 63].contains(mask),
            instanceSize >= 16, let descriptor = memory.word(address + 40), space.isImage(descriptor, count: 44)
        else { return false }
        return ContextDescriptor(memory, descriptor)?.kind == .classType
    }

    /// Of a class.
    var instanceSize: UInt32 { memory.u32(address + 24) ?? 0 }

    /// Of a class.
    var superclass: Metadata? {
        guard let above = memory.word(address + 8).flatMap({ Metadata(space, $0) }), above.isClass else { return nil }
        return above
    }

    /// Of a nominal type.
    var descriptor: ContextDescriptor? {
        switch kind {
        case .classType: isClass ? memory.word(address + 40).flatMap { ContextDescriptor(memory, $0) } : nil
        case .structType, .enumType, .optional, .foreignClass, .foreignReference:
            memory.word(address + 8).flatMap {
                space.isImage($0, count: 28) ? ContextDescriptor(memory, $0) : nil
            }
        default: nil
        }
    }

    /// Where the generic arguments of a nominal type stand.
    var arguments: UInt64? {
        guard let descriptor, descriptor.isGeneric else { return nil }
        switch kind {
        case .classType: return descriptor.classArguments.map { address &+ $0 }
        case .structType, .enumType, .optional: return address + 16
        default: return nil
        }
    }

    /// What the runtime knows about values of a type.
    struct Witnesses {
        var size: UInt32
        var stride: UInt32
        var alignment: UInt32
        /// Values own nothing.
        var isPlain: Bool
        /// A value fits into an existential's three words.
        var isInline: Bool
    }

    var witnesses: Witnesses? {
        guard let table = memory.word(address - 8), memory.has(table, count: 88), let size = memory.word(table + 64),
            let stride = memory.word(table + 72), let flags = memory.u32(table + 80), flags & 0x400000 == 0,
            size <= stride, stride > 0, stride <= 1 << 30
        else { return nil }
        return Witnesses(
            size: UInt32(size), stride: UInt32(stride), alignment: flags & 0xff + 1, isPlain: flags & 0x10000 == 0,
            isInline: flags & 0x20000 == 0)
    }

    /// Between two values of the type in an array; nil: not known.
    var stride: UInt64? { kind == .classType ? isClass ? 8 : nil : witnesses.map { UInt64($0.stride) } }

    /// Of a block of `size` bytes that begins with the address of this metadata; nil: it is no object's.
    func objectKind(size: UInt64) -> TypeNameRecord.Kind? {
        guard size >= 16 else { return nil }
        switch kind {
        case .classType: return isClass && UInt64(instanceSize) <= size ? .classInstance : nil
        case .local: return isLocal ? .local : nil
        case .genericBox: return isGenericBox ? .genericBox : nil
        case .error: return isStatic ? .error : nil
        case .task: return isStatic ? .task : nil
        case .job: return isStatic ? .job : nil
        default: return nil
        }
    }

    /// The function that destroys an object of the kinds from 0x400 on.
    var destroyer: UInt64 { memory.word(address - 16) ?? 0 }

    private var isStatic: Bool {
        space.images.contains(address - 16, count: 40) && space.images.isExecutable(destroyer)
    }

    private var isLocal: Bool {
        guard let offset = memory.u32(address + 8), let captures = memory.word(address + 16) else { return false }
        return offset % 4 == 0 && offset < 65536 && isStatic && (captures == 0 || space.isImage(captures, count: 12))
    }

    private var isGenericBox: Bool {
        guard let offset = memory.u32(address + 8), let type = memory.word(address + 16) else { return false }
        return offset >= 16 && offset < 65536 && space.images.isExecutable(destroyer) && space.holds(type)
    }
}
