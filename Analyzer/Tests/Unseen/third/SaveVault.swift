import Dispatch
import Foundation

// Save games: a journal with commit callbacks, slots with snapshots, and an autosave loop.

struct GameState: Codable, Equatable, Sendable {
    var level = 1
    var coins = 0
    var inventory: [String] = []
}

struct Slot: Sendable {
    let number: Int
    var label: String
    var bytes: Int
}

/// Appends encoded states and tells its observers when one is safe.
final class Journal: @unchecked Sendable {
    typealias Commit = @Sendable (Slot) -> Void

    private let lock = NSLock()
    private var slots: [Int: Data] = [:]
    private var commit: Commit?
    private let slotLimit: Int

    init(slotLimit: Int) {
        self.slotLimit = slotLimit
    }

    func whenCommitted(_ action: @escaping Commit) {
        lock.withLock { commit = action }
    }

    func write(_ state: GameState, to number: Int) {
        guard let data = try? JSONEncoder().encode(state) else { return }
        let action = lock.withLock { () -> Commit? in
            slots[number % slotLimit] = data
            return commit
        }
        action?(Slot(number: number % slotLimit, label: "level \(state.level)", bytes: data.count))
    }

    func read(_ number: Int) -> GameState? {
        let data = lock.withLock { slots[number % slotLimit] }
        return data.flatMap { try? JSONDecoder().decode(GameState.self, from: $0) }
    }
}

final class UndoStack<Value> {
    private final class Link {
        let value: Value
        let below: Link?

        init(_ value: Value, below: Link?) {
            self.value = value
            self.below = below
        }
    }

    private var top: Link?
    private(set) var depth = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func push(_ value: Value) {
        if depth == limit {
            top = nil
            depth = 0
        }
        top = Link(value, below: top)
        depth += 1
    }

    func pop() -> Value? {
        guard let link = top else { return nil }
        top = link.below
        depth -= 1
        return link.value
    }
}

final class SaveVault: @unchecked Sendable {
    private let journal: Journal
    private let queue: DispatchQueue
    private var index: [Int: Slot] = [:]
    private var migrations: [(GameState) -> GameState] = []

    init(slots: Int) {
        journal = Journal(slotLimit: slots)
        let queue = DispatchQueue(label: "save.vault")
        self.queue = queue
        journal.whenCommitted { slot in
            queue.async { [weak self] in
                self?.remember(slot)
            }
        }
        migrations.append { old in
            var state = old
            state.inventory = Array(Set(old.inventory)).sorted()
            return state
        }
    }

    func save(_ state: GameState, in slot: Int) {
        journal.write(state, to: slot)
    }

    func load(_ slot: Int, then completion: @escaping @Sendable (GameState?) -> Void) {
        queue.async {
            let raw = self.journal.read(slot)
            completion(raw.map { self.migrate($0) })
        }
    }

    func listing() -> [String] {
        queue.sync {
            index.values.sorted { $0.number < $1.number }.map { "\($0.number): \($0.label)" }
        }
    }

    private func migrate(_ state: GameState) -> GameState {
        migrations.reduce(state) { $1($0) }
    }

    private func remember(_ slot: Slot) {
        index[slot.number] = slot
    }
}

final class Playthrough: @unchecked Sendable {
    private let lock = NSLock()
    private var state = GameState()
    private var undo = UndoStack<GameState>(limit: 10)
    private let vault: SaveVault
    private let slot: Int
    private var autosave: Task<Void, Never>?
    private var hint: Task<String, Never>?

    init(vault: SaveVault, slot: Int) {
        self.vault = vault
        self.slot = slot
    }

    deinit {
        autosave?.cancel()
    }

    func begin() {
        autosave = Task.detached {
            while !Task.isCancelled {
                self.checkpoint()
                try? await Task.sleep(for: .milliseconds(4))
            }
        }
        hint = Task {
            try? await Task.sleep(for: .milliseconds(2))
            return self.adviceText()
        }
    }

    func collect(_ item: String, worth coins: Int) {
        lock.withLock {
            undo.push(state)
            state.coins += coins
            state.inventory.append(item)
            if state.inventory.count > 12 { state.inventory.removeFirst() }
            if state.coins > state.level * 50 { state.level += 1 }
        }
    }

    func takeBack() {
        lock.withLock {
            if let old = undo.pop() { state = old }
        }
    }

    func finish() async -> String {
        checkpoint()
        let advice = await hint?.value ?? ""
        hint = nil
        return advice
    }

    private func adviceText() -> String {
        lock.withLock { state.coins > 20 ? "spend your coins" : "collect more" }
    }

    private func checkpoint() {
        let copy = lock.withLock { state }
        vault.save(copy, in: slot)
    }
}

func evening() async {
    let vault = SaveVault(slots: 4)
    for slot in 0..<3 {
        let run = Playthrough(vault: vault, slot: slot)
        run.begin()
        for step in 0..<15 {
            run.collect("item\(step % 5)", worth: step)
            if step % 6 == 5 { run.takeBack() }
        }
        try? await Task.sleep(for: .milliseconds(10))
        print("slot \(slot):", await run.finish())
    }
    print(vault.listing().joined(separator: ", "))
    let coins = await withCheckedContinuation { continuation in
        vault.load(1) { state in
            continuation.resume(returning: state?.coins ?? 0)
        }
    }
    print("slot 1 has \(coins) coins")
}

await evening()
