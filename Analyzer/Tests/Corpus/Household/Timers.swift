import Foundation
import Dispatch

final class Clock {
    private var timer: Timer?
    private var second: Timer?
    private weak var third: Timer?
    private var ticks = 0
    private let source = DispatchSource.makeTimerSource()
    private var item: DispatchWorkItem?

    init() {
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in self.ticks += 1 }  // suspect: timer
        second = .scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] _ in self?.ticks += 1 }  // no-finding: timer
        let once = Timer(timeInterval: 5, repeats: false) { _ in self.ticks = 0 }  // no-finding: timer
        RunLoop.main.add(once, forMode: .default)
        third = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [self] _ in ticks += 1 }  // doubt: timer
    }

    func run() {
        source.schedule(deadline: .now(), repeating: 1)
        source.setEventHandler { [unowned self] in self.ticks += 1 }  // no-finding: dispatch-source
        source.setCancelHandler(handler: DispatchWorkItem { self.ticks = 0 })  // suspect: dispatch-source
        source.resume()
    }

    func delay() {
        let item = DispatchWorkItem { self.ticks += 1 }  // suspect: stored-closure
        self.item = item
        DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: item)
    }

    func delayWeakly() {
        item = DispatchWorkItem { [weak self] in self?.ticks += 1 }  // no-finding: stored-closure
    }

    func later() {
        DispatchQueue.main.async { self.ticks += 1 }  // no-finding: stored-closure
    }

    deinit { timer?.invalidate(); second?.invalidate(); third?.invalidate() }
}

final class Countdown {
    private var left = 10
    private var timer: Timer?

    func start() {
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { timer in  // no-finding: timer
            self.left -= 1
            if self.left == 0 { timer.invalidate() }
        }
    }
}
