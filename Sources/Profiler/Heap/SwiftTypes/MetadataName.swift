import GameprofBasics

/// Names of types as Swift prints them with module, from metadata alone.
struct MetadataName {
    private static let depthLimit = 12
    private let space: Metadata.Space

    init(_ space: Metadata.Space) { self.space = space }

    private var memory: MemoryImage { space.memory }

    func text(_ address: UInt64, depth: Int = 0) -> String {
        guard depth <= Self.depthLimit, let metadata = Metadata(space, address) else { return "_" }
        switch metadata.kind {
        case .tuple: return tuple(address, depth)
        case .function: return function(address, depth)
        case .existential: return existential(address, depth)
        case .extendedExistential: return extendedExistential(address, depth)
        case .metatype, .existentialMetatype: return type(address + 8, depth) + ".Type"
        case .genericBox: return type(address + 16, depth)
        case .error: return "Swift.Error"
        case .task: return "Swift.Task"
        case .job: return "Swift.Job"
        default: return metadata.descriptor.map { name(of: $0, arguments: metadata.arguments, depth) } ?? ""
        }
    }

    /// Of the type whose metadata the word at `place` names.
    private func type(_ place: UInt64, _ depth: Int) -> String {
        memory.word(place).map { text($0, depth: depth + 1) } ?? "_"
    }

    private func name(of descriptor: ContextDescriptor, arguments: UInt64? = nil, _ depth: Int = 0) -> String {
        let signature = arguments == nil || !descriptor.isType ? nil : descriptor.signature
        var parts: [String] = []
        var parameters = 0
        for context in descriptor.chain.reversed() {
            guard var name = context.name else { continue }
            if let signature, let arguments, context.isType, let own = context.signature?.kinds.count,
                own > parameters, own <= signature.kinds.count
            {
                // An extension that fixes parameters gives the types in it no arguments for them.
                if signature.kinds[parameters..<own].contains(where: { $0 & 0x80 != 0 }) {
                    name += list(signature, arguments, parameters..<own, depth)
                }
                parameters = own
            }
            parts.append(name)
        }
        return parts.joined(separator: ".")
    }

    /// The vector holds only the arguments of parameters that have one.
    private func list(
        _ signature: ContextDescriptor.Signature, _ arguments: UInt64, _ range: Range<Int>, _ depth: Int
    ) -> String {
        var slot = signature.lengths
        var texts: [String] = []
        for index in 0..<range.upperBound {
            let kind = signature.kinds[index]
            let place = arguments &+ 8 * UInt64(slot)
            if kind & 0x80 != 0 { slot += 1 }
            guard index >= range.lowerBound else { continue }
            switch (kind & 0x80 != 0, kind & 0x3f) {
            case (false, _): texts.append("_")
            case (true, 1): texts += pack(signature, arguments, slot - 1, depth)
            case (true, 2): texts.append(memory.word(place).map { "\(Int64(bitPattern: $0))" } ?? "_")
            case (true, _): texts.append(type(place, depth))
            }
        }
        return "<" + texts.joined(separator: ", ") + ">"
    }

    /// The lowest bit of a pack's address says whether it lies on the heap.
    private func pack(
        _ signature: ContextDescriptor.Signature, _ arguments: UInt64, _ slot: Int, _ depth: Int
    ) -> [String] {
        guard let place = signature.packs.first(where: { $0.slot == slot })?.length,
            let types = memory.word(arguments &+ 8 * UInt64(slot)),
            let count = memory.word(arguments &+ 8 * UInt64(place)), count <= 16
        else { return ["_"] }
        return (0..<count).map { type(types & ~1 &+ 8 * $0, depth) }
    }

    private func tuple(_ address: UInt64, _ depth: Int) -> String {
        let labels = TupleLabels.of(address, memory)
        let count = min(memory.word(address + 8) ?? 0, 64)
        let elements = (0..<count).map { index -> String in
            let element = type(address + 24 + 16 * index, depth)
            let label = Int(index) < labels.count ? labels[Int(index)] : ""
            return label.isEmpty ? element : label + ": " + element
        }
        return "(" + elements.joined(separator: ", ") + ")"
    }

    private func function(_ address: UInt64, _ depth: Int) -> String {
        guard let flags = memory.word(address + 8) else { return "_" }
        let convention = flags >> 16 & 0xff
        let parameters = (0..<min(flags & 0xffff, 64)).map { type(address + 24 + 8 * $0, depth) }
        let prefix = convention == 1 ? "@convention(block) " : convention == 3 ? "@convention(c) " : ""
        let effects = (flags & 1 << 29 != 0 ? " async" : "") + (flags & 1 << 24 != 0 ? " throws" : "")
        return prefix + "(" + parameters.joined(separator: ", ") + ")" + effects + " -> " + type(address + 16, depth)
    }

    private func existential(_ address: UInt64, _ depth: Int) -> String {
        guard let flags = memory.u32(address + 8), let count = memory.u32(address + 12) else { return "_" }
        var next = address + 16
        var parts: [String] = []
        if flags & 1 << 30 != 0 {
            parts.append(type(next, depth))
            next += 8
        }
        for index in 0..<UInt64(min(count, 16)) {
            guard let descriptor = memory.word(next + 8 * index).flatMap({ ContextDescriptor(memory, $0 & ~1) }) else {
                continue
            }
            parts.append(name(of: descriptor))
        }
        if parts.isEmpty { return flags & 1 << 31 != 0 ? "Any" : "Swift.AnyObject" }
        return parts.joined(separator: " & ")
    }

    /// `any P<T>`: the protocols, and of a single one its arguments.
    private func extendedExistential(_ address: UInt64, _ depth: Int) -> String {
        guard let shape = memory.word(address + 8).flatMap({ ExistentialShape(memory, $0) }) else { return "_" }
        let protocols = shape.protocols.map { name(of: $0) }
        guard protocols.count == 1, shape.arguments > 0 else { return protocols.joined(separator: " & ") }
        let arguments = (0..<UInt64(min(shape.arguments, 16))).map { type(address + 16 + 8 * $0, depth) }
        return protocols[0] + "<" + arguments.joined(separator: ", ") + ">"
    }
}

/// The labels that tuple metadata lists, each with a space behind it; an element without label has only that.
enum TupleLabels {
    static func of(_ metadata: UInt64, _ memory: MemoryImage) -> [String] {
        guard let place = memory.word(metadata + 16), place != 0, let text = memory.text(place) else { return [] }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { Identifier.withSpaces(String($0)) }
    }
}

/// The shape of existential types with generic arguments, `any P<T>`.
struct ExistentialShape {
    enum Form { case opaque, classBound }

    var form: Form
    /// Generic arguments that its metadata holds, types first.
    var arguments = 0
    /// Requirements that are conformances to protocols.
    var witnesses = 0
    /// Of them those that can be read.
    var protocols: [ContextDescriptor] = []

    init?(_ memory: MemoryImage, _ address: UInt64) {
        guard address & 3 == 0, let flags = memory.u32(address), let count = memory.u16(address + 10), count <= 64,
            flags & 0x2000 == 0, flags & 0xff <= 1
        else { return nil }
        form = flags & 0xff == 1 ? .classBound : .opaque
        var parameters = flags & 0x800 != 0 ? 0 : UInt64(memory.u16(address + 8) ?? 0)
        var at = address + 16
        if flags & 0x100 != 0 {
            arguments = Int(memory.u16(at) ?? 0)
            parameters += flags & 0x1000 != 0 ? 0 : UInt64(arguments)
            at += 8
        }
        at += (flags & 0x200 != 0 ? 4 : 0) + (flags & 0x400 != 0 ? 4 : 0)
        let requirements = (at + parameters + 3) & ~3
        for index in 0..<UInt64(count) {
            guard let kind = memory.u32(requirements + 12 * index) else { return nil }
            guard kind & 0x1f == 0 else { continue }
            witnesses += 1
            let reference = requirements + 12 * index + 8
            guard let distance = memory.u32(reference), distance != 0, distance & 2 == 0 else { continue }
            let target = reference &+ UInt64(bitPattern: Int64(Int32(bitPattern: distance & ~3)))
            let found = distance & 1 == 0 ? target : memory.word(target) ?? 0
            if let descriptor = ContextDescriptor(memory, found) { protocols.append(descriptor) }
        }
    }
}
