// Three stages over streams with bounded buffers.
final class Frame: Sendable {
    let number: Int
    let samples: [Float]
    init(number: Int, samples: [Float]) {
        self.number = number
        self.samples = samples
    }
}
final class Analysed: Sendable {
    let number: Int
    let peak: Float
    let bins: [Float]
    init(number: Int, peak: Float, bins: [Float]) {
        self.number = number
        self.peak = peak
        self.bins = bins
    }
}
actor Gate {
    private var room: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []
    init(_ room: Int) { self.room = room }
    func enter() async {
        if room > 0 {
            room -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }
    func leave() { if waiting.isEmpty { room += 1 } else { waiting.removeFirst().resume() } }
}
struct Source {
    let frames: Int
    let gate: Gate
    func stream() -> AsyncStream<Frame> {
        let (stream, continuation) = AsyncStream.makeStream(of: Frame.self, bufferingPolicy: .bufferingOldest(64))
        Task {
            for number in 0..<frames {
                await gate.enter()
                continuation.yield(Frame(number: number, samples: (0..<256).map { Float(($0 * number) % 97) / 97 }))
            }
            continuation.finish()
        }
        return stream
    }
}
func analyse(_ frames: AsyncStream<Frame>) -> AsyncStream<Analysed> {
    let (stream, continuation) = AsyncStream.makeStream(of: Analysed.self, bufferingPolicy: .bufferingOldest(64))
    Task {
        for await frame in frames {
            var bins = [Float](repeating: 0, count: 16)
            for (index, sample) in frame.samples.enumerated() { bins[index % 16] += sample }
            continuation.yield(Analysed(number: frame.number, peak: frame.samples.max() ?? 0, bins: bins))
        }
        continuation.finish()
    }
    return stream
}
actor Window {
    private var last: [Analysed] = []
    private var sum: Float = 0
    private var count = 0
    func add(_ one: Analysed) {
        last.append(one)
        if last.count > 50 { last.removeFirst() }
        sum += one.peak
        count += 1
    }
    var text: String { "\(count) frames, mean peak \(Int(sum / Float(max(1, count)) * 1000)), window \(last.count)" }
}
@main struct Main {
    static func main() async {
        let gate = Gate(32)
        let window = Window()
        for await one in analyse(Source(frames: 1_500, gate: gate).stream()) {
            await window.add(one)
            await gate.leave()
        }
        print(await window.text)
    }
}
