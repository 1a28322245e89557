import Foundation

enum TickResult {
    case success, failure, running
}

protocol Behavior {
    func tick() -> TickResult
}

struct Leaf: Behavior {
    let name: String
    private let body: () -> TickResult

    init(_ name: String, _ body: @escaping () -> TickResult) {
        self.name = name
        self.body = body
    }

    func tick() -> TickResult { body() }
}

struct Condition: Behavior {
    private let test: () -> Bool

    init(_ test: @escaping () -> Bool) {
        self.test = test
    }

    func tick() -> TickResult { test() ? .success : .failure }
}

struct Sequence: Behavior {
    private let children: [any Behavior]

    init(@BehaviorBuilder _ content: () -> [any Behavior]) {
        children = content()
    }

    func tick() -> TickResult {
        for child in children {
            let result = child.tick()
            if result != .success { return result }
        }
        return .success
    }
}

struct Selector: Behavior {
    private let children: [any Behavior]

    init(@BehaviorBuilder _ content: () -> [any Behavior]) {
        children = content()
    }

    func tick() -> TickResult {
        for child in children {
            let result = child.tick()
            if result != .failure { return result }
        }
        return .failure
    }
}

@resultBuilder
enum BehaviorBuilder {
    static func buildExpression(_ behavior: any Behavior) -> [any Behavior] { [behavior] }
    static func buildBlock(_ parts: [any Behavior]...) -> [any Behavior] { Array(parts.joined()) }
    static func buildOptional(_ part: [any Behavior]?) -> [any Behavior] { part ?? [] }
}

final class Dungeon {
    private(set) var intruder: Int?
    private var guards: [Guard] = []

    func add(_ sentry: Guard) {
        sentry.dungeon = self
        guards.append(sentry)
    }

    func run(_ script: [Int?]) {
        for place in script {
            intruder = place
            guards.forEach { $0.think() }
        }
        print(guards.map(\.diary))
    }
}

final class Guard {
    weak var dungeon: Dungeon?
    private var post: Int
    private var position: Int
    private var stamina = 5
    private var steps: [String] = []
    private let canRest: Bool

    init(post: Int, canRest: Bool) {
        self.post = post
        position = post
        self.canRest = canRest
    }

    private lazy var brain = Selector {
        if canRest {
            Sequence {
                Condition { [unowned self] in stamina <= 0 }
                Leaf("rest") { [weak self] in
                    self?.stamina += 2
                    return .running
                }
            }
        }
        Sequence {
            Condition { [weak self] in self?.dungeon?.intruder != nil }
            Leaf("chase") { self.chase() }
        }
        Leaf("patrol") { [unowned self] in
            position = position == post ? post + 1 : post
            return .success
        }
    }

    func think() {
        let result = brain.tick()
        steps.append("\(position)\(result == .running ? "~" : "")")
        if steps.count > 64 { steps.removeFirst() }
    }

    private func chase() -> TickResult {
        guard let target = dungeon?.intruder else { return .failure }
        stamina -= 1
        position += (target - position).signum()
        return position == target ? .success : .running
    }

    var diary: String { steps.joined(separator: " ") }
}

func playLevel(_ script: [Int?]) {
    let dungeon = Dungeon()
    dungeon.add(Guard(post: 0, canRest: true))
    dungeon.add(Guard(post: 9, canRest: false))
    dungeon.run(script)
}

playLevel([nil, nil, 4, 4, 4, 4, 4, 4, nil])
playLevel([2, 3, 4])
