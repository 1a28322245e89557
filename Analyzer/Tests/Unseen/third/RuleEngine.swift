import Foundation

// MARK: - Expression tree

enum RuleError: Error {
    case unexpected(String)
    case unknown(String)
}

final class Syntax {
    enum Kind {
        case number(Double)
        case name(String)
        case binary(String)
        case negate
    }

    let kind: Kind
    private(set) var operands: [Syntax] = []
    private(set) unowned var enclosing: Syntax?

    init(_ kind: Kind, _ operands: [Syntax] = []) {
        self.kind = kind
        self.operands = operands
        for operand in operands { operand.enclosing = self }
    }

    var depth: Int {
        var result = 0
        var current = enclosing
        while let node = current {
            result += 1
            current = node.enclosing
        }
        return result
    }

    var leaves: [Syntax] { operands.isEmpty ? [self] : operands.flatMap(\.leaves) }
}

// MARK: - Parser

final class ExpressionParser {
    private typealias Prefix = (ExpressionParser) throws -> Syntax

    private let tokens: [String]
    private var position = 0
    private lazy var prefixes: [String: Prefix] = [
        "-": { parser in Syntax(.negate, [try parser.expression(9)]) },
        "(": { parser in
            let inner = try parser.expression(0)
            try parser.expect(")")
            return inner
        },
    ]

    private static let precedence: [String: Int] = ["<": 1, ">": 1, "+": 2, "-": 2, "*": 3, "/": 3]

    init(_ source: String) {
        var spaced = source
        for symbol in ["(", ")", "+", "-", "*", "/", "<", ">"] {
            spaced = spaced.replacingOccurrences(of: symbol, with: " \(symbol) ")
        }
        tokens = spaced.split(separator: " ").map(String.init)
    }

    func parse() throws -> Syntax {
        let tree = try expression(0)
        if let extra = peek() { throw RuleError.unexpected(extra) }
        return tree
    }

    private func peek() -> String? { position < tokens.count ? tokens[position] : nil }

    private func next() throws -> String {
        guard let token = peek() else { throw RuleError.unexpected("end") }
        position += 1
        return token
    }

    private func expect(_ token: String) throws {
        let found = try next()
        if found != token { throw RuleError.unexpected(found) }
    }

    private func expression(_ minimum: Int) throws -> Syntax {
        let token = try next()
        var left: Syntax
        if let prefix = prefixes[token] {
            left = try prefix(self)
        } else if let number = Double(token) {
            left = Syntax(.number(number))
        } else {
            left = Syntax(.name(token))
        }
        while let op = peek(), let level = Self.precedence[op], level > minimum {
            _ = try next()
            left = Syntax(.binary(op), [left, try expression(level)])
        }
        return left
    }
}

// MARK: - Compilation to closures

typealias Evaluator = ([String: Double]) throws -> Double

struct Compiler {
    func compile(_ node: Syntax) -> Evaluator {
        let parts = node.operands.map(compile)
        switch node.kind {
        case .number(let value):
            return { _ in value }
        case .name(let name):
            return { facts in
                guard let value = facts[name] else { throw RuleError.unknown(name) }
                return value
            }
        case .negate:
            return { facts in -(try parts[0](facts)) }
        case .binary(let op):
            return { facts in
                let a = try parts[0](facts), b = try parts[1](facts)
                switch op {
                case "+": return a + b
                case "-": return a - b
                case "*": return a * b
                case "/": return a / b
                case "<": return a < b ? 1 : 0
                default: return a > b ? 1 : 0
                }
            }
        }
    }
}

// MARK: - Rule DSL

struct Rule {
    let title: String
    let condition: Evaluator
    let action: (Machine) -> Void
}

@resultBuilder
enum RuleSetBuilder {
    static func buildExpression(_ rule: Rule) -> [Rule] { [rule] }
    static func buildBlock(_ parts: [Rule]...) -> [Rule] { parts.flatMap { $0 } }
    static func buildOptional(_ part: [Rule]?) -> [Rule] { part ?? [] }
    static func buildArray(_ parts: [[Rule]]) -> [Rule] { parts.flatMap { $0 } }
}

func when(_ source: String, _ title: String, _ action: @escaping (Machine) -> Void) throws -> Rule {
    let tree = try ExpressionParser(source).parse()
    let deepest = tree.leaves.map(\.depth).max() ?? 0
    return Rule(title: "\(title)/\(deepest)", condition: Compiler().compile(tree), action: action)
}

// MARK: - State machine

final class Machine {
    enum State: Hashable, CaseIterable {
        case idle, heating, cooling, fault
    }

    private(set) var state: State = .idle
    private var rules: [State: [Rule]] = [:]
    private var entered: [State: Int] = [:]
    private var onEnter: [State: (Machine) -> Void] = [:]

    func rules(for state: State, @RuleSetBuilder _ build: () throws -> [Rule]) rethrows {
        rules[state] = try build()
    }

    func entering(_ state: State, _ action: @escaping (Machine) -> Void) {
        onEnter[state] = action
    }

    func transition(to next: State) {
        guard next != state else { return }
        state = next
        entered[next, default: 0] += 1
        onEnter[next]?(self)
    }

    func step(_ facts: [String: Double]) {
        do {
            for rule in rules[state] ?? [] where try rule.condition(facts) != 0 {
                rule.action(self)
                return
            }
        } catch {
            transition(to: .fault)
        }
    }

    var report: String {
        State.allCases.map { "\($0):\(entered[$0] ?? 0)" }.joined(separator: " ")
    }
}

final class Controller {
    private let machine = Machine()
    private var alarms = 0

    init(strict: Bool) throws {
        try machine.rules(for: .idle) {
            try when("temp < (goal - 1)", "cold") { $0.transition(to: .heating) }
            try when("temp > goal + 2 * 1", "hot") { $0.transition(to: .cooling) }
            if strict {
                try when("-pressure > 0", "vacuum") { $0.transition(to: .fault) }
            }
        }
        for state in [Machine.State.heating, .cooling] {
            try machine.rules(for: state) {
                try when("temp > goal - 1", "done") { $0.transition(to: .idle) }
            }
        }
        machine.entering(.fault) { [weak self] machine in
            self?.alarms += 1
            machine.transition(to: .idle)
        }
    }

    func simulate(_ temperatures: [Double]) -> String {
        for (n, temp) in temperatures.enumerated() {
            machine.step(n % 4 == 3 ? ["goal": 20] : ["temp": temp, "goal": 20, "pressure": 1])
        }
        return "\(machine.report) alarms \(alarms)"
    }
}

for strict in [true, false] {
    print(try Controller(strict: strict).simulate([15, 17, 21, 25, 30, 22, 19.5, 18]))
}
