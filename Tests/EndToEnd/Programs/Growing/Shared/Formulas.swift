// Reads a program of rules into a shared list of closures, then applies them: the rules are the program.
import Foundation

struct Facts { var values: [String: Double] = [:] }
final class RuleBook {
    nonisolated(unsafe) static let shared = RuleBook()
    private var rules: [(name: String, apply: (inout Facts) -> Void)] = []
    private init() {}
    func add(_ name: String, _ apply: @escaping (inout Facts) -> Void) { rules.append((name, apply)) }
    func run(_ facts: inout Facts) { for rule in rules { rule.apply(&facts) } }
    var count: Int { rules.count }
}
final class Factor {
    let name: String, value: Double
    init(_ name: String, _ value: Double) {
        self.name = name
        self.value = value
    }
}
func compile(_ line: String) {
    let words = line.components(separatedBy: " ")
    guard words.count == 4, let value = Double(words[3]) else { return }
    let factor = Factor(words[2], value)
    let target = words[0]
    RuleBook.shared.add(target) { facts in
        facts.values[target] = (facts.values[factor.name] ?? 1) * factor.value
        if (facts.values[target] ?? 0) > 1_000_000 { facts.values[target] = 1 }
    }
}
for number in 0..<800 { compile("v\(number) = v\(max(0, number - 1)) \(Double(number % 9) / 4 + 0.1)") }
var facts = Facts()
for _ in 0..<3 { RuleBook.shared.run(&facts) }
print(RuleBook.shared.count, facts.values.count)
