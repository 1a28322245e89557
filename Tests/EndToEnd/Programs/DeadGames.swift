// Dead objects as programs come by them: what outlives its game and is called once more.
import Dispatch
import Foundation

class Game {
    var title: String
    var players: [String]
    var moves = 0
    init(_ title: String) {
        self.title = title + " and a title that does not fit into a word"
        players = ["a", "b", title]
    }
    func play() -> Int {
        moves += 1
        return moves
    }
}

class Level<Tile> {
    var tiles: [Tile]
    init(_ tiles: [Tile]) { self.tiles = tiles }
    func width() -> Int { tiles.count }
}
final class Dungeon: Level<Int> {
    var depth = 3
    override func width() -> Int { super.width() + depth }
}

protocol Referee: AnyObject { func judge() -> Int }
final class Umpire: Referee {
    var rules = ["one", "two"]
    func judge() -> Int { rules.count }
}
final class Match {
    unowned(unsafe) var referee: any Referee
    init(_ referee: any Referee) { self.referee = referee }
    @inline(never) func start() -> Int { referee.judge() }
}

final class Hand: ManagedBuffer<Int, Game> {
    @inline(never) static func deal() -> Hand {
        let hand = Hand.create(minimumCapacity: 4) { _ in 1 } as! Hand
        hand.withUnsafeMutablePointerToElements { $0.initialize(to: Game("hand")) }
        return hand
    }
}

final class Ticker: @unchecked Sendable {
    var names = ["tick"]
    @inline(never) func tick() -> Int { names.count }
}

@inline(never) func make(_ title: String) -> Game { Game(title + "\(CommandLine.argc)") }

@inline(never) func dead() -> Unmanaged<Game> {
    let game = Unmanaged.passRetained(make("chess"))
    game.release()
    return game
}

@inline(never) func overRelease(_ object: AnyObject) { Unmanaged.passUnretained(object).release() }

nonisolated(unsafe) var sink = 0
@inline(never) func show(_ value: Int) {
    sink &+= value
    print("value", value)
}

enum Stories {
    /// A C callback that runs when the program ends, long after its game.
    static func exitCallback() {
        on_exit(
            { _, context in show(Unmanaged<Game>.fromOpaque(context!).takeUnretainedValue().play()) }, dead().toOpaque()
        )
    }
    static func delegate() {
        let match: Match = {
            let umpire = Umpire()
            let match = Match(umpire)
            show(match.start())
            withExtendedLifetime(umpire) {}
            return match
        }()
        show(match.start())
    }
    static func keyPath() {
        let path: KeyPath<Game, String> = CommandLine.argc > 90 ? \.title.description : \.title
        show(dead()._withUnsafeGuaranteedRef { $0[keyPath: path].count })
    }
    static func subclass() {
        let dungeon = Unmanaged.passRetained(Dungeon([1, 2, Int(CommandLine.argc)]))
        dungeon.release()
        show(dungeon._withUnsafeGuaranteedRef { ($0 as Level<Int>).width() })
    }
    static func boardInArray() {
        var games = (0..<4).map { make("\($0)") }
        overRelease(games[2])
        games.sort { $0.title > $1.title }
        show(games.count)
    }
    static func tailElement() {
        let hand = Unmanaged.passRetained(Hand.deal())
        hand.release()
        let game = hand._withUnsafeGuaranteedRef { hand in
            hand.withUnsafeMutablePointerToElements { UnsafeRawPointer($0).load(as: Unmanaged<Game>.self) }
        }
        show(game._withUnsafeGuaranteedRef { $0.play() })
    }
    static func stringStorage() {
        let text = String(repeating: "text ", count: 10 * Int(CommandLine.argc))
        let words = unsafeBitCast(text, to: (UInt, UInt).self)
        let storage = UnsafeRawPointer(bitPattern: words.1 & 0x0fff_ffff_ffff_ffff)!
        Unmanaged<AnyObject>.fromOpaque(storage).release()
        var copy = text
        copy.append("more")
        show(copy.utf8.count)
    }
    static func dictionaryStorage() {
        let scores = Dictionary(uniqueKeysWithValues: (0..<20).map { ("a name of a player, number \($0)", [$0]) })
        overRelease(unsafeBitCast(scores, to: AnyObject.self))
        show(scores["a name of a player, number 7"]?.count ?? 0)
    }
    static func timer() {
        let done = DispatchSemaphore(value: 0)
        let ticker = Unmanaged.passRetained(Ticker())
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + .milliseconds(20))
        nonisolated(unsafe) let context = ticker
        timer.setEventHandler {
            show(context._withUnsafeGuaranteedRef { $0.tick() })
            done.signal()
        }
        ticker.release()
        timer.resume()
        done.wait()
    }
    static func mirror() {
        let object = unsafeBitCast(dead().toOpaque(), to: AnyObject.self)
        show(Mirror(reflecting: object).children.count)
    }
    static func sentNotification() {
        nonisolated(unsafe) let game = dead()
        let center = NotificationCenter()
        let token = center.addObserver(forName: .init("move"), object: nil, queue: nil) { _ in
            show(game._withUnsafeGuaranteedRef { $0.players.count })
        }
        center.post(name: .init("move"), object: nil)
        center.removeObserver(token)
    }
    static func changed() {
        dead()._withUnsafeGuaranteedRef { $0.title = "another title that does not fit into a word" }
    }
    static func escapedBuffer() {
        let names = (0..<8).map { _ in make("name") }
        let pointer = names.withUnsafeBufferPointer { $0.baseAddress! }
        overRelease(unsafeBitCast(names, to: AnyObject.self))
        show(pointer[3].play())
    }

    static func task() async {
        nonisolated(unsafe) let game = dead()
        await Task {
            await Task.yield()
            show(game._withUnsafeGuaranteedRef { $0.play() })
        }.value
    }

    static let all: [String: () -> Void] = [
        "exit-callback": exitCallback, "delegate": delegate, "key-path": keyPath, "subclass": subclass,
        "board-in-array": boardInArray, "tail-element": tailElement, "string-storage": stringStorage,
        "dictionary-storage": dictionaryStorage, "timer": timer, "mirror": mirror,
        "notification": sentNotification, "changed": changed, "escaped-buffer": escapedBuffer,
    ]
}

@main enum DeadGames {
    static func main() async {
        let name = CommandLine.arguments.last ?? ""
        if name == "task" { return await Stories.task() }
        guard let story = Stories.all[name] else { return print(Stories.all.keys.sorted().joined(separator: "\n")) }
        story()
        print("done")
    }
}
