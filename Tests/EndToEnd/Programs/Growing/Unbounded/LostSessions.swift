// Players connect and disconnect; the lobby forgets to remove them from one of its tables.
import Foundation

final class Inventory { var items: [String: Int] = ["sword": 1, "potion": 3] }
final class PlayerSession {
    let id: Int
    let inventory = Inventory()
    var position = (0, 0)
    var messages: [String] = []
    init(id: Int) { self.id = id }
    func act(_ step: Int) {
        position = (position.0 + step % 3, position.1 + step % 2)
        messages.append("moved to \(position.0), \(position.1) at step \(step)")
        if messages.count > 5 { messages.removeFirst() }
    }
}
final class Match {
    private(set) var players: [PlayerSession]
    let map: [Int]
    init(players: [PlayerSession]) {
        self.players = players
        map = (0..<200).map { $0 % 9 }
    }
    func run(turns: Int) { for turn in 0..<turns { for player in players { player.act(turn + map[turn % 200]) } } }
}
final class Lobby {
    private var waiting: [PlayerSession] = []
    private var byID: [Int: PlayerSession] = [:]
    private(set) var finished = 0
    func connect(_ id: Int) {
        let session = PlayerSession(id: id)
        byID[id] = session
        waiting.append(session)
        if waiting.count == 4 {
            let match = Match(players: waiting)
            waiting.removeAll()
            match.run(turns: 20)
            finished += 1
        }
    }
    func message(to id: Int, _ text: String) { byID[id]?.messages.append(text) }
    var known: Int { byID.count }
}
@main struct Main {
    static func main() async {
        let lobby = Lobby()
        for id in 0..<1_000 {
            lobby.connect(id)
            if id % 10 == 0 { lobby.message(to: id, "welcome") }
        }
        print(lobby.finished, "matches", lobby.known, "known")
    }
}
