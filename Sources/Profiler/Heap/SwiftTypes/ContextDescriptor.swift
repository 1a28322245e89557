import GameprofBasics

/// Context descriptors as the compiler emits them (swift/ABI/Metadata.h): modules, nominal types, extensions, protocols.
struct ContextDescriptor {
    enum Kind: UInt32 {
        case module = 0
        case `extension` = 1
        case anonymous = 2
        case `protocol` = 3
        case classType = 16
        case structType = 17
        case enumType = 18
    }

    /// The generic parameters of a context and all around it.
    struct Signature {
        /// By parameter: bit 7 = has an argument, low bits 0 = type, 1 = pack, 2 = value.
        var kinds: [UInt8]
        /// Words in front of the arguments: how many types the packs have.
        var lengths: Int
        /// By pack of types: its word in the vector, and the word that says how long it is.
        var packs: [(slot: Int, length: Int)]
        /// Addresses of what is required of them.
        var requirements: [UInt64]
    }

    private static let depthLimit = 24
    /// Of a signature, and of packs in it: a damaged one claims more.
    private static let requirementsMost = 1024

    let memory: MemoryImage
    let address: UInt64

    /// Nil: nothing that can be read.
    init?(_ memory: MemoryImage, _ address: UInt64) {
        guard address & 3 == 0, address != 0, memory.has(address, count: 12) else { return nil }
        (self.memory, self.address) = (memory, address)
    }

    private var flags: UInt32 { memory.u32(address) ?? 0 }
    var kind: Kind? { Kind(rawValue: flags & 31) }
    var isGeneric: Bool { flags & 0x80 != 0 }
    var isType: Bool { kind == .classType || kind == .structType || kind == .enumType }
    /// Of a protocol: only classes conform to it.
    var isClassBound: Bool { flags & 1 << 16 == 0 }

    var parent: ContextDescriptor? { memory.indirect(address + 4).flatMap { ContextDescriptor(memory, $0) } }

    /// Of a module, nominal type or protocol.
    var name: String? {
        guard kind == .module || kind == .protocol || isType else { return nil }
        return memory.relative(address + 8).flatMap { memory.text($0) }.map(Identifier.withSpaces)
    }

    /// The contexts from this one outwards; an extension is replaced by what it extends.
    var chain: [ContextDescriptor] {
        var result: [ContextDescriptor] = []
        var next: ContextDescriptor? = self
        while let context = next, result.count < Self.depthLimit {
            let shown = context.kind == .extension ? context.extended ?? context : context
            result.append(shown)
            next = shown.parent
        }
        return result
    }

    var module: String? { chain.first { $0.kind == .module }?.name }

    func isNamed(_ wanted: String, in module: String) -> Bool { name == wanted && self.module == module }

    private var extended: ContextDescriptor? {
        guard let name = memory.relative(address + 8), let kind = memory.u8(name), kind == 1 || kind == 2,
            let target = memory.relative(name + 1)
        else { return nil }
        return (kind == 2 ? memory.word(target) : target).flatMap { ContextDescriptor(memory, $0) }
    }

    var signature: Signature? {
        guard isGeneric, let kind else { return nil }
        let header: UInt64
        switch kind {
        case .extension: header = address + 12
        case .classType: header = address + 52
        case .structType, .enumType: header = address + 36
        case .anonymous: header = address + 8
        case .module, .protocol: return nil
        }
        guard let count = memory.u16(header), count <= 64,
            let bytes = memory.bytes(at: header + 8, count: UInt64(count)), let requirements = memory.u16(header + 2),
            let flags = memory.u16(header + 6), requirements <= Self.requirementsMost
        else { return nil }
        var result = Signature(
            kinds: Array(UnsafeRawBufferPointer(start: bytes, count: Int(count))), lengths: 0, packs: [],
            requirements: (0..<UInt64(requirements)).map { header + 8 + (UInt64(count) + 3) & ~3 + $0 * 12 })
        let packs = header + 8 + (UInt64(count) + 3) & ~3 + UInt64(requirements) * 12
        if flags & 1 != 0, let packCount = memory.u16(packs), packCount <= Self.requirementsMost,
            let lengths = memory.u16(packs + 2)
        {
            result.lengths = Int(lengths)
            for index in 0..<UInt64(packCount) {
                let place = packs + 4 + 8 * index
                guard memory.u16(place) == 0, let slot = memory.u16(place + 2), let length = memory.u16(place + 4)
                else {
                    continue
                }
                result.packs.append((Int(slot), Int(length)))
            }
        }
        return result
    }

    /// Whether the parameter with that mangled name stands for classes alone: by its layout, a superclass or a protocol.
    func requiresClass(_ parameter: [UInt8]) -> Bool {
        (signature?.requirements ?? []).contains { requirement in
            guard let flags = memory.u32(requirement), let name = memory.relative(requirement + 4),
                let bytes = memory.bytes(at: name, count: UInt64(parameter.count) + 1),
                UnsafeRawBufferPointer(start: bytes, count: parameter.count + 1).elementsEqual(parameter + [0])
            else { return false }
            switch flags & 0x1f {
            case 0:
                let target = memory.indirect(requirement + 8).flatMap { ContextDescriptor(memory, $0) }
                return target?.kind == .protocol && target?.isClassBound == true
            case 2: return true
            case 0x1f: return memory.u32(requirement + 8) == 0
            default: return false
            }
        }
    }

    /// How many generic parameters the contexts have, from the outermost: up to and including that depth.
    var parameterDepths: [Int] {
        var result: [Int] = []
        for context in chain.reversed() {
            // A context that adds no parameters of its own is no depth of its own.
            guard let count = context.signature?.kinds.count, count != result.last else { continue }
            result.append(count)
        }
        return result
    }

    // MARK: - Classes

    /// `Class_IsActor`, `Class_IsDefaultActor`: the runtime runs the tasks in its queue.
    var isActor: Bool { kind == .classType && flags & 1 << 23 != 0 }
    var isDefaultActor: Bool { kind == .classType && flags & 1 << 24 != 0 }

    private var hasResilientSuperclass: Bool { flags & 1 << 29 != 0 }

    /// With a resilient superclass the runtime computed at start where the class's own members begin.
    private var resilientMembers: UInt64? { memory.relative(address + 24).flatMap { memory.word($0) } }

    /// Where a class has its generic arguments in its metadata, in bytes.
    var classArguments: UInt64? {
        if hasResilientSuperclass { return resilientMembers }
        guard let positive = memory.u32(address + 28), let members = memory.u32(address + 32), positive >= members
        else {
            return nil
        }
        return 8 * UInt64(positive - members)
    }

    /// Where a class has the offsets of its fields in its metadata, in bytes.
    var classFieldOffsets: UInt64? {
        guard let vector = memory.u32(address + 40), let fields = memory.u32(address + 36), fields > 0 else {
            return nil
        }
        guard hasResilientSuperclass else { return 8 * UInt64(vector) }
        guard let members = resilientMembers, members != 0, let own = memory.u32(address + 32),
            UInt64(own) >= UInt64(vector) + UInt64(fields)
        else { return nil }
        return 8 * UInt64(vector) + members
    }

    // MARK: - Fields

    /// A stored property or a case.
    struct Field {
        var name: String
        /// Address of its mangled type; 0: a case without payload.
        var type: UInt64
        /// A case whose payload lies in a box.
        var isIndirect: Bool
        /// A property declared with `let`, or a case.
        var isConstant: Bool
    }

    /// Nil: they cannot be read.
    var fields: [Field]? {
        guard isType, let records = memory.relative(address + 16), memory.u16(records + 10) == 12,
            let count = memory.u32(records + 12), count <= 4096,
            memory.has(records, count: 16 + 12 * UInt64(count))
        else { return nil }
        return (0..<UInt64(count)).map { index in
            let record = records + 16 + 12 * index
            let flags = memory.u32(record) ?? 0
            return Field(
                name: memory.relative(record + 8).flatMap { memory.text($0) }.map(Identifier.withSpaces) ?? "",
                type: memory.relative(record + 4) ?? 0, isIndirect: flags & 1 != 0, isConstant: flags & 2 == 0)
        }
    }
}

extension MemoryImage {
    /// The target of the 32-bit relative pointer at `address`.
    func relative(_ address: UInt64) -> UInt64? {
        guard let distance = u32(address).map({ Int32(bitPattern: $0) }), distance != 0 else { return nil }
        let target = address &+ UInt64(bitPattern: Int64(distance))
        return target >> 63 == 0 ? target : nil
    }

    /// The same where the lowest bit says that it names a pointer to the target.
    func indirect(_ address: UInt64) -> UInt64? {
        guard let target = relative(address) else { return nil }
        return target & 1 == 0 ? target : word(target & ~1)
    }
}
