import GameprofTrace

/// A reference that an object holds.
struct FoundReference {
    /// Address of a block, tag bits taken off.
    var target: UInt64
    /// Of the word in the object.
    var offset: UInt64
    var ownership: Ownership
    var kind: HeapReference.Kind
    var position: UInt32
    /// Code of the closure whose context this is, else 0.
    var function: UInt64
    /// Metadata of the superclass that declares the property; 0: the object's own class.
    var declaredBy: UInt64
    /// How the property is declared that its path begins with, and what holds the reference.
    var flags: HeapReference.Flags
    /// It would be strong if it is known that the value in which it stands is one, and not the remains of one.
    var isGuessed: Bool
    /// Of its label; nil: it has none.
    var step: LayoutStep?

    var path: String { step?.path ?? "" }
}

/// Follows the layout of objects through an image to the references that they hold.
struct ObjectReferences {
    private static let depthLimit = 32
    /// The bits of a stored reference that are an address.
    static let addressBits: UInt64 = 0x00ff_ffff_ffff_fff8

    let layouts: LayoutReader
    /// Nothing was met in the last object that may be a reference without being known.
    private(set) var isWhole = true
    private var visit: (FoundReference) -> Void = { _ in }

    private var object: UInt64 = 0
    private var size: UInt64 = 0
    private var kind = HeapReference.Kind.none
    private var position: UInt32 = 0
    private var declaredBy: UInt64 = 0
    private var isNotWeak = false
    /// The property that is followed.
    private var first: HeapReference.Flags = []
    private var isClassInExistential = false
    /// The values that are walked may be what is left of dead ones: no reference is sure.
    private var isGuessed = false
    private var depth = 0

    init(_ layouts: LayoutReader) { self.layouts = layouts }

    private var memory: MemoryImage { layouts.space.memory }

    /// Visits the references of an object: a collection may have millions. `size`: usable bytes of its block.
    mutating func read(_ object: UInt64, size: UInt64, _ type: ObjectType, _ visit: (FoundReference) -> Void) {
        withoutActuallyEscaping(visit) {
            self.visit = $0
            read(object, size: size, type)
            self.visit = { _ in }
        }
    }

    private mutating func read(_ object: UInt64, size: UInt64, _ type: ObjectType) {
        (self.object, self.size) = (object, size)
        (isWhole, isGuessed, isNotWeak, first) = (true, false, false, [])
        (declaredBy, position, depth) = (0, 0, 0)
        switch type.kind {
        case .classInstance: readClass(type)
        case .local: readContext(type)
        case .genericBox: readGenericBox(type)
        case .error: readError()
        case .task, .job:
            // Their allocators leave stale words behind, so no word is a sure reference.
            kind = .task
            readUnknown(from: 16, to: size, nil)
        }
    }

    // MARK: - Kinds of objects

    private mutating func readClass(_ type: ObjectType) {
        switch type.storage {
        case .array: return readArray(type)
        case .dictionary: return readDictionary(type)
        case .set: return readSet(type)
        case .string: return
        case nil: break
        }
        kind = .field
        for part in type.parts {
            declaredBy = part.declaredBy
            follow(part.steps, at: object)
        }
        declaredBy = 0
        first = []
        if type.elements != 0 {
            readBuffer(type)
        } else if hasTail(type, size: size) {
            kind = .element
            readUnknown(from: type.instanceSize, to: size, nil)
        }
    }

    /// What glibc's allocator hands out at least for a block of `size` bytes; at times it is 16 bytes more.
    static func leastUsable(_ size: UInt64) -> UInt64 { max((size + 8 + 15) & ~15, 32) - 8 }

    /// Whether a block has more room than instances need: something may lie behind this one.
    private func hasTail(_ type: ObjectType, size: UInt64) -> Bool {
        size >= (layouts.space.blocks.isExact ? type.instanceSize : Self.leastUsable(type.instanceSize) + 16) + 8
    }

    private func holds(_ start: UInt64, _ count: UInt64, _ stride: UInt64) -> Bool {
        let end = object + size
        return stride != 0 && start >= object && start <= end && count <= (end - start) / stride
    }

    private func aligned(_ offset: UInt64, _ layout: TypeLayout) -> UInt64 {
        let alignment = layout.isSized ? layout.alignment : 8
        return (offset + alignment - 1) & ~(alignment - 1)
    }

    private func argument(_ index: UInt64, of type: ObjectType) -> UInt64? {
        type.metadata.arguments.flatMap { memory.word($0 &+ 8 * index) }
    }

    private func stride(_ metadata: UInt64) -> UInt64 { Metadata(layouts.space, metadata)?.stride ?? 0 }

    /// Count, capacity, then the elements.
    private mutating func readArray(_ type: ObjectType) {
        kind = .element
        guard let element = argument(0, of: type), let count = memory.word(object + 16) else {
            return readUnknown(from: 32, to: size, nil)
        }
        let layout = layouts.layout(ofMetadata: element)
        let (stride, start) = (stride(element), object + aligned(32, layout))
        guard holds(start, count, stride) else { return readUnknown(from: 32, to: size, nil) }
        follow(layout, from: start, stride, count)
    }

    private mutating func follow(_ layout: TypeLayout, from start: UInt64, _ stride: UInt64, _ count: UInt64) {
        guard !layout.steps.isEmpty else { return }
        for index in 0..<count {
            position = UInt32(truncatingIfNeeded: index)
            follow(layout.steps, at: start + index * stride)
        }
    }

    /// ManagedBuffer: only the owner knows how many elements there are behind the header.
    private mutating func readBuffer(_ type: ObjectType) {
        let layout = layouts.layout(ofMetadata: type.elements)
        let stride = stride(type.elements)
        let isSized = layout.isSized && stride != 0
        let start = isSized ? aligned(type.instanceSize, layout) : (type.instanceSize + 7) & ~7
        guard start < size else { return }
        kind = .element
        guard isSized else { return readUnknown(from: start, to: size, nil) }
        isGuessed = true
        follow(layout, from: object + start, stride, (size - start) / stride)
        isGuessed = false
        isWhole = false
    }

    /// A bitmap of occupied buckets, then keys and values, or elements.
    private func buckets(bitmap: UInt64) -> UInt64? {
        guard let scale = memory.u8(object + 32), scale <= 40 else { return nil }
        let buckets: UInt64 = 1 << UInt64(scale)
        return bitmap + 8 * ((buckets + 63) / 64) <= size ? buckets : nil
    }

    private func isOccupied(_ bucket: UInt64, bitmap: UInt64) -> Bool {
        (memory.word(object + bitmap + 8 * (bucket / 64)) ?? 0) >> (bucket % 64) & 1 != 0
    }

    private mutating func readDictionary(_ type: ObjectType) {
        guard let key = argument(0, of: type), let value = argument(1, of: type), let buckets = buckets(bitmap: 64),
            let keys = memory.word(object + 48), let values = memory.word(object + 56)
        else { return readUnknown(from: 48, to: size, nil) }
        let (keyStride, valueStride) = (stride(key), stride(value))
        guard holds(keys, buckets, keyStride), holds(values, buckets, valueStride) else {
            return readUnknown(from: 64, to: size, nil)
        }
        let (keySteps, valueSteps) = (layouts.layout(ofMetadata: key).steps, layouts.layout(ofMetadata: value).steps)
        guard !keySteps.isEmpty || !valueSteps.isEmpty else { return }
        for bucket in 0..<buckets where isOccupied(bucket, bitmap: 64) {
            position = UInt32(truncatingIfNeeded: bucket)
            kind = .key
            follow(keySteps, at: keys + bucket * keyStride)
            kind = .value
            follow(valueSteps, at: values + bucket * valueStride)
        }
    }

    private mutating func readSet(_ type: ObjectType) {
        kind = .element
        guard let element = argument(0, of: type), let buckets = buckets(bitmap: 56),
            let elements = memory.word(object + 48)
        else { return readUnknown(from: 48, to: size, nil) }
        let stride = stride(element)
        guard holds(elements, buckets, stride) else { return readUnknown(from: 48, to: size, nil) }
        let steps = layouts.layout(ofMetadata: element).steps
        guard !steps.isEmpty else { return }
        for bucket in 0..<buckets where isOccupied(bucket, bitmap: 56) {
            position = UInt32(truncatingIfNeeded: bucket)
            follow(steps, at: elements + bucket * stride)
        }
    }

    private mutating func readContext(_ type: ObjectType) {
        kind = type.isBox ? .box : .capture
        let end = type.understoodTo ?? type.contextEnd
        guard end <= size else {
            kind = .capture
            return readUnknown(from: 16, to: size, nil)
        }
        for steps in type.captures {
            follow(steps, at: object)
            position += 1
        }
        let isExact = type.understoodTo == nil && size <= Self.leastUsable(end) + 16
        if !isExact { readUnknown(from: end, to: size, nil) }
    }

    /// A box of one value whose type its metadata names.
    private mutating func readGenericBox(_ type: ObjectType) {
        let (offset, value) = (memory.u32(type.metadata.address + 8), memory.word(type.metadata.address + 16))
        readBox(value ?? 0, at: UInt64(offset ?? 16), else: 16)
    }

    private mutating func readError() {
        let type = memory.word(object + 16) ?? 0
        readBox(type, at: aligned(32, layouts.layout(ofMetadata: type)), else: 16)
    }

    private mutating func readBox(_ type: UInt64, at offset: UInt64, else unknown: UInt64) {
        kind = .box
        let layout = layouts.layout(ofMetadata: type)
        guard layout.isSized, offset + layout.size <= size else { return readUnknown(from: unknown, to: size, nil) }
        follow(layout.steps, at: object + offset)
    }

    // MARK: - Steps

    private mutating func report(
        _ target: UInt64, at address: UInt64, _ ownership: Ownership, _ step: LayoutStep?, function: UInt64 = 0
    ) {
        let isGuessed = isGuessed && ownership == .strong
        var flags = first
        if step?.isNotWeak ?? isNotWeak { flags.insert(.notWeak) }
        if isClassInExistential { flags.insert(.classInExistential) }
        visit(
            FoundReference(
                target: target, offset: address - object, ownership: isGuessed ? .conservative : ownership, kind: kind,
                position: position, function: function, declaredBy: declaredBy,
                flags: flags, isGuessed: isGuessed, step: step))
    }

    /// Words that may be anything, from one offset in the object to another.
    private mutating func readUnknown(from start: UInt64, to end: UInt64, _ step: LayoutStep?) {
        isWhole = false
        var at = object + (start + 7) & ~7
        let limit = object + min(end, size)
        while at + 8 <= limit {
            if let word = memory.word(at) {
                let target = word & Self.addressBits
                if target >= 65536, target <= memory.userBits { report(target, at: at, .conservative, step) }
            }
            at += 8
        }
    }

    private mutating func follow(_ steps: [LayoutStep], at address: UInt64) {
        guard depth < Self.depthLimit else {
            isWhole = false
            return
        }
        depth += 1
        for step in steps {
            let at = address &+ step.offset
            if depth == 1 { first = step.first }
            // Damaged metadata may lead out of the object.
            guard at >= object, at < object + size else {
                isWhole = false
                continue
            }
            switch step.kind {
            case .reference(let ownership, let encoding): followReference(ownership, encoding, at, step)
            case .function: followFunction(at, step)
            case .existential(let hasProtocol): followExistential(at, step, hasProtocol: hasProtocol)
            case .unknown(let extent):
                let start = at - object
                readUnknown(from: start, to: extent == 0 ? size : start + min(extent, size - start), step)
            case .payload(let none, let steps): if !isOne(of: none, at) { follow(steps, at: at) }
            case .cases(let cases): followCase(of: cases, at)
            }
        }
        depth -= 1
    }

    private mutating func followReference(
        _ ownership: Ownership, _ encoding: LayoutStep.Encoding, _ at: UInt64, _ step: LayoutStep
    ) {
        guard let word = memory.word(at) else { return }
        let target = word & Self.addressBits
        guard target >= TypeLayout.leastPointer else { return }
        switch encoding {
        case .weak:
            // A side table begins with the address of its object, and is kept by who refers to it weakly.
            if let object = memory.word(target) { report(object, at: at, .weak, step) }
            report(target, at: at, .conservative, nil)
        case .bridge where word >> 63 != 0: return
        case .plain, .bridge: report(target, at: at, ownership, step)
        }
    }

    private mutating func followFunction(_ at: UInt64, _ step: LayoutStep) {
        guard let code = memory.word(at), let word = memory.word(at + 8) else { return }
        let (function, target) = (code & 0x00ff_ffff_ffff_ffff, word & Self.addressBits)
        guard function >= TypeLayout.leastPointer, target >= TypeLayout.leastPointer else { return }
        report(target, at: at + 8, .strong, step, function: entryPoint(function))
    }

    /// The code of an asynchronous function stands where its function pointer says, relative to itself.
    private func entryPoint(_ function: UInt64) -> UInt64 {
        let images = layouts.space.images
        guard !images.isExecutable(function), let code = memory.relative(function), images.isExecutable(code) else {
            return function
        }
        return code
    }

    private mutating func followExistential(_ at: UInt64, _ step: LayoutStep, hasProtocol: Bool) {
        guard let type = memory.word(at + 24), type >= TypeLayout.leastPointer else { return }
        let start = at - object
        guard let metadata = Metadata(layouts.space, type) else {
            return readUnknown(from: start, to: start + 24, step)
        }
        if metadata.kind != .classType {
            guard let witnesses = metadata.witnesses else { return readUnknown(from: start, to: start + 24, step) }
            if !witnesses.isInline {
                return report((memory.word(at) ?? 0) & Self.addressBits, at: at, .strong, step)
            }
        }
        let steps =
            step.values[type]
            ?? layouts.layout(ofMetadata: type).steps.map {
                $0.moved(by: 0, step.path, isNotWeak: true, as: step.last)
            }
        step.values[type] = steps
        let outer = (isNotWeak, isClassInExistential)
        (isNotWeak, isClassInExistential) = (true, hasProtocol && metadata.kind == .classType)
        follow(steps, at: at)
        (isNotWeak, isClassInExistential) = outer
    }

    private func value(_ at: UInt64, _ width: UInt64) -> UInt64 {
        (0..<min(width, 8)).reduce(0) { $0 | UInt64(memory.u8(at + $1) ?? 0) << (8 * $1) }
    }

    private func isOne(of none: ExtraInhabitants, _ at: UInt64) -> Bool {
        guard none.width != 0 else { return false }
        var value = value(at + none.offset, none.width)
        if none.bits != 0, none.bits < 64 { value &= 1 << none.bits - 1 }
        return value &- none.first < none.count
    }

    private mutating func followCase(of cases: LayoutStep.EnumCases, _ at: UInt64) {
        var tag: UInt64 = 0
        var bits: UInt64 = 0
        for (index, mask) in cases.mask.enumerated() where mask != 0 {
            let byte = memory.u8(at + UInt64(index)) ?? 0
            for bit in 0..<UInt8(8) where mask >> bit & 1 != 0 && bits < 64 {
                tag |= UInt64(byte >> bit & 1) << bits
                bits += 1
            }
        }
        if cases.tagBytes != 0, bits < 64 {
            let extra = value(at + cases.extent, cases.tagBytes)
            tag |= (cases.tagBits < 64 ? extra & (1 << cases.tagBits - 1) : extra) << bits
        }
        if tag < UInt64(cases.steps.count) { follow(cases.steps[Int(tag)], at: at) }
    }
}
