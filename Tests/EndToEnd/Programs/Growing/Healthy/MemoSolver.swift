// Solves knapsack and edit distance with a memo of objects; the memo is bounded by the input.
struct Key: Hashable { let index: Int, room: Int }
final class Solution {
    let value: Int
    let taken: Bool
    let rest: Solution?
    init(value: Int, taken: Bool, rest: Solution?) {
        self.value = value
        self.taken = taken
        self.rest = rest
    }
    var choices: [Bool] { [taken] + (rest?.choices ?? []) }
}
final class Knapsack {
    let weights: [Int], values: [Int]
    private var memo: [Key: Solution] = [:]
    init(weights: [Int], values: [Int]) {
        self.weights = weights
        self.values = values
    }
    func best(from index: Int, room: Int) -> Solution? {
        guard index < weights.count else { return nil }
        let key = Key(index: index, room: room)
        if let known = memo[key] { return known }
        let without = best(from: index + 1, room: room)
        var solution = Solution(value: without?.value ?? 0, taken: false, rest: without)
        if weights[index] <= room {
            let with = best(from: index + 1, room: room - weights[index])
            let value = values[index] + (with?.value ?? 0)
            if value > solution.value { solution = Solution(value: value, taken: true, rest: with) }
        }
        memo[key] = solution
        return solution
    }
    var states: Int { memo.count }
}
final class Distance {
    let first: [Character], second: [Character]
    private var memo: [Key: Box] = [:]
    final class Box {
        let value: Int
        init(_ value: Int) { self.value = value }
    }
    init(_ first: String, _ second: String) {
        self.first = Array(first)
        self.second = Array(second)
    }
    func between(_ a: Int, _ b: Int) -> Int {
        if a == first.count { return second.count - b }
        if b == second.count { return first.count - a }
        if let known = memo[Key(index: a, room: b)] { return known.value }
        let same = first[a] == second[b]
        let value = same ? between(a + 1, b + 1) : 1 + min(between(a + 1, b), between(a, b + 1), between(a + 1, b + 1))
        memo[Key(index: a, room: b)] = Box(value)
        return value
    }
}
let weights = (0..<40).map { 3 + ($0 * 7) % 19 }
let values = (0..<40).map { 10 + ($0 * 13) % 41 }
let sack = Knapsack(weights: weights, values: values)
let best = sack.best(from: 0, room: 150)
print("value", best?.value ?? 0, "states", sack.states, "taken", best?.choices.filter { $0 }.count ?? 0)
let distance = Distance(
    String(repeating: "swift concurrency ", count: 4), String(repeating: "quick currency ", count: 4))
print("distance", distance.between(0, 0))
