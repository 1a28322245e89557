import Combine
import Foundation

protocol TrackObserver: AnyObject {
    func trackEnded(_ track: Track)
}

/// A piece of music.
final class Track {
    var observer: TrackObserver?
    weak var playlist: Playlist?  // no-finding: back-reference
    private(set) var samples: [Float] = []
    var onEnd: (() -> Void)?
    var meter: ((Float) -> Void)?
}

final class Playlist {
    private var tracks: [Track] = []
    private var cursors: [Cursor] = []
    var title = ""

    struct Cursor {
        let owner: Playlist  // suspect: payload-reference
        var index: Int
    }

    func add(_ track: Track) {
        track.playlist = self
        tracks.append(track)
    }

    func open() -> Cursor {
        let cursor = Cursor(owner: self, index: 0)
        cursors.append(cursor)
        return cursor
    }
}

/// Plays a track after another.
final class Player {
    private var track: Track?
    private var queue: [Track] = []
    private var effects: [Effect] = []
    private var state = State.idle
    private var subscription: AnyCancellable?
    private var bag: Set<AnyCancellable> = []
    private var level = Float(0)
    @Published var volume = 1.0

    indirect enum State {
        case idle
        case playing(Track)
        case fading(from: State, owner: Player)  // doubt: payload-reference
    }

    func play(_ next: Track) {
        track?.onEnd = nil
        track = next
        next.onEnd = { [weak self] in self?.advance() }  // no-finding: stored-closure
        next.meter = { level in  // suspect: stored-closure
            self.level = level
        }
        state = .playing(next)
    }

    private func advance() {
        state = .fading(from: state, owner: self)
        track = queue.isEmpty ? nil : queue.removeFirst()
    }

    func addEffect() {
        let effect = Effect(player: self)
        effect.process = { [weak effect] in effect?.gain ?? 0 }  // no-finding: stored-closure
        effect.bypass = { effect.gain == 0 }  // suspect: stored-closure
        effects.append(effect)
    }

    func bind(_ knob: Knob) {
        subscription = knob.values.sink { value in  // suspect: subscription
            self.volume = value
        }
        knob.values
            .filter { _ in self.level > 0 }  // suspect: subscription
            .sink { print($0) }
            .store(in: &bag)
        knob.values.assign(to: \.volume, on: self).store(in: &bag)  // suspect: subscription
        $volume.map { $0 * 2 }.sink { [weak self] _ in self?.advance() }.store(in: &bag)  // no-finding: subscription
    }
}

final class Knob {
    let values = PassthroughSubject<Double, Never>()
}

/// Knows its player without keeping it.
final class Effect {
    private weak var player: Player?  // no-finding: back-reference
    var gain = Float(1)
    var process: (() -> Float)?
    var bypass: (() -> Bool)?

    init(player: Player) {
        self.player = player
    }
}

/// Lists of samples.
final class Voices {
    final class Voice {
        let pitch: Double
        var next: Voice?

        init(pitch: Double) {
            self.pitch = pitch
        }
    }

    private var first: Voice?

    func voice(number: Int) -> Voice? {
        var voice = first
        for _ in 0..<number { voice = voice?.next }
        return voice
    }

    func mix(count: Int) -> Double {
        var sum = 0.0
        for number in 0..<count {
            guard let voice = voice(number: number) else { break }
            sum += voice.pitch
        }
        return sum
    }

    func chord(_ numbers: [Int]) -> [Voice] {
        numbers.compactMap { voice(number: $0) }
    }

    func last(count: Int) -> Voice? {
        voice(number: count - 1)
    }
}
