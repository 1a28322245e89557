import Foundation
import Testing

/// Reads a heap snapshot of V8 by what its `meta` says, as a viewer does.
struct V8Snapshot {
    struct Edge {
        var type: String
        /// The name, or the number of an element.
        var name: String
        var target: Int
    }

    struct Node {
        var type: String
        var name: String
        var id: Int
        var size: Int
        var trace: Int
        var edges: [Edge] = []
    }

    private(set) var nodes: [Node] = []
    /// By node of the trace tree: its functions, outermost first.
    private(set) var traces: [Int: [String]] = [:]
    /// By node of the trace tree: count and bytes.
    private(set) var traceTotals: [Int: [Int]] = [:]
    private let strings: [String]

    init(_ bytes: [UInt8]) throws {
        let file = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let head = try #require(file["snapshot"] as? [String: Any])
        let meta = try #require(head["meta"] as? [String: Any])
        strings = try #require(file["strings"] as? [String])
        let (nodeFields, nodeTypes) = try Self.columns(meta, "node")
        let (edgeFields, edgeTypes) = try Self.columns(meta, "edge")
        let (rows, edges) = (try Self.numbers(file, "nodes"), try Self.numbers(file, "edges"))
        let (width, edgeWidth) = (nodeFields.count, edgeFields.count)
        try #require(rows.count == (head["node_count"] as? Int ?? -1) * width)
        try #require(edges.count == (head["edge_count"] as? Int ?? -1) * edgeWidth)
        func column(_ name: String, _ fields: [String: Int]) throws -> Int { try #require(fields[name]) }
        let edgeCount = try column("edge_count", nodeFields)
        var next = 0
        for start in stride(from: 0, to: rows.count, by: width) {
            var node = Node(
                type: nodeTypes[rows[start + (try column("type", nodeFields))]],
                name: strings[rows[start + (try column("name", nodeFields))]],
                id: rows[start + (try column("id", nodeFields))],
                size: rows[start + (try column("self_size", nodeFields))],
                trace: rows[start + (try column("trace_node_id", nodeFields))])
            for _ in 0..<rows[start + edgeCount] {
                let type = edgeTypes[edges[next + (try column("type", edgeFields))]]
                let name = edges[next + (try column("name_or_index", edgeFields))]
                let target = edges[next + (try column("to_node", edgeFields))]
                try #require(target % width == 0 && target < rows.count)
                node.edges.append(
                    Edge(
                        type: type, name: ["element", "hidden"].contains(type) ? "\(name)" : strings[name],
                        target: target / width))
                next += edgeWidth
            }
            nodes.append(node)
        }
        try #require(next == edges.count)
        let functions = try Self.numbers(file, "trace_function_infos")
        try #require(functions.count == (head["trace_function_count"] as? Int ?? -1) * 6)
        readTraces(try #require(file["trace_tree"] as? [Any]), functions, path: [])
    }

    private static func columns(_ meta: [String: Any], _ kind: String) throws -> ([String: Int], [String]) {
        let fields = try #require(meta["\(kind)_fields"] as? [String])
        let types = try #require(meta["\(kind)_types"] as? [Any])
        try #require(types.count == fields.count)
        let numbers = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1, $0) })
        return (numbers, try #require(types[0] as? [String]))
    }

    private static func numbers(_ file: [String: Any], _ name: String) throws -> [Int] {
        try #require(file[name] as? [Int])
    }

    private mutating func readTraces(_ rows: [Any], _ functions: [Int], path: [String]) {
        for start in stride(from: 0, to: rows.count, by: 5) {
            guard let id = rows[start] as? Int, let function = rows[start + 1] as? Int,
                let children = rows[start + 4] as? [Any]
            else { continue }
            let own = path + [strings[functions[6 * function + 1]]]
            traces[id] = own
            traceTotals[id] = [rows[start + 2] as? Int ?? -1, rows[start + 3] as? Int ?? -1]
            readTraces(children, functions, path: own)
        }
    }

    /// Bytes that would be freed with a node: those that the root reaches only through it.
    func retained(_ node: Int) -> Int {
        let rest = reached(without: node)
        return reached(without: nil).subtracting(rest).reduce(0) { $0 + nodes[$1].size }
    }

    private func reached(without removed: Int?) -> Set<Int> {
        guard removed != 0 else { return [] }
        var reached: Set = [0]
        var next = [0]
        while let node = next.popLast() {
            for edge in nodes[node].edges
            where edge.type != "weak" && edge.target != removed && reached.insert(edge.target).inserted {
                next.append(edge.target)
            }
        }
        return reached
    }
}
