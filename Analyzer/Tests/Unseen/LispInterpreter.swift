import Foundation

enum LispError: Error {
    case unbound(String)
    case notCallable
    case syntax(String)
}

indirect enum Expr {
    case number(Double)
    case symbol(String)
    case list([Expr])
}

final class Lambda {
    let parameters: [String]
    let body: Expr
    let scope: Environment

    init(parameters: [String], body: Expr, scope: Environment) {
        self.parameters = parameters
        self.body = body
        self.scope = scope
    }
}

enum Value {
    case number(Double)
    case lambda(Lambda)
    case builtin(([Value]) throws -> Value)
    case none

    var number: Double {
        if case .number(let n) = self { n } else { 0 }
    }
}

final class Environment {
    private var bindings: [String: Value] = [:]
    private let outer: Environment?

    init(outer: Environment? = nil) {
        self.outer = outer
    }

    func define(_ name: String, _ value: Value) {
        bindings[name] = value
    }

    func lookup(_ name: String) throws -> Value {
        if let value = bindings[name] { return value }
        guard let outer else { throw LispError.unbound(name) }
        return try outer.lookup(name)
    }

    var names: [String] { bindings.keys.sorted() }
}

struct Reader {
    private var tokens: ArraySlice<String>

    init(_ source: String) {
        let spaced = source.replacingOccurrences(of: "(", with: " ( ").replacingOccurrences(of: ")", with: " ) ")
        tokens = spaced.split(separator: " ").map(String.init)[...]
    }

    var isAtEnd: Bool { tokens.isEmpty }

    mutating func next() throws -> Expr {
        guard let token = tokens.popFirst() else { throw LispError.syntax("end of input") }
        guard token == "(" else { return Double(token).map(Expr.number) ?? .symbol(token) }
        var items: [Expr] = []
        while tokens.first != ")" { items.append(try next()) }
        tokens.removeFirst()
        return .list(items)
    }
}

struct Interpreter {
    let globals: Environment

    init() {
        let globals = Environment()
        func arithmetic(_ name: String, _ body: @escaping (Double, Double) -> Double) {
            globals.define(name, .builtin { arguments in
                .number(arguments.dropFirst().reduce(arguments.first?.number ?? 0) { body($0, $1.number) })
            })
        }
        arithmetic("+", +)
        arithmetic("*", *)
        arithmetic("-", -)
        globals.define("bound?", .builtin { _ in
            .number(Double(globals.names.count))
        })
        self.globals = globals
    }

    func evaluate(_ expr: Expr, in scope: Environment) throws -> Value {
        switch expr {
        case .number(let n):
            return .number(n)
        case .symbol(let name):
            return try scope.lookup(name)
        case .list(let items):
            guard let head = items.first else { return .none }
            if case .symbol("define") = head, case .symbol(let name) = items[1] {
                scope.define(name, try evaluate(items[2], in: scope))
                return .none
            }
            if case .symbol("fn") = head, case .list(let names) = items[1] {
                let parameters = names.compactMap { if case .symbol(let s) = $0 { s } else { nil } }
                return .lambda(Lambda(parameters: parameters, body: items[2], scope: scope))
            }
            let arguments = try items.dropFirst().map { try evaluate($0, in: scope) }
            switch try evaluate(head, in: scope) {
            case .builtin(let body):
                return try body(arguments)
            case .lambda(let lambda):
                let frame = Environment(outer: lambda.scope)
                for (name, value) in zip(lambda.parameters, arguments) { frame.define(name, value) }
                return try evaluate(lambda.body, in: frame)
            default:
                throw LispError.notCallable
            }
        }
    }

    func run(_ source: String) throws -> Value {
        var reader = Reader(source)
        var last = Value.none
        while !reader.isAtEnd { last = try evaluate(reader.next(), in: globals) }
        return last
    }
}

func script(_ source: String) throws {
    print(try Interpreter().run(source).number)
}

try script("(define square (fn (x) (* x x))) (square 12)")
try script("(define add3 (fn (a b c) (+ a b c))) (add3 1 2 (bound?))")
