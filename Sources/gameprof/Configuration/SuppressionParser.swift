import GameprofAnalysis
import GameprofBasics
import Yams

/// Reads the nodes of a suppression file strictly: what it does not know is an error, not ignored.
struct SuppressionParser {
    let file: String

    private static let entryKeys = [
        "name", "kind", "type", "field", "function", "module", "rule", "file", "reason", "evidence",
    ]

    func suppressions(_ root: Node) throws -> [Suppression] {
        var list = root
        if case .mapping(let mapping) = root {
            try refuseUnknownKeys(in: mapping, known: ["version", "suppressions"])
            if let version = mapping["version"], version.int != 1 {
                throw error(version, "version \(version.string ?? "?") is not known; only version 1 is")
            }
            guard let entries = mapping["suppressions"] else { throw error(root, "the key suppressions is missing") }
            list = entries
        }
        guard case .sequence(let entries) = list else {
            if list.null != nil { return [] }
            throw error(list, "a list of suppressions is expected here")
        }
        return try entries.enumerated().map { try suppression($0.element, number: $0.offset + 1) }
    }

    private func suppression(_ node: Node, number: Int) throws -> Suppression {
        guard case .mapping(let mapping) = node else {
            throw error(
                node, "a suppression must be a mapping with the keys name, kind, type, field, function and module")
        }
        try refuseUnknownKeys(in: mapping, known: Self.entryKeys)
        var result = Suppression(name: try text(mapping["name"], "name") ?? "suppression \(number)")
        result.kinds = try kinds(mapping["kind"])
        result.type = try text(mapping["type"], "type").map(GlobPattern.init)
        result.field = try text(mapping["field"], "field").map(GlobPattern.init)
        result.function = try text(mapping["function"], "function").map(GlobPattern.init)
        result.module = try text(mapping["module"], "module").map(GlobPattern.init)
        result.rule = try text(mapping["rule"], "rule").map(GlobPattern.init)
        result.file = try text(mapping["file"], "file").map(GlobPattern.init)
        result.evidence = try text(mapping["evidence"], "evidence") ?? text(mapping["reason"], "reason")
        let patterns = [result.type, result.field, result.function, result.module, result.rule, result.file]
        guard patterns.contains(where: { $0 != nil }) else {
            throw error(node, "a suppression needs at least one of type, field, function, module, rule and file")
        }
        return result
    }

    private func kinds(_ node: Node?) throws -> [Finding.Kind] {
        guard let node else { return [] }
        return try (node.sequence.map(Array.init) ?? [node]).map { item in
            guard let kind = item.string.flatMap(Finding.Kind.init) else {
                throw error(
                    item, UnknownName.sentence("kind of finding", item, known: Finding.Kind.allCases.map(\.rawValue)))
            }
            return kind
        }
    }

    private func text(_ node: Node?, _ key: String) throws -> String? {
        guard let node else { return nil }
        guard let text = node.string, !text.isEmpty else {
            throw error(node, "\(key) must be a non-empty text")
        }
        return text
    }

    private func refuseUnknownKeys(in mapping: Node.Mapping, known: [String]) throws {
        for (key, _) in mapping where !known.contains(key.string ?? "") {
            throw error(key, UnknownName.sentence("key", key, known: known))
        }
    }

    private func error(_ node: Node, _ sentence: String) -> YAMLFileError {
        YAMLFileError(file: file, node, sentence)
    }
}
