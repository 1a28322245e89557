import GameprofTrace

/// How long an object is where its allocator does not say it.
extension ObjectType {
    /// As far as the type says it: the object may be longer.
    /// - Parameter room: bytes from its start that it may have.
    func length(of object: UInt64, within room: UInt64) -> UInt64 {
        if let storage { return length(of: object, within: room, storage) }
        let memory = metadata.space.memory
        switch kind {
        case .classInstance: return instanceSize
        case .local: return understoodTo ?? contextEnd
        case .genericBox:
            let offset = UInt64(memory.u32(metadata.address + 8) ?? 16)
            let value = type(at: metadata.address + 16)
            return end(of: value, from: object + offset, count: 1, in: object, room) ?? 16
        case .error:
            let value = type(at: object + 16)
            return end(of: value, from: object + Self.first(of: value), count: 1, in: object, room) ?? 32
        case .task, .job: return AsyncTask.leastSize(memory)
        }
    }

    private func length(of object: UInt64, within room: UInt64, _ storage: Storage) -> UInt64 {
        let memory = metadata.space.memory
        func word(_ offset: UInt64) -> UInt64 { memory.word(object + offset) ?? 0 }
        func argument(_ index: UInt64) -> Metadata? { metadata.arguments.flatMap { type(at: $0 &+ 8 * index) } }
        /// Keys, values or elements of a hash table.
        func buckets(of values: Metadata?, at offset: UInt64) -> UInt64 {
            let scale = min(memory.u8(object + 32) ?? 0, 40)
            return end(of: values, from: word(offset), count: 1 << UInt64(scale), in: object, room) ?? 0
        }
        switch storage {
        case .array:
            let first = object + firstElement
            return end(of: argument(0), from: first, count: word(24) >> 1, in: object, room) ?? max(instanceSize, 32)
        case .dictionary: return max(instanceSize, buckets(of: argument(0), at: 48), buckets(of: argument(1), at: 56))
        case .set: return max(instanceSize, buckets(of: argument(0), at: 48))
        case .string:
            // With the NUL.
            let capacity = word(16) & 0xffff_ffff_ffff
            return capacity < room ? 32 + capacity : 32
        }
    }

    /// Where the elements of an array's storage begin.
    var firstElement: UInt64 { Self.first(of: metadata.arguments.flatMap { type(at: $0) }) }

    /// Bytes from one element of an array's storage to the next; 0: not known.
    var elementStride: UInt64 { metadata.arguments.flatMap { type(at: $0)?.stride } ?? 0 }

    private func type(at place: UInt64) -> Metadata? {
        metadata.space.memory.word(place).flatMap { Metadata(metadata.space, $0) }
    }

    /// Where values begin behind four words.
    private static func first(of values: Metadata?) -> UInt64 {
        let alignment = UInt64(values?.witnesses?.alignment ?? 8)
        return (32 + alignment - 1) & ~(alignment - 1)
    }

    /// Bytes of the object up to the end of as many values from an address on; nil: they do not fit.
    private func end(
        of values: Metadata?, from start: UInt64, count: UInt64, in object: UInt64, _ room: UInt64
    ) -> UInt64? {
        guard let stride = values?.stride, start >= object, start - object <= room,
            count <= (room - (start - object)) / max(stride, 1)
        else { return nil }
        return start - object + count * stride
    }
}
