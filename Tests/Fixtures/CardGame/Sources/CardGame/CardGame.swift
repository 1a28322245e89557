/// A player, who knows the table.
public final class Player {
    public let name: String
    public weak var table: Table?
    /// The fault, when somebody sets it: a player that holds the table that holds the player.
    public var heldTable: Table?

    public init(name: String) { self.name = name }
}

/// A table of players.
public final class Table {
    public private(set) var players: [Player] = []
    public var onDeal: (() -> Void)?
    public private(set) var rounds = 0

    public init() {}

    public func seat(_ player: Player) {
        players.append(player)
        player.table = self
    }

    @inline(never)
    public func deal() {
        rounds += 1
        onDeal?()
    }
}

/// Deals after a while.
public actor Dealer {
    public private(set) var dealt = 0

    public init() {}

    public func deal(at table: Table) async throws {
        try await Task.sleep(for: .milliseconds(1))
        dealt += 1
        table.deal()
    }
}

extension Table: @unchecked Sendable {}
extension Player: @unchecked Sendable {}
extension Memories: @unchecked Sendable {}

/// What a deal can fail with.
public struct Misdeal: Error {
    public init() {}
}

@inline(never)
public func makeTable(players: Int) -> Table {
    let table = Table()
    for number in 0..<players { table.seat(Player(name: "player number \(number) of this table")) }
    return table
}

/// A table that its first player holds: a retain cycle.
@inline(never)
public func makeHeldTable() -> Table {
    let table = makeTable(players: 3)
    table.players[0].heldTable = table
    return table
}

/// A table that all of its players hold.
@inline(never)
public func makeTableOfHolders() -> Table {
    let table = makeTable(players: 4)
    for player in table.players { player.heldTable = table }
    return table
}

/// A table whose handler captures it: a retain cycle through a closure.
@inline(never)
public func makeTalkingTable() -> Table {
    let table = makeTable(players: 2)
    table.onDeal = { print(table.rounds, terminator: "") }
    return table
}

/// Serves a table that others keep.
public final class Waiter {
    private unowned(unsafe) let table: Table

    public init(table: Table) { self.table = table }

    public func serve() { table.deal() }
}

/// A waiter whose table went with its guests: a zombie as soon as he serves.
@inline(never)
public func makeLateWaiter() -> Waiter { Waiter(table: makeTable(players: 2)) }

/// Tables that somebody still remembers.
public final class Memories {
    public static let shared = Memories()
    public private(set) var tables: [Table] = []

    public func keep(_ table: Table) { tables.append(table) }
    public func forget() { tables.removeAll() }
}
