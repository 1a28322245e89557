import CTraceFormat

/// LEB128 numbers, one after the other.
struct VariableLengthNumbers {
    private let bytes: UnsafeRawBufferPointer
    private var at = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Nil at the end, and for a number of more than 64 bits.
    mutating func next() -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            guard shift < 63 || (shift == 63 && byte <= 1) else { return nil }
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }

    mutating func next32() -> UInt32? { next().flatMap { UInt32(exactly: $0) } }
}

extension RecordFields {
    func heapNodes() -> TraceRecord? {
        guard let raw = fixed(gp_heap_nodes.self) else { return nil }
        var numbers = VariableLengthNumbers(
            UnsafeRawBufferPointer(rebasing: bytes[MemoryLayout<gp_heap_nodes>.size...]))
        var record = HeapNodesRecord(first: ObjectID(raw.first), address: raw.address, rows: [], edges: [])
        // A row takes at least a byte.
        guard raw.rows <= bytes.count else { return nil }
        record.rows.reserveCapacity(Int(raw.rows))
        for _ in 0..<raw.rows {
            guard let row = Self.row(&numbers) else { return nil }
            for _ in 0..<row.edgeCount {
                guard let edge = Self.edge(&numbers) else { return nil }
                record.edges.append(edge)
            }
            record.rows.append(row)
        }
        return .heap(.nodes(record))
    }

    private static func row(_ numbers: inout VariableLengthNumbers) -> HeapNodeRow? {
        guard let head = numbers.next(), let edges = UInt32(exactly: head >> UInt64(GP_NODE_BITS)) else {
            return nil
        }
        let flags = HeapNodeRow.Flags(rawValue: UInt8(head & (1 << UInt64(GP_NODE_BITS) - 1)))
        if flags.contains(.more) { return HeapNodeRow(flags: flags, edgeCount: edges) }
        guard let distance = numbers.next(), let size = numbers.next(), let type = numbers.next32(),
            let stack = numbers.next32(), let strong = flags.contains(.swift) ? numbers.next32() : 0
        else { return nil }
        return HeapNodeRow(
            flags: flags, size: size, distance: distance, type: TypeID(type), stack: StackID(stack), strong: strong,
            edgeCount: edges)
    }

    private static func edge(_ numbers: inout VariableLengthNumbers) -> HeapNodeEdge? {
        guard let step = numbers.next(), let how = numbers.next(), let label = UInt32(exactly: how >> 3),
            let ownership = Ownership(rawValue: UInt8(how & 7))
        else { return nil }
        return HeapNodeEdge(
            step: Int64(bitPattern: step >> 1) ^ -Int64(bitPattern: step & 1), ownership: ownership, label: label)
    }

    func heapLabel() -> TraceRecord? {
        guard let raw = fixed(gp_heap_label.self), let kind = HeapReference.Kind(rawValue: raw.label_kind) else {
            return nil
        }
        return .heap(
            .label(
                HeapLabelRecord(
                    number: raw.label, kind: kind, function: raw.function, declaredType: TypeID(raw.declared_type),
                    path: text(after: gp_heap_label.self))))
    }
}
