import Foundation

// repeating timers that a method ends, given the timer; a screen's deinit stops its ticker, which is in no circle with it
final class Countdown {
    private var left: Int
    private(set) var isDone = false
    init(_ seconds: Int) { left = seconds }
    func start() {
        Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { timer in self.tick(timer) }
    }
    private func tick(_ timer: Timer) {
        left -= 1
        guard left <= 0 else { return }
        timer.invalidate()
        isDone = true
    }
}
final class Ticker {
    private var timer: Timer?
    private var observer: (any NSObjectProtocol)?
    private var source: (any DispatchSourceTimer)?
    private(set) var count = 0
    func start() {
        timer = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { _ in self.count += 1 }
        observer = NotificationCenter.default.addObserver(forName: .init("pause"), object: nil, queue: nil) { _ in
            self.count = 0
        }
        let source = DispatchSource.makeTimerSource(queue: .main)
        source.setEventHandler { self.count += 10 }
        source.schedule(deadline: .now(), repeating: 1)
        source.resume()
        self.source = source
    }
    func stop() {
        timer?.invalidate()
        observer.map(NotificationCenter.default.removeObserver)
        source?.cancel()
    }
}
final class Screen {
    private let ticker = Ticker()
    func appear() { ticker.start() }
    deinit { ticker.stop() }
}
final class Blink {
    private weak var lamp: Lamp?
    private var timer: Timer?
    init(lamp: Lamp) { self.lamp = lamp }
    func start() {
        let timer = Timer(timeInterval: 0.01, repeats: true) { timer in
            guard let lamp = self.lamp else { return timer.invalidate() }
            lamp.isOn.toggle()
        }
        RunLoop.main.add(timer, forMode: .common)
        self.timer = timer
    }
}
final class Lamp {
    var isOn = false
    private var blink: Blink?
    func blinkForAWhile() {
        blink = Blink(lamp: self)
        blink?.start()
    }
}
var screen: Screen? = Screen()
screen?.appear()
let countdown = Countdown(3)
countdown.start()
let lamp = Lamp()
lamp.blinkForAWhile()
while !countdown.isDone { RunLoop.main.run(until: Date().addingTimeInterval(0.01)) }
screen = nil
