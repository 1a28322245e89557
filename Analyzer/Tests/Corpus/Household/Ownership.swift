import Foundation

final class Player {
    unowned let team: Team  // no-finding: unowned-outlived
    unowned var rival: Player?  // doubt: unowned-outlived
    init(team: Team) { self.team = team }
}

final class Team {
    private var players: [Player] = []
    func join() { players.append(Player(team: self)) }
}

final class Wire {
    unowned(unsafe) var device: Device  // doubt: unowned-outlived
    init(_ device: Device) { self.device = device }
}

final class Device {
    var name = ""
    func ping(_ done: @escaping () -> Void) {
        DispatchQueue.global().async { [unowned self] in  // doubt: unowned-outlived
            self.name = "pinged"
            done()
        }
        DispatchQueue.global().sync { [unowned self] in self.name = "now" }  // no-finding: unowned-outlived
    }
}

/// Nodes of a cache: the table owns them, the links do not.
final class LeastRecent<Value> {
    final class Node {
        var value: Value
        unowned var before: Node?  // no-finding: unowned-outlived
        unowned var after: Node?  // no-finding: unowned-outlived
        init(_ value: Value) { self.value = value }
    }
    private var table: [String: Node] = [:]
    private unowned var head: Node?  // no-finding: unowned-outlived

    func put(_ value: Value, _ key: String) {
        let node = Node(value)
        table[key] = node
        node.after = head
        head?.before = node
        head = node
        if table.count > 10 { table.removeAll() }
    }
}

/// Lives within one call of the one it knows.
final class Pass {
    private unowned let compiler: Compiler  // no-finding: unowned-outlived
    init(_ compiler: Compiler) { self.compiler = compiler }
    func run() -> Int { compiler.level }
}

final class Compiler {
    var level = 1
    func compile() -> Int {
        let pass = Pass(self)
        return pass.run()
    }
}
