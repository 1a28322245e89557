// Parses a generated program to a tree of objects, then evaluates it.
class Node { func value(_ scope: inout [String: Int]) -> Int { 0 } }
final class Literal: Node {
    let number: Int
    init(_ number: Int) { self.number = number }
    override func value(_ scope: inout [String: Int]) -> Int { number }
}
final class Name: Node {
    let text: String
    init(_ text: String) { self.text = text }
    override func value(_ scope: inout [String: Int]) -> Int { scope[text] ?? 0 }
}
final class Binary: Node {
    let sign: Character, left: Node, right: Node
    init(_ sign: Character, _ left: Node, _ right: Node) {
        self.sign = sign
        self.left = left
        self.right = right
    }
    override func value(_ scope: inout [String: Int]) -> Int {
        let (a, b) = (left.value(&scope), right.value(&scope))
        switch sign {
        case "+": return a &+ b
        case "-": return a &- b
        case "*": return (a &* b) & 0xffff
        default: return 0
        }
    }
}
final class Assignment: Node {
    let name: String, right: Node
    init(_ name: String, _ right: Node) {
        self.name = name
        self.right = right
    }
    override func value(_ scope: inout [String: Int]) -> Int {
        let v = right.value(&scope)
        scope[name] = v
        return v
    }
}
struct Lexer {
    private let text: [Character]
    private var at = 0
    init(_ text: String) { self.text = Array(text) }
    mutating func next() -> String? {
        while at < text.count, text[at] == " " { at += 1 }
        guard at < text.count else { return nil }
        let start = at
        if text[at].isLetter || text[at].isNumber {
            while at < text.count, text[at].isLetter || text[at].isNumber { at += 1 }
        } else {
            at += 1
        }
        return String(text[start..<at])
    }
}
struct Parser {
    private var tokens: [String] = []
    private var at = 0
    init(_ text: String) {
        var lexer = Lexer(text)
        while let token = lexer.next() { tokens.append(token) }
    }
    private mutating func take() -> String {
        defer { at += 1 }
        return at < tokens.count ? tokens[at] : ";"
    }
    private var peek: String { at < tokens.count ? tokens[at] : ";" }
    mutating func program() -> [Node] {
        var all: [Node] = []
        while at < tokens.count { all.append(statement()) }
        return all
    }
    private mutating func statement() -> Node {
        let name = take()
        _ = take()
        let node = Assignment(name, sum())
        _ = take()
        return node
    }
    private mutating func sum() -> Node {
        var left = product()
        while peek == "+" || peek == "-" { left = Binary(Character(take()), left, product()) }
        return left
    }
    private mutating func product() -> Node {
        var left = primary()
        while peek == "*" { left = Binary(Character(take()), left, primary()) }
        return left
    }
    private mutating func primary() -> Node {
        let token = take()
        if token == "(" {
            let inner = sum()
            _ = take()
            return inner
        }
        if let number = Int(token) { return Literal(number) }
        return Name(token)
    }
}
var source = ""
for line in 0..<700 { source += "v\(line) = (v\(max(0, line - 1)) + \(line)) * 3 - v\(line / 2) * 2 + \(line % 17) ; " }
var parser = Parser(source)
let program = parser.program()
var scope: [String: Int] = [:]
var last = 0
for statement in program { last = statement.value(&scope) }
print(program.count, "statements, result", last)
