import Foundation

// A small match-three game: board, animator, sprite pool and a head-up display.

struct Cell: Hashable {
    var column: Int
    var row: Int

    func neighbour(_ dc: Int, _ dr: Int) -> Cell {
        Cell(column: column + dc, row: row + dr)
    }
}

enum Gem: Int, CaseIterable {
    case ruby, emerald, sapphire, topaz
}

struct Dice {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6364136223846793005 &+ 1442695040888963407
        return Int((state >> 33) % UInt64(bound))
    }
}

final class Animation {
    let label: String
    private var remaining: Double
    private var completion: (() -> Void)?

    init(label: String, duration: Double, completion: @escaping () -> Void) {
        self.label = label
        self.remaining = duration
        self.completion = completion
    }

    func advance(_ dt: Double) -> Bool {
        remaining -= dt
        guard remaining <= 0 else { return false }
        let finished = completion
        completion = nil
        finished?()
        return true
    }

    func abandon() {
        completion = nil
    }
}

final class Animator {
    private var active: [Animation] = []
    private var incoming: [Animation] = []

    var isIdle: Bool { active.isEmpty && incoming.isEmpty }

    func run(_ label: String, duration: Double, then completion: @escaping () -> Void) {
        incoming.append(Animation(label: label, duration: duration, completion: completion))
    }

    func tick(_ dt: Double) {
        active.append(contentsOf: incoming)
        incoming.removeAll(keepingCapacity: true)
        let batch = active
        active = batch.filter { !$0.advance(dt) }
    }

    func cancelAll() {
        (active + incoming).forEach { $0.abandon() }
        active.removeAll()
        incoming.removeAll()
    }
}

final class Sprite {
    unowned let home: SpritePool
    var gem: Gem = .ruby
    var visible = false

    init(home: SpritePool) {
        self.home = home
    }

    func retire() {
        visible = false
        home.recycle(self)
    }
}

final class SpritePool {
    private var free: [Sprite] = []
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func take(_ gem: Gem) -> Sprite {
        let sprite = free.popLast() ?? Sprite(home: self)
        sprite.gem = gem
        sprite.visible = true
        return sprite
    }

    func recycle(_ sprite: Sprite) {
        guard free.count < limit else { return }
        free.append(sprite)
    }
}

final class Board {
    let width: Int
    let height: Int
    var onScore: ((Int) -> Void)?

    private let animator = Animator()
    private let pool = SpritePool(limit: 64)
    private var sprites: [Cell: Sprite] = [:]
    private var dice: Dice
    private var combo = 0

    init(width: Int, height: Int, seed: UInt64) {
        self.width = width
        self.height = height
        self.dice = Dice(seed: seed)
        fillGaps()
    }

    var isBusy: Bool { !animator.isIdle }

    func swap(_ a: Cell, _ b: Cell) {
        guard !isBusy, sprites[a] != nil, sprites[b] != nil else { return }
        combo = 0
        animator.run("swap", duration: 0.2) {
            let held = self.sprites[a]
            self.sprites[a] = self.sprites[b]
            self.sprites[b] = held
            self.resolve()
        }
    }

    func frame(_ dt: Double) {
        animator.tick(dt)
    }

    func close() {
        animator.cancelAll()
        onScore = nil
        sprites.removeAll()
    }

    private func resolve() {
        let hits = matches()
        guard !hits.isEmpty else { return }
        combo += 1
        let gained = hits.count * 10 * combo
        animator.run("burst", duration: 0.1) {
            for cell in hits {
                self.sprites.removeValue(forKey: cell)?.retire()
            }
            self.onScore?(gained)
            self.animator.run("fall", duration: 0.15) {
                self.fillGaps()
                if self.combo < 6 { self.resolve() }
            }
        }
    }

    private func fillGaps() {
        for column in 0..<width {
            for row in 0..<height {
                let cell = Cell(column: column, row: row)
                if sprites[cell] == nil {
                    let gem = Gem.allCases[dice.next(Gem.allCases.count)]
                    sprites[cell] = pool.take(gem)
                }
            }
        }
    }

    private func matches() -> Set<Cell> {
        var found: Set<Cell> = []
        for cell in sprites.keys {
            for (dc, dr) in [(1, 0), (0, 1)] {
                let run = [cell, cell.neighbour(dc, dr), cell.neighbour(2 * dc, 2 * dr)]
                let gems = run.compactMap { sprites[$0]?.gem }
                if gems.count == 3, Set(gems).count == 1 {
                    found.formUnion(run)
                }
            }
        }
        return found
    }
}

final class HeadUpDisplay {
    private let board: Board
    private(set) var score = 0
    private var recent: [String] = []

    init(board: Board) {
        self.board = board
        board.onScore = { [weak self] gained in
            self?.show(gained)
        }
    }

    var summary: String { "score \(score), last: \(recent.joined(separator: " "))" }

    private func show(_ gained: Int) {
        score += gained
        recent.append("+\(gained)")
        if recent.count > 4 { recent.removeFirst() }
    }
}

func playRound(seed: UInt64) {
    let board = Board(width: 6, height: 6, seed: seed)
    let hud = HeadUpDisplay(board: board)
    for step in 0..<12 {
        board.swap(Cell(column: step % 5, row: step % 6), Cell(column: step % 5 + 1, row: step % 6))
        var frames = 0
        while board.isBusy && frames < 400 {
            board.frame(1.0 / 30.0)
            frames += 1
        }
    }
    board.close()
    print("seed \(seed): \(hud.summary)")
}

for seed in 1...3 {
    playRound(seed: UInt64(seed))
}
