import Foundation

// Sound effects over a C style driver, music ducking by notifications, and volume fades.

extension Notification.Name {
    static let speechBegan = Notification.Name("speech.began")
    static let speechEnded = Notification.Name("speech.ended")
}

typealias DriverCallback = @convention(c) (UnsafeMutableRawPointer?, Int32) -> Void

/// Stands for the platform's driver: plays what is queued and calls back once for each.
final class Driver {
    private var queue: [(callback: DriverCallback, context: UnsafeMutableRawPointer?)] = []
    private let slots: Int

    init(slots: Int) {
        self.slots = slots
    }

    func submit(_ samples: [Float], _ callback: @escaping DriverCallback, _ context: UnsafeMutableRawPointer?) -> Bool {
        guard queue.count < slots, !samples.isEmpty else { return false }
        queue.append((callback, context))
        return true
    }

    func render() {
        let playing = queue
        queue.removeAll()
        for item in playing { item.callback(item.context, 0) }
    }
}

final class Clip {
    let name: String
    let samples: [Float]

    init(name: String, length: Int) {
        self.name = name
        samples = (0..<length).map { Float($0 % 8) / 8 }
    }
}

final class ClipBank {
    private var clips: [String: Clip] = [:]
    private var order: [String] = []
    private let capacity = 4

    func clip(_ name: String) -> Clip {
        if let known = clips[name] { return known }
        let clip = Clip(name: name, length: name == "silence" ? 0 : 32)
        clips[name] = clip
        order.append(name)
        if order.count > capacity {
            clips[order.removeFirst()] = nil
        }
        return clip
    }
}

final class Playback {
    let clip: Clip
    private let completion: (Bool) -> Void

    init(clip: Clip, completion: @escaping (Bool) -> Void) {
        self.clip = clip
        self.completion = completion
    }

    func ended(_ code: Int32) {
        completion(code == 0)
    }
}

final class EffectPlayer {
    private let driver: Driver
    private let bank: ClipBank
    private(set) var played = 0
    private(set) var rejected = 0

    init(driver: Driver, bank: ClipBank) {
        self.driver = driver
        self.bank = bank
    }

    @discardableResult
    func play(_ name: String, then completion: @escaping (Bool) -> Void = { _ in }) -> Bool {
        let playback = Playback(clip: bank.clip(name)) { ok in
            self.played += 1
            completion(ok)
        }
        let context = Unmanaged.passRetained(playback).toOpaque()
        let accepted = driver.submit(playback.clip.samples, { raw, code in
            guard let raw else { return }
            Unmanaged<Playback>.fromOpaque(raw).takeRetainedValue().ended(code)
        }, context)
        guard accepted else {
            rejected += 1
            return false
        }
        return true
    }

    /// Asks the driver with a context that only lives for the call.
    func measure(_ name: String) -> Int {
        let clip = bank.clip(name)
        let raw = Unmanaged.passUnretained(clip).toOpaque()
        return withExtendedLifetime(clip) {
            Unmanaged<Clip>.fromOpaque(raw).takeUnretainedValue().samples.count
        }
    }
}

final class Fade {
    private var steps: Int
    private var apply: ((Double) -> Void)?

    init(steps: Int, apply: @escaping (Double) -> Void) {
        self.steps = steps
        self.apply = apply
    }

    func tick() -> Bool {
        steps -= 1
        apply?(Double(steps))
        if steps <= 0 { apply = nil }
        return steps <= 0
    }
}

final class MusicDirector: @unchecked Sendable {
    private let lock = NSLock()
    private var volume = 1.0
    private var observers: [any NSObjectProtocol] = []
    private var fades: [Fade] = []
    private let track: Clip

    init(track: Clip) {
        self.track = track
    }

    func start() {
        let center = NotificationCenter.default
        observers.append(center.addObserver(forName: .speechBegan, object: nil, queue: nil) { _ in
            self.setVolume(0.3)
        })
        observers.append(center.addObserver(forName: .speechEnded, object: nil, queue: nil) { [weak self] _ in
            self?.setVolume(1.0)
        })
    }

    func stop() {
        observers.removeAll()
        fades.removeAll()
    }

    func fadeOut() {
        fades.append(Fade(steps: 4) { left in
            self.setVolume(left / 4)
        })
    }

    func tick() {
        fades.removeAll { $0.tick() }
    }

    var level: Double { lock.withLock { volume } }

    private func setVolume(_ value: Double) {
        lock.withLock { volume = value }
    }
}

final class SubtitleView: @unchecked Sendable {
    private var token: (any NSObjectProtocol)?
    private let lock = NSLock()
    private var shown = 0

    func appear() {
        token = NotificationCenter.default.addObserver(forName: .speechBegan, object: nil, queue: nil) { _ in
            self.show()
        }
    }

    func disappear() -> Int {
        if let token { NotificationCenter.default.removeObserver(token) }
        token = nil
        return lock.withLock { shown }
    }

    private func show() {
        lock.withLock { shown += 1 }
    }
}

func level() {
    let driver = Driver(slots: 3)
    let bank = ClipBank()
    let effects = EffectPlayer(driver: driver, bank: bank)
    let music = MusicDirector(track: bank.clip("theme"))
    let subtitles = SubtitleView()
    music.start()
    subtitles.appear()

    var finished = 0
    for step in 0..<10 {
        for name in ["jump", "coin", "step\(step)", "silence"] {
            effects.play(name) { ok in if ok { finished += 1 } }
        }
        driver.render()
        NotificationCenter.default.post(name: step % 2 == 0 ? .speechBegan : .speechEnded, object: nil)
    }
    music.fadeOut()
    for _ in 0..<5 { music.tick() }
    print("finished \(finished), rejected \(effects.rejected), coin is \(effects.measure("coin")) long")
    print("volume \(music.level), subtitles \(subtitles.disappear())")
    music.stop()
}

level()
