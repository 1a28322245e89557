import Foundation

// A little reactive layer for scores, achievements and a leaderboard screen.

final class Subscription: Hashable {
    private var action: (() -> Void)?

    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    func cancel() {
        let pending = action
        action = nil
        pending?()
    }

    deinit { cancel() }

    static func == (a: Subscription, b: Subscription) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Subscription {
    func store(in bag: inout Set<Subscription>) {
        bag.insert(self)
    }
}

protocol Feed<Value>: AnyObject {
    associatedtype Value
    func sink(_ receive: @escaping (Value) -> Void) -> Subscription
}

final class Subject<Value>: Feed {
    private var observers: [Int: (Value) -> Void] = [:]
    private var nextKey = 0

    var observerCount: Int { observers.count }

    func send(_ value: Value) {
        for observer in observers.values {
            observer(value)
        }
    }

    func sink(_ receive: @escaping (Value) -> Void) -> Subscription {
        nextKey += 1
        let key = nextKey
        observers[key] = receive
        return Subscription { [weak self] in
            self?.observers.removeValue(forKey: key)
        }
    }
}

final class Mapped<Upstream: Feed, Value>: Feed {
    private let upstream: Upstream
    private let transform: (Upstream.Value) -> Value

    init(_ upstream: Upstream, _ transform: @escaping (Upstream.Value) -> Value) {
        self.upstream = upstream
        self.transform = transform
    }

    func sink(_ receive: @escaping (Value) -> Void) -> Subscription {
        let transform = self.transform
        return upstream.sink { receive(transform($0)) }
    }
}

extension Feed {
    func map<New>(_ transform: @escaping (Value) -> New) -> Mapped<Self, New> {
        Mapped(self, transform)
    }

    /// Calls `receive` for the first value that passes the test and then stops listening.
    func first(where test: @escaping (Value) -> Bool, _ receive: @escaping (Value) -> Void) {
        var token: Subscription?
        token = sink { value in
            guard test(value) else { return }
            token?.cancel()
            token = nil
            receive(value)
        }
    }
}

@propertyWrapper
final class Watched<Value> {
    private let changes = Subject<Value>()

    var wrappedValue: Value {
        didSet { changes.send(wrappedValue) }
    }

    var projectedValue: Subject<Value> { changes }

    init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}

final class Player {
    let name: String
    @Watched var score = 0
    @Watched var lives = 3

    init(name: String) {
        self.name = name
    }
}

final class Achievements {
    private(set) var unlocked: [String] = []
    private var announce: ((String) -> Void)?

    init(announce: @escaping (String) -> Void) {
        self.announce = announce
    }

    func follow(_ player: Player) {
        let name = player.name
        player.$score.first(where: { $0 >= 100 }) { _ in
            self.unlock("century by \(name)")
        }
        player.$lives.first(where: { $0 == 0 }) { [weak self] _ in
            self?.unlock("knocked out: \(name)")
        }
    }

    private func unlock(_ title: String) {
        guard !unlocked.contains(title) else { return }
        unlocked.append(title)
        announce?(title)
    }

    func close() {
        announce = nil
    }
}

final class Leaderboard {
    private var bag: Set<Subscription> = []
    private var totals: [String: Int] = [:]
    private let players: [Player]
    private(set) var redraws = 0

    init(players: [Player]) {
        self.players = players
        for player in players {
            let name = player.name
            player.$score
                .map { "\(name): \($0)" }
                .sink { [weak self] line in self?.redraw(line) }
                .store(in: &bag)
            player.$score
                .sink { [unowned self] value in self.totals[name] = value }
                .store(in: &bag)
        }
    }

    private func redraw(_ line: String) {
        redraws += 1
    }

    var leader: String? { totals.max { $0.value < $1.value }?.key }
}

final class Referee {
    private let players: [Player]
    private var bag: Set<Subscription> = []
    private var faults = 0

    init(players: [Player]) {
        self.players = players
    }

    func begin() {
        for player in players {
            player.$lives.sink { lives in
                if lives < 3 { self.faults += 1 }
            }.store(in: &bag)
        }
    }

    func end() -> Int {
        bag.removeAll()
        return faults
    }
}

func match() {
    let players = [Player(name: "ada"), Player(name: "bob")]
    let board = Leaderboard(players: players)
    var spoken = 0
    let achievements = Achievements { title in
        spoken += 1
        print("unlocked", title)
    }
    players.forEach(achievements.follow)
    let referee = Referee(players: players)
    referee.begin()

    for turn in 1...15 {
        players[0].score += turn
        players[1].score += 8
        if turn % 5 == 0 {
            players[1].lives -= 1
            players[0].lives -= 1
        }
    }

    let faults = referee.end()
    achievements.close()
    print("leader \(board.leader ?? "-"), \(board.redraws) redraws, \(faults) faults, \(spoken) spoken")
    print("still watching: \(players[0].$score.observerCount)")
}

match()
