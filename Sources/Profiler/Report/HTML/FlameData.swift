import Foundation

/// The call trees as the page's script reads them. A function that calls itself directly stands once: a recursion would be
/// as tall as it is deep.
struct FlameData {
    /// A choice of threads: the indices of their roots, joined by commas.
    struct Root: Hashable {
        var value: String
        var label: String
        var unit = Profile.Unit.nanoseconds
    }

    /// `[caller, function, weight]`, callers first; −1: a root. Of a comparison `[caller, function, weight, change]`, with
    /// the mean of both weights. A weight is in microseconds or bytes.
    let nodes: [[Int]]
    let functions: [Report.Hotspots.CallTree.Function]
    let roots: [Root]
    /// Nodes that were left out.
    let omitted: Int
    private let textLength: Int

    /// Keeps the largest nodes.
    init(_ tree: Report.Hotspots.CallTree, nodeLimit: Int, textLength: Int) {
        let flat = Self.withoutRecursion(tree.nodes)
        let kept = Self.largest(nodeLimit, of: flat.nodes)
        nodes = kept.nodes
        functions = tree.functions
        omitted = tree.omitted + flat.nodes.count - kept.nodes.count
        self.textLength = textLength
        roots = Self.roots(of: tree, flat.places.map { $0 < 0 ? -1 : kept.places[$0] })
    }

    /// The trees of a comparison, each a choice of its own. Keeps the largest nodes of each.
    init(_ compared: [(tree: ComparedTree, label: String, unit: Profile.Unit)], nodeLimit: Int, textLength: Int) {
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
            let kept = Self.largest(nodeLimit / compared.count, of: flat).nodes
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

    /// The nodes with the most weight, and the new place of each (−1: left out). No node is larger than its caller.
    private static func largest(_ limit: Int, of nodes: [[Int]]) -> (nodes: [[Int]], places: [Int]) {
        let sizes = nodes.lazy.filter { $0.count >= 3 && $0[0] >= 0 }.map { $0[2] }.sorted(by: >)
        let least = sizes.count > limit ? sizes[limit] : 0
        var places = [Int](repeating: -1, count: nodes.count)
        var kept: [[Int]] = []
        for (index, node) in nodes.enumerated() where node.count >= 3 {
            let isRoot = node[0] < 0
            guard isRoot || (node[2] > least && places.indices.contains(node[0]) && places[node[0]] >= 0) else {
                continue
            }
            places[index] = kept.count
            kept.append([isRoot ? -1 : places[node[0]]] + node.dropFirst())
        }
        return (kept, places)
    }

    /// All computing threads together, each by itself, then the waiting ones.
    private static func roots(of tree: Report.Hotspots.CallTree, _ places: [Int]) -> [Root] {
        var result: [Root] = []
        for (kind, all) in [("cpu", "all threads"), ("waiting", "all threads, waiting")] {
            let own = tree.roots.filter { $0.kind == kind && places.indices.contains($0.node) }
            guard !own.isEmpty else { continue }
            if own.count > 1 || kind == "waiting" {
                result.append(Root(value: own.map { "\(places[$0.node])" }.joined(separator: ","), label: all))
            }
            if own.count > 1 || kind == "cpu" {
                let suffix = kind == "cpu" ? "" : ", waiting"
                result += own.map { Root(value: "\(places[$0.node])", label: $0.thread + suffix) }
            }
        }
        return result
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
        let functions = functions.indices.map { index in
            "[\(Self.quoted(name(index))),\(Self.quoted(about(index))),\(Self.quoted(origin(index)))]"
        }
        let nodes = nodes.map { "[\($0.map(String.init).joined(separator: ","))]" }
        return "{\"functions\":[\(functions.joined(separator: ","))],\"nodes\":[\(nodes.joined(separator: ","))]}"
    }

    private func about(_ index: Int) -> String {
        let function = functions[index]
        return PageText.clean(
            [function.module, function.place ?? ""].filter { !$0.isEmpty }.joined(separator: ", "), limit: 120)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\", "<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
