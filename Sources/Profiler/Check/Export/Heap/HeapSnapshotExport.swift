import Foundation
import GameprofAnalysis
import GameprofTrace

/// The heap snapshot of V8: flat arrays of numbers and a table of strings in JSON.
///
/// References that keep nothing alive are weak edges, so that a viewer's dominators are those of the report. Blocks that no
/// root reaches hang below a node of their own. A block's number comes from its address: two snapshots of one process
/// can be compared.
public struct HeapSnapshotExport {
    private enum NodeType: UInt64 {
        case object = 3
        case native = 8
        case synthetic = 9
    }

    private enum EdgeType: UInt64 { case context, element, property, `internal`, hidden, shortcut, weak }

    private static let nodeFields = ["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"]
    private static let nodeTypes = [
        "hidden", "array", "string", "object", "code", "closure", "regexp", "number", "native", "synthetic",
        "concatenated string", "sliced string", "symbol", "bigint", "object shape",
    ]
    private static let edgeTypes = ["context", "element", "property", "internal", "hidden", "shortcut", "weak"]

    private let dump: HeapDump
    private let out: ExportStream
    private let groups: [Group]
    private var strings = StringNumbers()
    private var needsComma = false

    private struct Group {
        var name: String
        /// Blocks and what a report calls the root.
        var members: [(block: Int, name: String)]
    }

    public static func write(_ dump: HeapDump, to out: ExportStream) throws {
        var export = HeapSnapshotExport(dump, out)
        try export.write()
        try out.finish()
    }

    private init(_ dump: HeapDump, _ out: ExportStream) {
        self.dump = dump
        self.out = out
        var groups = HeapRoot.Kind.inOrder.map { kind in
            Group(
                name: "(\(kind.plural))",
                members: dump.roots.filter { $0.kind == kind && $0.holds }.map { ($0.block, $0.name) })
        }
        let unreachable = (0..<dump.count).filter { !dump.isHeld($0) }
        groups.append(Group(name: "(unreachable)", members: unreachable.map { ($0, "") }))
        self.groups = groups.filter { !$0.members.isEmpty }
    }

    private mutating func write() throws {
        let traces = TraceTree(dump)
        try writeHead(functions: traces.functions.count)
        try writeNodes(traces)
        try writeEdges()
        try writeFunctions(traces)
        try writeTree(traces)
        try out.put("\"samples\":[],\n\"locations\":[],\n\"strings\":[")
        for (index, text) in strings.texts.enumerated() {
            if index > 0 { try out.put(",\n") }
            try out.put(JSONText.quoted(text))
        }
        try out.put("]}\n")
    }

    private func writeHead(functions: Int) throws {
        let edges = groups.reduce(groups.count) { $0 + $1.members.count } + dump.heap.targets.count
        func list(_ words: [String]) -> String { "[" + words.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
        let numbers = Array(repeating: "\"number\"", count: Self.nodeFields.count - 2).joined(separator: ",")
        try out.put(
            "{\"snapshot\":{\"meta\":{\"node_fields\":\(list(Self.nodeFields)),"
                + "\"node_types\":[\(list(Self.nodeTypes)),\"string\",\(numbers)],"
                + "\"edge_fields\":[\"type\",\"name_or_index\",\"to_node\"],"
                + "\"edge_types\":[\(list(Self.edgeTypes)),\"string_or_number\",\"node\"],"
                + "\"trace_function_info_fields\":"
                + "[\"function_id\",\"name\",\"script_name\",\"script_id\",\"line\",\"column\"],"
                + "\"trace_node_fields\":[\"id\",\"function_info_index\",\"count\",\"size\",\"children\"],"
                + "\"sample_fields\":[\"timestamp_us\",\"last_assigned_id\"],"
                + "\"location_fields\":[\"object_index\",\"script_id\",\"line\",\"column\"]},"
                + "\"node_count\":\(1 + groups.count + dump.count),\"edge_count\":\(edges),"
                + "\"trace_function_count\":\(functions)},\n")
    }

    // MARK: - Nodes

    private mutating func writeNodes(_ traces: TraceTree) throws {
        let types = dump.typeNames.map { strings.number(of: $0) }
        let numbers = SnapshotNumbers(dump.heap.addresses)
        try out.put("\"nodes\":[")
        try row(.synthetic, strings.number(of: ""), id: 1, size: 0, edges: groups.count, trace: 0)
        for (index, group) in groups.enumerated() {
            try row(
                .synthetic, strings.number(of: group.name), id: UInt64(3 + 2 * index), size: 0,
                edges: group.members.count, trace: 0)
        }
        for block in 0..<dump.count {
            let type: NodeType = dump.heap.types[block].isNone ? .native : .object
            try row(
                type, types[dump.type(of: block)], id: numbers[block], size: dump.heap.sizes[block],
                edges: dump.heap.references(of: block).count,
                trace: traces.node(of: dump.heap.stacks[block]))
        }
        try out.put("],\n")
        needsComma = false
    }

    private mutating func row(
        _ type: NodeType, _ name: Int, id: UInt64, size: UInt64, edges: Int, trace: Int
    ) throws {
        try put(type.rawValue, UInt64(name), id, size, UInt64(edges), UInt64(trace), 0)
    }

    /// A row of numbers on a line of its own.
    private mutating func put(_ numbers: UInt64...) throws {
        for (index, number) in numbers.enumerated() {
            if index > 0 || needsComma { try out.put(UInt8(ascii: ",")) }
            try out.put(decimal: number)
        }
        try out.put(UInt8(ascii: "\n"))
        needsComma = true
    }

    // MARK: - Edges

    private mutating func writeEdges() throws {
        let width = UInt64(Self.nodeFields.count)
        let first = UInt64(1 + groups.count)
        let labels = dump.labels.map { strings.number(of: $0) }
        try out.put("\"edges\":[")
        for index in groups.indices { try put(EdgeType.element.rawValue, UInt64(index + 1), UInt64(index + 1) * width) }
        for group in groups {
            for (index, member) in group.members.enumerated() {
                let target = (first + UInt64(member.block)) * width
                if member.name.isEmpty {
                    try put(EdgeType.element.rawValue, UInt64(index), target)
                } else {
                    try put(EdgeType.internal.rawValue, UInt64(strings.number(of: member.name)), target)
                }
            }
        }
        for block in 0..<dump.count {
            let references = dump.heap.references(of: block)
            for reference in references {
                let label = Int(dump.heap.label(of: reference))
                let type = edgeType(of: reference)
                let isElement = type == .element
                try put(
                    type.rawValue,
                    isElement ? UInt64(reference - references.lowerBound) : UInt64(labels[label]),
                    (first + UInt64(dump.heap.targets[reference])) * width)
            }
        }
        try out.put("],\n")
        needsComma = false
    }

    private func edgeType(of reference: Int) -> EdgeType {
        if !dump.holds(reference) { return .weak }
        if dump.label(of: reference).isEmpty { return .element }
        switch dump.kind(of: reference) {
        case .capture: return .context
        case .none, .raw: return .internal
        case .field, .element, .key, .value, .box, .task: return .property
        }
    }

    // MARK: - Allocation stacks

    private mutating func writeFunctions(_ traces: TraceTree) throws {
        try out.put("\"trace_function_infos\":[")
        for (index, function) in traces.functions.enumerated() {
            let name = strings.number(of: function.function)
            // Without a file the module says where it is.
            let script = strings.number(of: function.file.isEmpty ? function.module : function.file)
            try put(
                UInt64(index), UInt64(name), UInt64(script), 0, UInt64(clamping: function.line), 0)
        }
        try out.put("],\n")
        needsComma = false
    }

    /// `id, function, count, bytes, [children]`, one child behind the other.
    private func writeTree(_ traces: TraceTree) throws {
        func open(_ node: Int) throws {
            let row = traces.nodes[node]
            try out.put("\(node + 1),\(row.function),\(row.count),\(row.bytes),[")
        }
        try out.put("\"trace_tree\":[")
        var path = [(node: 0, next: 0)]
        try open(0)
        while let (node, next) = path.last {
            let children = traces.nodes[node].children
            guard next < children.count else {
                try out.put("]")
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            if next > 0 { try out.put(",") }
            try open(children[next])
            path.append((children[next], 0))
        }
        try out.put("],\n")
    }
}
