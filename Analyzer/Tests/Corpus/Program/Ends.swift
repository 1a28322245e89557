import Foundation
import Synchronization

/// Nothing calls what would end it.
final class Radio {
    private var onSong: (() -> Void)?
    private var songs = 0
    func play() { onSong = { self.songs += 1 } }  // suspect: stored-closure
    func stop() { onSong = nil }
    deinit { stop() }
}

/// Another type's function of that name is called, not this one's.
final class Siren {
    private var onAlarm: (() -> Void)?
    private var alarms = 0
    func start() { onAlarm = { self.alarms += 1 } }  // suspect: stored-closure
    func silence() { onAlarm = nil }
}

final class Speaker {
    func silence() {}
}

/// The program calls it.
final class Lamp {
    private var onSwitch: (() -> Void)?
    private var switches = 0
    func start() { onSwitch = { self.switches += 1 } }  // no-finding: stored-closure
    func unplug() { onSwitch = nil }
}

/// Emptied by the one who made it.
final class Door {
    var onKnock: (() -> Void)?
}

final class Guest {
    let door = Door()
    private var knocks = 0
    func wait() { door.onKnock = { self.knocks += 1 } }  // no-finding: stored-closure
}

/// `clear` empties the basket, not who watches it.
final class Basket {
    private var watchers: [() -> Void] = []
    private var items: [Int] = []
    func watch(_ body: @escaping () -> Void) { watchers.append(body) }
    func clear() { items.removeAll() }
}

final class Till {
    private let basket = Basket()
    private var sum = 0
    init() { basket.watch { self.sum += 1 } }  // suspect: stored-closure
    func reset() { basket.clear() }
}

/// The key that would take it out is thrown away.
final class Board {
    private var notes: [Int: () -> Void] = [:]
    private var next = 0
    @discardableResult
    func pin(_ note: @escaping () -> Void) -> Int {
        next += 1
        notes[next] = note
        return next
    }
    func unpin(_ key: Int) { notes[key] = nil }
}

final class Clerk {
    private let board = Board()
    private var key: Int?
    private var seen = 0
    func forget() { board.pin { self.seen += 1 } }  // suspect: stored-closure
    func keep() { key = board.pin { self.seen += 1 } }  // no-finding: stored-closure
    func leave() { if let key { board.unpin(key) } }
}

/// It retains itself, and its deinit would release it.
final class Host {
    private var handle: Unmanaged<Host>?
    func open() {
        let retained = Unmanaged.passRetained(self)  // suspect: unmanaged
        handle = retained
    }
    deinit { handle?.release() }
}

final class Visit {
    private var handle: Unmanaged<Visit>?
    func open() { handle = Unmanaged.passRetained(self) }  // no-finding: unmanaged
    func close() {
        handle?.release()
        handle = nil
    }
}

/// Only the deinit sets the flag, or closes the queue.
final class Mill {
    private var thread: Thread?
    private var isRunning = true
    private var turns = 0
    func start() {
        thread = Thread {  // suspect: endless-task
            while self.isRunning { self.turns += 1 }
        }
    }
    deinit { isRunning = false }
}

final class Press {
    private var thread: Thread?
    private var isRunning = true
    private var turns = 0
    func start() {
        thread = Thread {  // no-finding: endless-task
            while self.isRunning { self.turns += 1 }
        }
    }
    func stop() { isRunning = false }
}

final class Mailman {
    private let box = Box()
    private var thread: Thread?
    private var letters = 0
    init() { thread = Thread { self.work() } }  // suspect: endless-task
    private func work() { while let _ = box.take() { letters += 1 } }
    deinit { box.close() }
}

final class Box {
    func take() -> Int? { nil }
    func close() {}
}

/// Each run starts the next.
final class Pulse {
    private var beats = 0
    func beat() {
        beats += 1
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { self.beat() }  // no-finding: endless-task
    }
}

/// Elements are taken out one by one: what is left when the queue dies holds itself.
final class Car {
    var ahead: Car?
    var behind: Car?
}

struct Ferry {
    private var first: Car?
    private var last: Car?
    mutating func board() {
        let car = Car()
        if let last {
            last.behind = car
            car.ahead = last  // doubt: mutual-reference
        } else {
            first = car
        }
        last = car
    }
    mutating func popFirst() {
        first = first?.behind
        first?.ahead = nil
        if first == nil { last = nil }
    }
}

/// Kept by what its object leads to, by types alone.
final class Scope {
    private var values: [String: Worth] = [:]
    func define(_ name: String, _ worth: Worth) { values[name] = worth }
}

enum Worth {
    case number(Int)
    case function(Function)
}

final class Function {
    let scope: Scope  // suspect: back-reference
    init(scope: Scope) { self.scope = scope }
}
