import Foundation

/// The call trees as the page's script reads them.
struct FlameData {
    /// A choice of threads: the indices of their roots, joined by commas.
    struct Root: Hashable {
        var value: String
        var label: String
    }

    /// `[caller, function, microseconds]`, callers first; −1: a root.
    let nodes: [[Int]]
    let functions: [Report.Hotspots.CallTree.Function]
    let roots: [Root]
    /// Nodes that were left out.
    let omitted: Int
    private let textLength: Int

    /// Keeps the largest nodes.
    init(_ tree: Report.Hotspots.CallTree, nodeLimit: Int, textLength: Int) {
        let sizes = tree.nodes.lazy.filter { $0.count == 3 && $0[0] >= 0 }.map { $0[2] }.sorted(by: >)
        let least = sizes.count > nodeLimit ? sizes[nodeLimit] : 0
        var places = [Int](repeating: -1, count: tree.nodes.count)
        var kept: [[Int]] = []
        for (index, node) in tree.nodes.enumerated() where node.count == 3 {
            let isRoot = node[0] < 0
            guard isRoot || (node[2] > least && places.indices.contains(node[0]) && places[node[0]] >= 0) else {
                continue
            }
            places[index] = kept.count
            kept.append([isRoot ? -1 : places[node[0]], node[1], node[2]])
        }
        nodes = kept
        functions = tree.functions
        omitted = tree.omitted + tree.nodes.count - kept.count
        self.textLength = textLength
        roots = Self.roots(of: tree, places)
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
        let nodes = nodes.map { "[\($0[0]),\($0[1]),\($0[2])]" }
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
