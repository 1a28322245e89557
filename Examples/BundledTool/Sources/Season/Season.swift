/// Each player holds the team that holds it.
final class Player {
    let name: String
    var team: Team?

    init(_ name: String) { self.name = name }
}

final class Team {
    var players: [Player] = []

    func add(_ player: Player) {
        player.team = self
        players.append(player)
    }
}

@main
enum Season {
    static func main() {
        play()
        print("The season is over.")
    }

    @inline(never) static func play() {
        let team = Team()
        for name in ["Ada", "Grace"] { team.add(Player(name)) }
    }
}
