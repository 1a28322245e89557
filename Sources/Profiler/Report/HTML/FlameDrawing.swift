import GameprofBasics

/// The icicle graph as a drawing: what the page shows before its script runs, on paper, and without scripts.
struct FlameDrawing {
    private static let width = 1000.0
    private static let row = 18.0
    /// Boxes narrower than this are not drawn.
    private static let least = 2.0
    private static let depthLimit = 60

    private let boxes: [[String: Any]]
    private let rows: Int
    private let title: String

    /// Draws the first choice of threads.
    init(_ data: FlameData, title: String? = nil) {
        let starts = Set((data.roots.first?.value ?? "").split(separator: ",").compactMap { Int($0) })
        let total = max(1, starts.reduce(0) { $0 + data.nodes[$1][2] })
        let measure = data.isComparison ? "Change" : data.measures.first?.name ?? "Time"
        self.title = title ?? "\(measure) by stacks: every box is a function, its callers above it"
        var merged = MergedTree()
        merged.add(data.nodes, below: starts, isCompared: data.isComparison)
        var boxes: [[String: Any]] = []
        var deepest = 0
        func draw(_ node: Int, x: Double, level: Int) {
            guard merged.nodes[node].time > 0 else { return }
            let width = Double(merged.nodes[node].time) / Double(total) * Self.width
            guard width >= Self.least, level < Self.depthLimit else { return }
            deepest = max(deepest, level)
            let y = Double(level) * Self.row
            boxes.append(Self.box(merged.nodes[node], x: x, y: y, width: width, total: total, data: data))
            var x = x
            for child in merged.nodes[node].children.sorted(by: { merged.nodes[$1].time < merged.nodes[$0].time }) {
                draw(child, x: x, level: level + 1)
                x += Double(merged.nodes[child].time) / Double(total) * Self.width
            }
        }
        draw(0, x: 0, level: 0)
        self.boxes = boxes
        rows = deepest + 1
    }

    var values: [String: Any] {
        [
            "width": NumberFormat.fixed(Self.width, 0), "height": NumberFormat.fixed(Double(rows) * Self.row, 0),
            "title": title,
            "boxes": boxes,
        ]
    }

    private static func box(
        _ node: MergedTree.Node, x: Double, y: Double, width: Double, total: Int, data: FlameData
    ) -> [String: Any] {
        let name = node.function < 0 ? "all" : data.name(node.function)
        let room = Int((width - 6) / 7.3)
        // The same as in the page's script: the share of what changed, of the larger of both.
        let change = node.change.map { Double($0) / (Double(max(node.time, 1)) + Double($0.magnitude) / 2) }
        let kind = change.map { $0 > 0 ? "grew" : "shrank" } ?? data.origin(node.function)
        return [
            "origin": node.function < 0 ? "root" : kind,
            "by": optional(change.map { NumberFormat.fixed(100 * $0.magnitude, 0) }),
            "full": "\(name): \(NumberFormat.fixed(100 * Double(node.time) / Double(total), 1)) %",
            "x": NumberFormat.fixed(x, 1), "y": NumberFormat.fixed(y, 0), "width": NumberFormat.fixed(width, 1),
            "height": NumberFormat.fixed(row - 1, 0), "label": optional(room >= 3 ? TextTable.cut(name, room) : nil),
            "textX": NumberFormat.fixed(x + 3, 1), "textY": NumberFormat.fixed(y + 13, 0),
        ]
    }

    /// The trees of several threads as one.
    private struct MergedTree {
        struct Node {
            var function: Int
            var time: Int
            /// None: nothing is compared.
            var change: Int?
            var children: [Int] = []
        }

        var nodes = [Node(function: -1, time: 0)]

        mutating func add(_ given: [[Int]], below starts: Set<Int>, isCompared: Bool) {
            var places = [Int](repeating: -1, count: given.count)
            var known: [[Int]: Int] = [:]
            for (index, node) in given.enumerated() {
                if node[0] < 0 {
                    guard starts.contains(index) else { continue }
                    places[index] = 0
                } else {
                    guard places[node[0]] >= 0 else { continue }
                    places[index] = child(of: places[node[0]], node[1], &known)
                }
                nodes[places[index]].time += node[2]
                if isCompared { nodes[places[index]].change = (nodes[places[index]].change ?? 0) + node[3] }
            }
        }

        private mutating func child(of parent: Int, _ function: Int, _ known: inout [[Int]: Int]) -> Int {
            if let found = known[[parent, function]] { return found }
            nodes.append(Node(function: function, time: 0))
            nodes[parent].children.append(nodes.count - 1)
            known[[parent, function]] = nodes.count - 1
            return nodes.count - 1
        }
    }
}
