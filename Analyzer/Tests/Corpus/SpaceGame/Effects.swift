import Foundation

/// Explosions and what follows.
final class Effects {
    static let pool = Effects()

    private var running: [Effect] = []
    private var sounds: [String: Sound] = [:]
    private var frameHandlers: [UUID: (Double) -> Void] = [:]
    private var queue = DispatchQueue(label: "effects")
    private var finish: (() -> Void)?
    private var begin: (() -> Void)?
    private var fade: Effect?

    func sound(named name: String) -> Sound {
        if let sound = sounds[name] { return sound }
        let sound = Sound(name: name)
        sounds[name] = sound
        return sound
    }

    func explode(at node: Node) {
        let effect = Effect(name: "explosion")
        effect.completion = {  // suspect: stored-closure
            effect.stop()
        }
        running.append(effect)
        effect.start()
        running.removeAll { $0.isDone }
    }

    func flash(at node: Node) {
        let effect = Effect(name: "flash")
        effect.completion = { [weak effect] in  // no-finding: stored-closure
            effect?.stop()
        }
        running.append(effect)
    }

    func fadeOut() {
        fade = Effect(name: "fade")
        fade?.completion = {  // suspect: stored-closure
            self.running.removeAll()
        }
    }

    func fadeIn() {
        let effect = Effect(name: "fade in")
        effect.completion = {  // no-finding: stored-closure
            self.running.removeAll()
        }
        effect.start()
    }

    func prepare() {
        finish = {  // suspect: nested-capture
            self.queue.async { [weak self] in
                self?.running.removeAll()
            }
        }
        begin = { [weak self] in  // no-finding: nested-capture
            self?.queue.async { [weak self] in
                self?.running.removeAll()
            }
        }
    }

    func everyFrame(_ body: @escaping (Double) -> Void) -> UUID {
        let identifier = UUID()
        frameHandlers[identifier] = body
        return identifier
    }

    func remove(_ identifier: UUID) {
        frameHandlers[identifier] = nil
    }
}

final class Effect {
    let name: String
    var completion: (() -> Void)?
    private(set) var isDone = false

    init(name: String) {
        self.name = name
    }

    func start() {}

    func stop() {
        isDone = true
        completion?()
    }
}

final class Sound {
    let name: String

    init(name: String) {
        self.name = name
    }
}

/// Draws a trail while it exists.
final class Trail {
    private var frame: UUID?
    private var points: [Double] = []

    func show() {
        frame = Effects.pool.everyFrame { [weak self] delta in  // no-finding: stored-closure
            self?.points.append(delta)
        }
    }

    func hide() {
        if let frame { Effects.pool.remove(frame) }
        points = []
    }
}
