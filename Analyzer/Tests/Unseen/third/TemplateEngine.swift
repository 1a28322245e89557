import Foundation

// MARK: - Tokens and nodes

enum Token: Equatable {
    case text(String)
    case variable(String)
    case open(String)
    case close
}

indirect enum Node {
    case text(String)
    case variable(name: String, filter: String?)
    case each(list: String, body: [Node])
}

struct Template {
    let nodes: [Node]
}

enum TemplateError: Error {
    case unbalanced
}

// MARK: - Parsing

struct Lexer {
    private var rest: Substring

    init(_ source: String) {
        rest = source[...]
    }

    mutating func tokens() -> [Token] {
        var out: [Token] = []
        while let start = rest.range(of: "{{") {
            if start.lowerBound > rest.startIndex {
                out.append(.text(String(rest[rest.startIndex..<start.lowerBound])))
            }
            guard let end = rest.range(of: "}}") else { break }
            let inner = rest[start.upperBound..<end.lowerBound].trimmingCharacters(in: .whitespaces)
            if inner == "/each" {
                out.append(.close)
            } else if inner.hasPrefix("#each ") {
                out.append(.open(String(inner.dropFirst(6))))
            } else {
                out.append(.variable(inner))
            }
            rest = rest[end.upperBound...]
        }
        if !rest.isEmpty { out.append(.text(String(rest))) }
        return out
    }
}

struct Parser {
    func parse(_ source: String) throws -> Template {
        var lexer = Lexer(source)
        var stack: [(list: String, body: [Node])] = [("", [])]
        for token in lexer.tokens() {
            switch token {
            case .text(let text):
                stack[stack.count - 1].body.append(.text(text))
            case .variable(let expression):
                let parts = expression.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                stack[stack.count - 1].body.append(.variable(name: parts[0], filter: parts.count > 1 ? parts[1] : nil))
            case .open(let list):
                stack.append((list, []))
            case .close:
                guard stack.count > 1, let block = stack.popLast() else { throw TemplateError.unbalanced }
                stack[stack.count - 1].body.append(.each(list: block.list, body: block.body))
            }
        }
        guard stack.count == 1 else { throw TemplateError.unbalanced }
        return Template(nodes: stack[0].body)
    }
}

// MARK: - Rendering

final class Scope {
    private let parent: Scope?
    private let values: [String: Any]

    init(values: [String: Any], parent: Scope? = nil) {
        self.values = values
        self.parent = parent
    }

    func lookup(_ name: String) -> Any? {
        values[name] ?? parent?.lookup(name)
    }
}

final class FragmentCache {
    private var store: [String: String] = [:]
    private var order: [String] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func fragment(_ key: String, make: () -> String) -> String {
        if let hit = store[key] { return hit }
        let made = make()
        store[key] = made
        order.append(key)
        if order.count > limit {
            store[order.removeFirst()] = nil
        }
        return made
    }
}

final class TemplateEngine {
    typealias Filter = (String) -> String

    nonisolated(unsafe) static let shared = TemplateEngine()

    private var compiled: [String: Template] = [:]
    private var filters: [String: Filter] = [:]
    private let fragments = FragmentCache(limit: 64)
    private let parser = Parser()

    private init() {
        addFilter("upper") { $0.uppercased() }
        addFilter("initial") { String($0.prefix(1)) }
        addFilter("escape") { $0.replacingOccurrences(of: "<", with: "&lt;") }
    }

    func addFilter(_ name: String, _ filter: @escaping Filter) {
        filters[name] = filter
    }

    func render(_ source: String, _ values: [String: Any]) throws -> String {
        let template: Template
        if let known = compiled[source] {
            template = known
        } else {
            template = try parser.parse(source)
            compiled[source] = template
        }
        return render(template.nodes, Scope(values: values))
    }

    func badge(for user: String) -> String {
        fragments.fragment("badge:\(user)") { "[" + (filters["initial"]?(user) ?? user) + "]" }
    }

    private func render(_ nodes: [Node], _ scope: Scope) -> String {
        var out = ""
        for node in nodes {
            switch node {
            case .text(let text):
                out += text
            case .variable(let name, let filter):
                let raw = scope.lookup(name).map { "\($0)" } ?? ""
                out += filter.flatMap { filters[$0] }?(raw) ?? raw
            case .each(let list, let body):
                for item in scope.lookup(list) as? [Any] ?? [] {
                    out += render(body, Scope(values: ["item": item], parent: scope))
                }
            }
        }
        return out
    }
}

// MARK: - Mail service

final class ReceiptMailer {
    private let engine = TemplateEngine.shared
    private let layout = "{{ body | escape }} -- {{#each lines}}{{ item }};{{/each}}"
    private var delivered = 0

    func mail(user: String, orderID: Int, lines: [String]) throws -> Int {
        let intro = "Dear \(user), thank you for order \(orderID). Total: {{ total }}"
        let body = try engine.render(intro, ["total": lines.count * 10])
        let page = try engine.render(layout, ["body": body, "lines": lines])
        delivered += 1
        return (engine.badge(for: user) + page).utf8.count
    }

    var count: Int { delivered }
}

// Stands for the queue consumer that runs for the life of the process.
func consume(batches: Int) throws {
    let mailer = ReceiptMailer()
    var bytes = 0
    for batch in 0..<batches {
        for n in 0..<50 {
            bytes += try mailer.mail(user: "user\(n)", orderID: batch * 50 + n, lines: ["mug", "cap"])
        }
    }
    print("delivered", mailer.count, "bytes", bytes)
}

try consume(batches: 4)
