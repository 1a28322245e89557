import GameprofBasics
import GameprofTrace

/// What objects with one first word hold, worked out once.
final class ObjectType {
    /// A storage class of the standard library's collections.
    enum Storage {
        case array, dictionary, set, string
    }

    /// Stored properties that one class of the chain declares.
    struct Part {
        var steps: [LayoutStep]
        /// The superclass that declares them; 0: the object's own class.
        var declaredBy: UInt64 = 0
    }

    let metadata: Metadata
    let kind: TypeNameRecord.Kind
    /// Number of the type in the recording.
    let id: TypeID
    let instanceSize: UInt64
    private(set) var storage: Storage?
    private(set) var parts: [Part] = []
    /// Of a closure context: steps by capture.
    private(set) var captures: [[LayoutStep]] = []
    /// Where what is understood of it ends; nil: all of it is.
    private(set) var understoodTo: UInt64?
    /// Of a context: one value that no closure would need a context for.
    private(set) var isBox = false
    /// Metadata of what lies behind the instance (ManagedBuffer); 0: nothing that is known.
    private(set) var elements: UInt64 = 0
    /// Objects hold nothing weakly: each of their words that names a block holds it.
    private(set) var isPlain = false

    init(_ metadata: Metadata, _ kind: TypeNameRecord.Kind, id: TypeID, _ layouts: LayoutReader) {
        (self.metadata, self.kind, self.id) = (metadata, kind, id)
        instanceSize = kind == .classInstance ? UInt64(metadata.instanceSize) : 16
        switch kind {
        case .classInstance: readClass(layouts)
        case .local: readCaptures(layouts)
        case .genericBox, .error, .task, .job: break
        }
        isPlain = holdsNothingWeakly(layouts)
    }

    private func holdsNothingWeakly(_ layouts: LayoutReader) -> Bool {
        func isPlain(_ type: UInt64?) -> Bool {
            type.map { layouts.layout(ofMetadata: $0).steps.allSatisfy(\.isPlain) } ?? false
        }
        func argument(_ index: UInt64) -> UInt64? {
            metadata.arguments.flatMap { metadata.space.memory.word($0 &+ 8 * index) }
        }
        switch kind {
        case .classInstance:
            switch storage {
            case .array, .set: return isPlain(argument(0))
            case .dictionary: return isPlain(argument(0)) && isPlain(argument(1))
            case .string: return true
            case nil: return parts.allSatisfy { $0.steps.allSatisfy(\.isPlain) } && (elements == 0 || isPlain(elements))
            }
        case .local: return captures.allSatisfy { $0.allSatisfy(\.isPlain) }
        case .genericBox: return isPlain(metadata.space.memory.word(metadata.address + 16))
        case .error: return false
        case .task, .job: return true
        }
    }

    /// References to its objects are counted in a way that they can be compared with.
    var isCounted: Bool { kind != .task && kind != .job }

    /// What is asked for, for each of its objects; nil: something may lie behind it.
    var ownSize: UInt64? {
        guard storage == nil, elements == 0 else { return nil }
        return kind == .classInstance ? instanceSize : kind == .local && understoodTo == nil ? contextEnd : nil
    }

    /// Of the blocks that are made for nothing else.
    var largestBlock: UInt64 { ownSize.map { ObjectReferences.leastUsable($0) + 16 } ?? 0 }

    /// How many bytes of a block were asked for, as far as the type says.
    func requested(of usable: UInt64) -> UInt64 { usable <= largestBlock ? min(ownSize ?? usable, usable) : usable }

    // MARK: - Classes

    private func readClass(_ layouts: LayoutReader) {
        if let descriptor = metadata.descriptor, let name = descriptor.name, name.hasPrefix("_"),
            descriptor.module == "Swift"
        {
            switch name {
            case "_ContiguousArrayStorage": storage = .array
            case "_DictionaryStorage": storage = .dictionary
            case "_SetStorage": storage = .set
            case "__StringStorage": storage = .string
            default: break
            }
        }
        guard storage == nil else { return }
        var end = instanceSize
        var next: Metadata? = metadata
        for _ in 0..<64 {
            guard let type = next else { break }
            let above = type.superclass
            let start = above.map { UInt64($0.instanceSize) } ?? 16
            if elements == 0, let descriptor = type.descriptor, descriptor.isNamed("ManagedBuffer", in: "Swift") {
                elements = type.arguments.flatMap { type.space.memory.word($0 &+ 8) } ?? 0
            }
            let steps = fields(of: type, from: start, to: end, layouts)
            if !steps.isEmpty {
                parts.append(Part(steps: steps, declaredBy: type.address == metadata.address ? 0 : type.address))
            }
            end = start
            next = above
        }
    }

    private static func unknown(_ start: UInt64, _ end: UInt64, _ label: String = "") -> [LayoutStep] {
        end <= start ? [] : [LayoutStep(.unknown(extent: end - start), offset: start, path: label)]
    }

    /// - Parameter end: where the next subclass's properties begin, or the end of the instance.
    private func fields(of type: Metadata, from start: UInt64, to end: UInt64, _ layouts: LayoutReader) -> [LayoutStep]
    {
        let memory = type.space.memory
        guard let descriptor = type.descriptor, let declared = memory.u32(descriptor.address + 36), declared > 0 else {
            return []
        }
        guard let vector = descriptor.classFieldOffsets, let fields = descriptor.fields, fields.count == Int(declared),
            fields.count <= 1024, memory.has(type.address &+ vector, count: 8 * UInt64(declared))
        else { return Self.unknown(start, end) }
        let offsets = fields.indices.map { memory.word(type.address &+ vector + 8 * UInt64($0)) ?? 0 }
        let environment = GenericEnvironment(type)
        let isObservable = fields.contains { $0.name == "_$observationRegistrar" }
        var steps: [LayoutStep] = []
        var expected: UInt64?
        for (index, field) in fields.enumerated() {
            let offset = offsets[index]
            let next = offsets[(index + 1)...].first { $0 > offset } ?? end
            let layout = field.type == 0 ? .unknown : layouts.layout(ofField: field.type, environment)
            // An empty value may have any offset.
            if layout.isSized, layout.size == 0 { continue }
            guard offset >= 16, offset <= end else { return Self.unknown(start, end) }
            let name = FieldName.source(field.name[...], isObservable: isObservable)
            let first = steps.count
            let property = DeclaredProperty(field, in: memory, environment)
            // offset = the end of the field before, aligned, and the last field ends where the instance ends: a size that
            // parsing got wrong shows here.
            let aligned = expected.map { ($0 + layout.alignment - 1) & ~(layout.alignment - 1) }
            let fits =
                layout.isSized && offset % layout.alignment == 0 && next >= offset && layout.size <= next - offset
                && (aligned ?? offset) == offset && (next != end || offset + layout.size == end)
            if fits {
                let isParameter = MangledName.isParameter(at: field.type, of: descriptor)
                steps += layout.steps.map { $0.moved(by: offset, name, isNotWeak: isParameter, as: property) }
            } else {
                steps += Self.unknown(offset, next, name)
            }
            for step in steps[first...] { step.first = property.asFirst }
            expected = fits ? offset + layout.size : nil
        }
        return steps
    }

    // MARK: - Closure contexts

    /// A capture descriptor: how many types, metadata sources and bindings there are, then the types' mangled names.
    private func readCaptures(_ layouts: LayoutReader) {
        let memory = metadata.space.memory
        var offset: UInt64 = 16
        understoodTo = offset
        guard let descriptor = memory.word(metadata.address + 16), descriptor != 0,
            let count = memory.u32(descriptor), let bindings = memory.u32(descriptor + 8), count <= 256, bindings <= 256
        else { return }
        offset += 8 * UInt64(bindings)
        understoodTo = offset
        for index in 0..<UInt64(count) {
            guard let name = memory.relative(descriptor + 12 + 4 * index) else { return }
            let layout = layouts.layout(ofField: name, GenericEnvironment())
            guard layout.isSized else { return }
            offset = (offset + layout.alignment - 1) & ~(layout.alignment - 1)
            captures.append(layout.steps.map { $0.moved(by: offset, "", isNotWeak: false) })
            offset += layout.size
            understoodTo = offset
        }
        understoodTo = nil
        contextEnd = offset
        isBox = count == 1 && bindings == 0 && Self.isSingleReference(captures[0])
    }

    /// Of a context that is understood.
    private(set) var contextEnd: UInt64 = 16

    private static func isSingleReference(_ steps: [LayoutStep]) -> Bool {
        guard steps.count == 1 else { return false }
        switch steps[0].kind {
        case .reference: return true
        case .payload(_, let inner): return isSingleReference(inner)
        default: return false
        }
    }
}
