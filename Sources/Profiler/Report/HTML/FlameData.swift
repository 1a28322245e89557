import Foundation
import GameprofAnalysis
import GameprofBasics

/// The call trees as the page's script reads them. A function that calls itself directly stands once: a recursion would be
/// as tall as it is deep.
struct FlameData {
    /// A choice of threads: the indices of their roots, joined by commas.
    struct Root: Hashable {
        var value: String
        var label: String
        var unit = ComparisonReport.Unit.nanoseconds
    }

    /// A column of the nodes that can be chosen.
    struct Measure: Hashable {
        var name: String
        /// `bytes` or `count`.
        var unit: String
    }

    /// `[caller, function, weight …]`, callers first; −1: a root. Of a comparison `[caller, function, weight, change]`,
    /// with the mean of both weights. A weight is in microseconds or bytes, or a count.
    let nodes: [[Int]]
    let functions: [Report.Hotspots.CallTree.Function]
    let roots: [Root]
    /// Empty: the nodes have one weight.
    let measures: [Measure]
    let isComparison: Bool
    let moments: Report.Hotspots.CallTree.Moments
    /// Nodes that were left out.
    let omitted: Int
    private let textLength: Int

    /// Keeps the largest nodes of the trees of one kind.
    init(
        _ tree: Report.Hotspots.CallTree, kind: String, measures: [Measure] = [], nodeLimit: Int, momentLimit: Int = 0,
        textLength: Int
    ) {
        let own = Self.below(tree.roots.filter { $0.kind == kind }.map(\.node), of: tree.nodes)
        let flat = Self.withoutRecursion(own.nodes)
        let kept = Self.largest(nodeLimit, of: flat.nodes, columns: max(1, measures.count))
        let places = own.places.map { $0 < 0 ? -1 : kept.places[flat.places[$0]] }
        nodes = kept.nodes
        functions = tree.functions
        self.measures = measures
        isComparison = false
        omitted = tree.omitted + flat.nodes.count - kept.nodes.count
        self.textLength = textLength
        roots = Self.roots(of: tree, kind: kind, places)
        moments = Self.coarse(tree.moments, places, limit: momentLimit)
    }

    /// The trees of a comparison, each a choice of its own. Keeps the largest nodes of each.
    init(
        _ compared: [(tree: ComparisonReport.Tree, label: String, unit: ComparisonReport.Unit)], nodeLimit: Int,
        textLength: Int
    ) {
        var nodes: [[Int]] = []
        var functions: [Report.Hotspots.CallTree.Function] = []
        var roots: [Root] = []
        var omitted = 0
        for (tree, label, unit) in compared {
            let scale: UInt64 = unit == .nanoseconds ? 1000 : 1
            let all = tree.nodes.map { node in
                [
                    node.parent, node.function < 0 ? -1 : node.function + functions.count,
                    Int(clamping: node.width / scale), Int(clamping: node.weight.difference / Int64(scale)),
                ]
            }
            let flat = Self.withoutRecursion(all).nodes
            let kept = Self.largest(nodeLimit / compared.count, of: flat, columns: 1).nodes
            roots.append(Root(value: "\(nodes.count)", label: label, unit: unit))
            let start = nodes.count
            nodes += kept.map { [$0[0] < 0 ? -1 : $0[0] + start, $0[1], $0[2], $0[3]] }
            functions += tree.functions
            omitted += flat.count - kept.count
        }
        self.nodes = nodes
        self.functions = functions
        self.roots = roots
        self.omitted = omitted
        self.textLength = textLength
        measures = []
        isComparison = true
        moments = Report.Hotspots.CallTree.Moments()
    }

    /// The nodes that stand below the given roots, and the new place of each (−1: left out).
    private static func below(_ roots: [Int], of nodes: [[Int]]) -> (nodes: [[Int]], places: [Int]) {
        let roots = Set(roots)
        var places = [Int](repeating: -1, count: nodes.count)
        var kept: [[Int]] = []
        for (index, node) in nodes.enumerated() where node.count >= 3 {
            let isRoot = node[0] < 0
            guard isRoot ? roots.contains(index) : places.indices.contains(node[0]) && places[node[0]] >= 0 else {
                continue
            }
            places[index] = kept.count
            kept.append([isRoot ? -1 : places[node[0]]] + node.dropFirst())
        }
        return (kept, places)
    }

    /// The nodes but for those that call themselves, whose callees are their caller's, and the new place of each.
    private static func withoutRecursion(_ nodes: [[Int]]) -> (nodes: [[Int]], places: [Int]) {
        var places = [Int](repeating: -1, count: nodes.count)
        var flat: [[Int]] = []
        for (index, node) in nodes.enumerated() where node.count >= 3 {
            guard node[0] >= 0 else {
                places[index] = flat.count
                flat.append(node)
                continue
            }
            guard places.indices.contains(node[0]), places[node[0]] >= 0 else { continue }
            let caller = places[node[0]]
            if flat[caller][0] >= 0, flat[caller][1] == node[1] {
                places[index] = caller
            } else {
                places[index] = flat.count
                flat.append([caller] + node.dropFirst())
            }
        }
        return (flat, places)
    }

    /// The nodes with the most weight in one of the columns, and the new place of each: of one that is left out its
    /// caller's. No node is larger than its caller.
    private static func largest(_ limit: Int, of nodes: [[Int]], columns: Int) -> (nodes: [[Int]], places: [Int]) {
        var totals = [Double](repeating: 1, count: columns)
        for node in nodes where node.count >= 3 && node[0] < 0 {
            for column in 0..<min(columns, node.count - 2) { totals[column] += Double(node[2 + column]) }
        }
        let sizes = nodes.map { node in
            (0..<min(columns, node.count - 2)).map { Double(node[2 + $0]) / totals[$0] }.max() ?? 0
        }
        let sorted = nodes.indices.filter { nodes[$0][0] >= 0 }.map { sizes[$0] }.sorted(by: >)
        let least = sorted.count > limit ? sorted[limit] : 0
        var places = [Int](repeating: -1, count: nodes.count)
        var isKept = [Bool](repeating: false, count: nodes.count)
        var kept: [[Int]] = []
        for (index, node) in nodes.enumerated() {
            let isRoot = node[0] < 0
            guard isRoot || (sizes[index] > least && isKept[node[0]]) else {
                places[index] = places[node[0]]
                continue
            }
            (places[index], isKept[index]) = (kept.count, true)
            kept.append([isRoot ? -1 : places[node[0]]] + node.dropFirst())
        }
        return (kept, places)
    }

    /// The weights of the nodes that are left, in parts that become twice as long until there are few enough.
    static func coarse(
        _ moments: Report.Hotspots.CallTree.Moments, _ places: [Int], limit: Int
    ) -> Report.Hotspots.CallTree.Moments {
        guard limit > 0, moments.seconds > 0 else { return .init() }
        var result = moments
        result.entries = moments.entries.compactMap { entry in
            guard entry.count >= 3, places.indices.contains(entry[0]), places[entry[0]] >= 0 else { return nil }
            return [places[entry[0]]] + entry.dropFirst()
        }
        result.entries = joined(result.entries)
        while result.entries.count > limit, result.entries.contains(where: { $0[1] > 0 }) {
            result.seconds *= 2
            result.entries = joined(result.entries.map { [$0[0], $0[1] / 2] + $0.dropFirst(2) })
        }
        return result.entries.count > limit ? .init() : result
    }

    private static func joined(_ entries: [[Int]]) -> [[Int]] {
        var known: [[Int]: Int] = [:]
        var result: [[Int]] = []
        for entry in entries {
            let key = Array(entry.prefix(2))
            if let index = known[key] {
                for column in 2..<entry.count { result[index][column] = result[index][column] &+ entry[column] }
            } else {
                known[key] = result.count
                result.append(entry)
            }
        }
        return result
    }

    /// All threads together, then each by itself.
    private static func roots(of tree: Report.Hotspots.CallTree, kind: String, _ places: [Int]) -> [Root] {
        let own = tree.roots.filter { $0.kind == kind && places.indices.contains($0.node) && places[$0.node] >= 0 }
        let each = own.map { Root(value: "\(places[$0.node])", label: $0.thread) }
        return own.count < 2
            ? each : [Root(value: each.map(\.value).joined(separator: ","), label: "all threads")] + each
    }

    func name(_ function: Int) -> String {
        functions.indices.contains(function)
            ? PageText.clean(FunctionName.display(functions[function].name), limit: textLength) : "?"
    }

    func origin(_ function: Int) -> String {
        functions.indices.contains(function) ? functions[function].origin.rawValue : "library"
    }

    /// Safe inside a script element: nothing in it looks like markup.
    var json: String {
        let described = functions.indices.map { index in
            let words = [name(index), about(index), origin(index), Self.module(functions[index].module)]
            return "[\(words.map(Self.quoted).joined(separator: ","))]"
        }
        let nodes = nodes.map { "[\($0.map(String.init).joined(separator: ","))]" }
        let entries = moments.entries.joined().map(String.init).joined(separator: ",")
        let weights = (moments.entries.first?.count ?? 2) - 2
        return "{\"functions\":[\(described.joined(separator: ","))],\"nodes\":[\(nodes.joined(separator: ","))],"
            + "\"compares\":\(isComparison),"
            + "\"moments\":{\"seconds\":\(moments.seconds),\"weights\":\(weights),\"entries\":[\(entries)]}}"
    }

    static func module(_ name: String) -> String { PageText.clean(name, limit: 60) }

    private func about(_ index: Int) -> String {
        let function = functions[index]
        return PageText.clean(
            [function.module, function.place ?? ""].filter { !$0.isEmpty }.joined(separator: ", "), limit: 120)
    }

    /// A string of a script that holds no markup.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "'", "\\", "<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
