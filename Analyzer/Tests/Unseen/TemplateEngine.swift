import Foundation

indirect enum TemplateNode {
    case text(String)
    case variable(String, filters: [String])
    case loop(item: String, list: String, body: [TemplateNode])
}

struct TemplateError: Error {
    let message: String
}

struct CompiledTemplate {
    let nodes: [TemplateNode]
}

enum TemplateValue: Hashable {
    case string(String)
    case list([String])
}

typealias TemplateContext = [String: TemplateValue]

struct FilterLibrary {
    typealias Filter = (String) -> String
    private var filters: [String: Filter] = [
        "upper": { $0.uppercased() },
        "trim": { $0.trimmingCharacters(in: .whitespaces) },
        "escape": { $0.replacingOccurrences(of: "<", with: "&lt;") },
    ]

    mutating func add(_ name: String, _ filter: @escaping Filter) {
        filters[name] = filter
    }

    func apply(_ names: [String], to text: String) -> String {
        names.reduce(text) { partial, name in filters[name]?(partial) ?? partial }
    }
}

@MainActor
final class TemplateEngine {
    private struct RenderKey: Hashable {
        let source: String
        let context: TemplateContext
    }

    private static var rendered: [RenderKey: String] = [:]
    private static var compiled: [String: CompiledTemplate] = [:]
    private static var compileOrder: [String] = []

    private var filters = FilterLibrary()

    func addFilter(_ name: String, _ filter: @escaping FilterLibrary.Filter) {
        filters.add(name, filter)
    }

    func render(_ source: String, _ context: TemplateContext) throws -> String {
        let key = RenderKey(source: source, context: context)
        if let text = Self.rendered[key] { return text }
        let template = try Self.template(for: source)
        let text = evaluate(template.nodes, context)
        Self.rendered[key] = text
        return text
    }

    private static func template(for source: String) throws -> CompiledTemplate {
        if let known = compiled[source] { return known }
        var scanner = source[...]
        let template = CompiledTemplate(nodes: try parse(&scanner, inLoop: false))
        compiled[source] = template
        compileOrder.append(source)
        if compileOrder.count > 64 {
            compiled[compileOrder.removeFirst()] = nil
        }
        return template
    }

    private static func parse(_ rest: inout Substring, inLoop: Bool) throws -> [TemplateNode] {
        var nodes: [TemplateNode] = []
        while let open = rest.range(of: "{{") {
            if open.lowerBound > rest.startIndex { nodes.append(.text(String(rest[..<open.lowerBound]))) }
            guard let close = rest.range(of: "}}") else { throw TemplateError(message: "unclosed tag") }
            let tag = rest[open.upperBound..<close.lowerBound].trimmingCharacters(in: .whitespaces)
            rest = rest[close.upperBound...]
            if tag == "end" {
                guard inLoop else { throw TemplateError(message: "stray end") }
                return nodes
            }
            let words = tag.split(separator: " ").map(String.init)
            if words.count == 4, words[0] == "for", words[2] == "in" {
                nodes.append(.loop(item: words[1], list: words[3], body: try parse(&rest, inLoop: true)))
            } else {
                let parts = tag.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                guard let name = parts.first else { throw TemplateError(message: "empty tag") }
                nodes.append(.variable(name, filters: Array(parts.dropFirst())))
            }
        }
        if !rest.isEmpty { nodes.append(.text(String(rest))) }
        return nodes
    }

    private func evaluate(_ nodes: [TemplateNode], _ context: TemplateContext) -> String {
        nodes.map { node in
            switch node {
            case .text(let text):
                return text
            case .variable(let name, let names):
                guard case .string(let text)? = context[name] else { return "" }
                return self.filters.apply(names, to: text)
            case .loop(let item, let list, let body):
                guard case .list(let values)? = context[list] else { return "" }
                return values.map { value in
                    var inner = context
                    inner[item] = .string(value)
                    return self.evaluate(body, inner)
                }.joined()
            }
        }.joined()
    }
}

let engine = TemplateEngine()
engine.addFilter("reverse") { String($0.reversed()) }
let page = "Hello {{ name | trim | upper }}! {{ for x in items }}<{{ x | reverse }}>{{ end }}"
for visitor in 0..<5 {
    print(try engine.render(page, ["name": .string(" visitor \(visitor) "), "items": .list(["abc", "\(visitor)"])]))
}
