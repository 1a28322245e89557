import Foundation

// Lost: the task loops for ever; the timer is ended in deinit only
final class Poller {
    private var task: Task<Void, Never>?
    private var polls = 0
    func start() {
        task = Task {  // leak
            while !Task.isCancelled {
                self.polls += 1
                try? await Task.sleep(nanoseconds: 1_000_000)
            }
        }
    }
    deinit { task?.cancel() }
}
final class Clock {
    private var timer: Timer?
    private var ticks = 0
    func start() {
        timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in self.ticks += 1 }  // leak
    }
    deinit { timer?.invalidate() }
}
func run() async {
    let poller = Poller()
    poller.start()
    Clock().start()
    try? await Task.sleep(nanoseconds: 5_000_000)
}
await run()
