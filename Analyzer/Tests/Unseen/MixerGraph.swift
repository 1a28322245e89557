import Foundation

struct AudioBlock {
    var samples: [Float]

    var peak: Float { samples.lazy.map(abs).max() ?? 0 }

    func scaled(by gain: Float) -> AudioBlock {
        AudioBlock(samples: samples.map { $0 * gain })
    }

    static func + (lhs: AudioBlock, rhs: AudioBlock) -> AudioBlock {
        AudioBlock(samples: zip(lhs.samples, rhs.samples).map { $0 + $1 })
    }
}

protocol AudioSource: AnyObject {
    func render(frames: Int) -> AudioBlock
}

final class Oscillator: AudioSource {
    private var phase: Float = 0
    let frequency: Float

    init(frequency: Float) {
        self.frequency = frequency
    }

    func render(frames: Int) -> AudioBlock {
        AudioBlock(samples: (0..<frames).map { _ in
            self.phase += self.frequency / 48_000
            return sin(self.phase * 2 * .pi)
        })
    }
}

final class LevelMeter {
    private(set) var peak: Float = 0
    var onClip: ((Float) -> Void)?

    func feed(_ block: AudioBlock) {
        peak = max(peak * 0.95, block.peak)
        if block.peak > 1 { onClip?(block.peak) }
    }
}

final class Channel {
    let name: String
    private let source: any AudioSource
    private let meter = LevelMeter()
    private(set) var gain: Float
    private(set) var clipped = 0
    weak var mixer: Mixer?

    init(name: String, source: any AudioSource, gain: Float) {
        self.name = name
        self.source = source
        self.gain = gain
        meter.onClip = { peak in
            self.clipped += 1
            self.gain /= peak
        }
    }

    func pull(_ frames: Int) -> AudioBlock {
        let block = source.render(frames: frames).scaled(by: gain)
        meter.feed(block)
        return block
    }
}

protocol MixerDelegate: AnyObject {
    func mixer(_ mixer: Mixer, produced block: AudioBlock)
}

protocol MixerDataSource: AnyObject {
    func numberOfFrames(for mixer: Mixer) -> Int
}

final class Mixer {
    private var channels: [Channel] = []
    var delegate: (any MixerDelegate)?
    weak var dataSource: (any MixerDataSource)?

    func add(_ channel: Channel) {
        channel.mixer = self
        channels.append(channel)
    }

    func cycle() {
        let frames = dataSource?.numberOfFrames(for: self) ?? 64
        let silence = AudioBlock(samples: Array(repeating: 0, count: frames))
        let mix = channels.reduce(silence) { $0 + $1.pull(frames) }
        delegate?.mixer(self, produced: mix)
    }

    var clipReport: [String] { channels.filter { $0.clipped > 0 }.map(\.name) }
}

final class RecordingStudio: MixerDelegate, MixerDataSource {
    private let mixer = Mixer()
    private var take: [Float] = []
    private let takeLimit = 4_800

    init() {
        mixer.delegate = self
        mixer.dataSource = self
        mixer.add(Channel(name: "bass", source: Oscillator(frequency: 55), gain: 0.4))
        mixer.add(Channel(name: "lead", source: Oscillator(frequency: 440), gain: 1.3))
    }

    func numberOfFrames(for mixer: Mixer) -> Int { 128 }

    func mixer(_ mixer: Mixer, produced block: AudioBlock) {
        take.append(contentsOf: block.samples)
        if take.count > takeLimit { take.removeFirst(take.count - takeLimit) }
    }

    func record(cycles: Int) {
        for _ in 0..<cycles { mixer.cycle() }
        print(take.count, mixer.clipReport)
    }
}

RecordingStudio().record(cycles: 8)
RecordingStudio().record(cycles: 60)
