import GameprofBasics
import GameprofTrace

/// The layout of types, by parsing alone; what the runtime noted of a type checks it.
final class LayoutReader {
    private static let (depthLimit, actorBytes): (Int, UInt64) = (24, 96)
    /// Types that are looked at in all: damaged ones may contain each other.
    private static let workLimit = 4_000_000

    let space: Metadata.Space
    private var known: [UInt64: TypeLayout] = [:]
    private var work = 0

    init(_ space: Metadata.Space) { self.space = space }

    private var memory: MemoryImage { space.memory }

    private func reference(_ ownership: Ownership, _ encoding: LayoutStep.Encoding = .plain) -> TypeLayout {
        .reference(ownership, encoding, machine: memory.machine)
    }

    private var rawPointer: TypeLayout { .rawPointer(machine: memory.machine) }

    // MARK: - Of metadata

    /// The layout of values of the type whose metadata stands at `address`. Kept, so that it is computed once.
    func layout(ofMetadata address: UInt64) -> TypeLayout {
        if let layout = known[address] { return layout }
        known[address] = .unknown  // A type that contains itself is damaged.
        let layout = Metadata(space, address).map(checked) ?? .unknown
        known[address] = layout
        return layout
    }

    /// Parsing must come to the size that the runtime works with; otherwise it has misunderstood the type.
    private func checked(_ metadata: Metadata) -> TypeLayout {
        if metadata.kind == .classType { return metadata.isClass ? reference(.strong) : .unknown }
        guard let witnesses = metadata.witnesses else { return .unknown }
        let (size, alignment) = (UInt64(witnesses.size), UInt64(witnesses.alignment))
        let layout = parsed(metadata, witnesses)
        if layout.isSized, layout.size == size, layout.alignment == alignment { return layout }
        guard witnesses.isPlain else { return .opaque(size, alignment) }
        var plain = TypeLayout.plain(size, alignment)
        plain.spare = nil
        return plain
    }

    private func parsed(_ metadata: Metadata, _ witnesses: Metadata.Witnesses) -> TypeLayout {
        switch metadata.kind {
        case .structType, .enumType, .optional:
            guard let descriptor = metadata.descriptor, let name = descriptor.name, let module = descriptor.module
            else {
                return .unknown
            }
            let arguments = GenericEnvironment(metadata).arguments.map { $0 ?? .unknown }
            return layout(
                of: .nominal(
                    StoredType.Nominal(descriptor: descriptor, name: name, module: module, arguments: arguments)), 1)
        case .tuple: return tuple(metadata.address)
        case .function:
            // Its convention: thin functions and those of C have no context.
            switch (memory.word(metadata.address + 8) ?? 0) >> 16 & 0xff {
            case 0: return .function
            case 2, 3: return layout(of: .thinFunction)
            default: return .unknown
            }
        case .existential:
            guard let flags = memory.u32(metadata.address + 8) else { return .unknown }
            return existential(
                StoredType.Existential(
                    isClassBound: flags & 1 << 31 == 0, isError: flags & 0x3f00_0000 != 0,
                    witnesses: Int(flags & 0xff_ffff)))
        case .extendedExistential:
            guard let shape = memory.word(metadata.address + 8).flatMap({ ExistentialShape(memory, $0) }) else {
                return .unknown
            }
            // How many witness tables stand behind the value, its size says.
            let words = Int(witnesses.size) / 8 - (shape.form == .opaque ? 4 : 1)
            return words < 0
                ? .unknown
                : existential(StoredType.Existential(isClassBound: shape.form == .classBound, witnesses: words))
        case .metatype: return layout(of: .metatype)
        case .existentialMetatype:
            return layout(of: .existentialMetatype(witnesses: Int(min(max(witnesses.size / 8, 1), 65)) - 1))
        default: return .unknown
        }
    }

    private func tuple(_ metadata: UInt64) -> TypeLayout {
        let labels = TupleLabels.of(metadata, memory)
        var result = TypeLayout.plain(0, 1)
        for index in 0..<Int(min(memory.word(metadata + 8) ?? 0, 64)) {
            guard let element = memory.word(metadata + 24 + 16 * UInt64(index)) else { return .unknown }
            let label = index < labels.count && !labels[index].isEmpty ? labels[index] : "\(index)"
            result.append(layout(ofMetadata: element), label, isNotWeak: true)
        }
        return result
    }

    // MARK: - Of types

    func layout(of type: StoredType, _ depth: Int = 0) -> TypeLayout {
        work += 1
        guard depth <= Self.depthLimit, work < Self.workLimit else { return .unknown }
        switch type {
        case .metadata(let address): return layout(ofMetadata: address)
        case .nominal(let nominal): return layout(of: nominal, depth)
        case .tuple(let elements):
            var result = TypeLayout.plain(0, 1)
            for (index, element) in elements.enumerated() {
                result.append(
                    layout(of: element.type, depth + 1), element.label.isEmpty ? "\(index)" : element.label,
                    isNotWeak: true)
            }
            return result
        case .function: return .function
        case .thinFunction, .metatype:
            // Only the layout of the reference is meant: a metatype owns nothing.
            var layout = reference(.unmanaged)
            layout.steps = []
            if case .thinFunction = type { layout.spare = TypeLayout.plain(8, 8).spare }
            return layout
        case .existentialMetatype(let witnesses):
            var layout = words(1 + witnesses, reference(.unmanaged))
            layout.steps = []
            return layout
        case .existential(let type): return existential(type)
        case .builtin(let letter, let bits): return builtin(letter, bits)
        case .storage(let ownership, let referent): return storage(ownership, layout(of: referent, depth + 1))
        case .box: return reference(.strong)
        case .unknown, .integer, .proto: return .unknown
        }
    }

    private func builtin(_ letter: UInt8, _ bits: UInt32) -> TypeLayout {
        switch Character(UnicodeScalar(letter)) {
        case "i" where bits == 1: return .bool
        case "i", "f":
            var size: UInt64 = 1
            while size < 1 << 16, 8 * size < UInt64(bits) { size *= 2 }
            return .plain(size, min(size, 16))
        case "w", "c", "j": return .plain(8, 8)
        case "p": return rawPointer
        case "o", "O": return reference(.strong)
        case "b": return reference(.strong, .bridge)
        case "D":
            // An actor's own words: its state and the queue of jobs that wait for it, none of which it retains.
            var layout = TypeLayout.plain(0, 16)
            while layout.size < Self.actorBytes { layout.append(reference(.conservative)) }
            layout.extra = ExtraInhabitants()
            layout.spare = nil
            return layout
        default: return .unknown
        }
    }

    private func storage(_ ownership: Ownership, _ referent: TypeLayout) -> TypeLayout {
        guard referent.isSized, referent.size >= 8, referent.size % 8 == 0 else { return .unknown }
        var layout = referent
        let word = reference(ownership, ownership == .weak ? .weak : .plain)
        layout.steps = word.steps
        if ownership == .weak {
            layout.spare = layout.spare.map { [UInt8](repeating: 0, count: $0.count) }
            // Of the witness tables behind it; all words of such a value are too small for an address.
            layout.extra = ExtraInhabitants(count: layout.size > 8 ? UInt64(Int32.max) : 0)
            layout.isAddressOnly = true
        } else {
            layout.spare = words(Int(layout.size / 8), word).spare
        }
        return layout
    }

    /// A pointer and others behind it, none of which owns anything.
    private func words(_ count: Int, _ first: TypeLayout) -> TypeLayout {
        var layout = first
        layout.size = 8 * UInt64(count)
        layout.spare =
            layout.size <= UInt64(TypeLayout.spareLimit)
            ? first.spare.map { Array(repeatElement($0, count: count).joined()) } : nil
        return layout
    }

    private func existential(_ type: StoredType.Existential) -> TypeLayout {
        if type.isError { return reference(.strong) }
        let words = UInt64(min(type.witnesses, 64))
        if type.isClassBound {
            return self.words(1 + Int(words), reference(.strong))
        }
        var layout = TypeLayout.plain(8 * (4 + words), 8)
        layout.isAddressOnly = true
        layout.steps = [LayoutStep(.existential(hasProtocol: words > 0))]
        layout.extra = ExtraInhabitants(offset: 24, count: TypeLayout.leastPointer, width: 8)
        return layout
    }

    // MARK: - Of nominal types

    private func layout(of nominal: StoredType.Nominal, _ depth: Int) -> TypeLayout {
        if let layout = standard(nominal, depth) { return layout }
        guard let descriptor = nominal.descriptor else {
            // Of a type that is only named, no more is known than whether it is a class.
            return nominal.letter == UInt8(ascii: "C") ? reference(.strong) : .unknown
        }
        switch descriptor.kind {
        case .classType: return reference(.strong)
        case .structType: return structure(descriptor, GenericEnvironment(nominal), depth)
        case .enumType: return enumeration(descriptor, GenericEnvironment(nominal), depth)
        default: return .unknown
        }
    }

    private func structure(
        _ descriptor: ContextDescriptor, _ environment: GenericEnvironment, _ depth: Int
    ) -> TypeLayout {
        // A raw layout (Synchronization's cells and atomics) and a C structure have no fields to read.
        guard let module = descriptor.module, let fields = descriptor.fields,
            memory.u32(descriptor.address + 20) == UInt32(fields.count),
            !(fields.isEmpty && module == "Synchronization"), !module.hasPrefix("__C")
        else { return .unknown }
        // The insides of the standard library's types have no names that a user knows.
        let isNamed = module != "Swift"
        var result = TypeLayout.plain(0, 1)
        for field in fields {
            guard field.type != 0, result.isSized else { return .unknown }
            result.append(
                layout(ofField: field.type, environment, depth), isNamed ? FieldName.source(field.name[...]) : "",
                isNotWeak: MangledName.isParameter(at: field.type, of: descriptor),
                as: isNamed ? DeclaredProperty(field, in: memory, environment, of: descriptor) : nil)
        }
        return result
    }

    /// Of a property with this mangled type.
    func layout(ofField type: UInt64, _ environment: GenericEnvironment, _ depth: Int = -1) -> TypeLayout {
        layout(of: MangledName.type(at: type, in: memory, environment), depth + 1)
    }

    private func enumeration(
        _ descriptor: ContextDescriptor, _ environment: GenericEnvironment, _ depth: Int
    ) -> TypeLayout {
        guard let counts = memory.u32(descriptor.address + 20), let empty = memory.u32(descriptor.address + 24) else {
            return .unknown
        }
        let count = Int(counts & 0xff_ffff)
        if count == 0 { return EnumLayout.withoutPayload(UInt64(empty)) }
        guard count <= 256, let fields = descriptor.fields, fields.count >= count else { return .unknown }
        var isFixed = true
        var payloads: [EnumLayout.Payload] = []
        for field in fields.prefix(count) {
            var layout = reference(.strong)
            if !field.isIndirect {
                guard field.type != 0 else { return .unknown }
                layout = self.layout(ofField: field.type, environment, depth)
                if descriptor.isGeneric, !self.layout(ofField: field.type, GenericEnvironment(), depth).isSized {
                    isFixed = false
                }
            }
            guard layout.isSized else { return .unknown }
            payloads.append(EnumLayout.Payload(name: field.name, layout: layout))
        }
        if count == 1 {
            return EnumLayout.singlePayload(payloads[0].layout, payloads[0].name, emptyCases: UInt64(empty))
        }
        return EnumLayout.multiPayload(payloads, emptyCases: UInt64(empty), isFixed: isFixed)
    }

    // MARK: - Of the standard library

    private static let numbers: [String: UInt64] = [
        "Int": 8, "UInt": 8, "Double": 8, "Float": 4, "Int64": 8, "UInt64": 8, "Int32": 4, "UInt32": 4, "Int16": 2,
        "UInt16": 2, "Int8": 1, "UInt8": 1, "Float16": 2, "Float80": 16,
    ]

    /// Types whose layout is fixed for ever by the binary interface; nil: none of them.
    private func standard(_ type: StoredType.Nominal, _ depth: Int) -> TypeLayout? {
        // The module _Concurrency calls itself Swift in names and descriptors.
        if type.module == "_Concurrency" || type.module == "Swift", let layout = concurrent(type.name) {
            return layout
        }
        guard type.module == "Swift" else { return nil }
        switch type.name {
        case "Optional":
            guard type.arguments.count == 1 else { return nil }
            return EnumLayout.singlePayload(layout(of: type.arguments[0], depth + 1), "", emptyCases: 1)
        case "Bool": return .bool
        case "Array", "ContiguousArray": return reference(.strong)
        case "Dictionary", "Set": return reference(.strong, .bridge)
        case "String", "Character": return string
        case "Substring":
            var layout = TypeLayout.plain(16, 8)
            layout.append(string)
            return layout
        case "Unmanaged": return reference(.unmanaged)
        case "ObjectIdentifier":
            // A number as far as owning goes: no object can be had from it.
            var layout = rawPointer
            layout.steps = []
            return layout
        case "OpaquePointer", "UnsafePointer", "UnsafeMutablePointer", "UnsafeRawPointer", "UnsafeMutableRawPointer",
            "AutoreleasingUnsafeMutablePointer":
            return rawPointer
        case "UnsafeBufferPointer", "UnsafeMutableBufferPointer", "UnsafeRawBufferPointer",
            "UnsafeMutableRawBufferPointer":
            var layout = rawPointer
            layout.extra.count = 0
            layout.append(.plain(8, 8))
            return layout
        case "Range", "ClosedRange":
            guard type.arguments.count == 1 else { return nil }
            let bound = layout(of: type.arguments[0], depth + 1)
            var layout = TypeLayout.plain(0, 1)
            layout.append(bound, "lowerBound")
            layout.append(bound, "upperBound")
            return layout
        case "InlineArray":
            guard type.arguments.count == 2, case .integer(let count) = type.arguments[0] else { return nil }
            return repeated(count, layout(of: type.arguments[1], depth + 1))
        default: return Self.numbers[type.name].map { .plain($0, $0) }
        }
    }

    private func concurrent(_ name: String) -> TypeLayout? {
        switch name {
        case "Task", "CheckedContinuation", "AsyncStream", "AsyncThrowingStream": return reference(.strong)
        case "UnsafeContinuation", "TaskGroup", "ThrowingTaskGroup", "UnsafeCurrentTask", "UnownedJob":
            var layout = reference(.conservative)
            layout.extra.count = 0
            return layout
        case "TaskPriority": return .plain(1, 1)
        default: return nil
        }
    }

    private var string: TypeLayout {
        var layout = TypeLayout.plain(8, 8)
        layout.append(reference(.strong, .bridge))
        return layout
    }

    /// InlineArray: its elements one behind the other, a stride apart.
    private func repeated(_ count: UInt64, _ element: TypeLayout) -> TypeLayout {
        guard element.isSized, count < 1 << 31 else { return .unknown }
        let stride = max((element.size + element.alignment - 1) & ~(element.alignment - 1), 1)
        let (size, overflow) = stride.multipliedReportingOverflow(by: count)
        guard !overflow, size < 1 << 31 else { return .unknown }
        if !element.steps.isEmpty, count > 256 { return .opaque(size, element.alignment) }
        // Unused bits and values are those of the first element.
        var layout = TypeLayout.plain(size, element.alignment)
        layout.isAddressOnly = element.isAddressOnly
        if count > 0 { layout.extra = element.extra }
        if let spare = element.spare, count > 0 { layout.spare?.replaceSubrange(0..<spare.count, with: spare) }
        if element.spare == nil { layout.spare = nil }
        if !element.steps.isEmpty {
            for index in 0..<count {
                layout.steps += element.steps.map { $0.moved(by: index * stride, "[…]", isNotWeak: false) }
            }
        }
        return layout
    }
}
