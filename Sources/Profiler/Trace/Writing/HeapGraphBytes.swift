import CTraceFormat

/// The bytes of the graph of all live blocks.
extension RecordBytes {
    static func graph(_ record: HeapNodesRecord) -> [UInt8] {
        var raw = gp_heap_nodes()
        raw.first = record.first.rawValue
        raw.rows = UInt32(record.rows.count)
        raw.address = record.address
        var tail: [UInt8] = []
        var edges = record.edges[...]
        for row in record.rows {
            put(UInt64(row.flags.rawValue) | UInt64(row.edgeCount) << UInt64(GP_NODE_BITS), &tail)
            if !row.flags.contains(.more) {
                put(row.distance, &tail)
                put(row.size, &tail)
                put(UInt64(row.type.rawValue), &tail)
                put(UInt64(row.stack.rawValue), &tail)
                if row.flags.contains(.swift) { put(UInt64(row.strong), &tail) }
            }
            for edge in edges.prefix(Int(row.edgeCount)) {
                put(UInt64(bitPattern: edge.step << 1 ^ edge.step >> 63), &tail)
                put(UInt64(edge.label) << 3 | UInt64(edge.ownership.rawValue), &tail)
            }
            edges = edges.dropFirst(Int(row.edgeCount))
        }
        return join(GP_HEAP_NODES, raw, bytes: tail)
    }

    static func graph(_ record: HeapLabelRecord) -> [UInt8] {
        var raw = gp_heap_label()
        raw.label = record.number
        raw.label_kind = record.kind.rawValue
        raw.function = record.function
        raw.declared_type = record.declaredType.rawValue
        return join(GP_HEAP_LABEL, raw, record.path)
    }

    private static func put(_ number: UInt64, _ bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
