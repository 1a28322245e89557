// Living objects at exit: cycles that only a task keeps alive, owned ones, and functions that do not return.
import Foundation

final class Loader {
    var task: Task<Void, Never>?
    var number = 0

    func start() {
        task = Task {
            while !Task.isCancelled {
                try? await Task.sleep(nanoseconds: 1_000_000_000_000)
                self.number += 1
            }
        }
    }
}
final class WeakLoader {
    var task: Task<Void, Never>?
    var number = 0

    func start() {
        task = Task { [weak self] in
            try? await Task.sleep(nanoseconds: 1_000_000_000_000)
            self?.number += 1
        }
    }
}
final class Part {
    var number = 2
}
final class Server {
    var parts: [Part] = []

    @inline(never) func run() { parts.append(Part()) }
}

final class Ticker {
    var parts: [Part] = []
    var timer: DispatchSourceTimer?

    func start() {
        parts = (0..<4).map { _ in Part() }
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + 0.05, repeating: 0.05)
        timer.setEventHandler { [weak self] in self?.parts.first?.number += 1 }
        timer.resume()
        self.timer = timer
    }
}

/// Its handler holds it when it has rung, too.
final class Alarm {
    private let source: any DispatchSourceTimer
    private let done = DispatchSemaphore(value: 0)
    private var rung = 0

    init(on queue: DispatchQueue) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler {
            self.rung += 1
            self.done.signal()
        }
        source.schedule(deadline: .now() + .milliseconds(2))
        source.resume()
    }

    func wait() -> Int {
        done.wait()
        return rung
    }
}

nonisolated(unsafe) var ownedLoader: Loader?
nonisolated(unsafe) var weakLoader: WeakLoader?

@inline(never) func exitInside() {
    let server = Server()
    server.run()
    print("end", server.parts.count)
    exit(0)
}
@inline(never) func endInTheQueues() {
    let server = Ticker()
    let names = ["a": Part(), "b": Part()]
    server.start()
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) {
        print("end")
        exit(0)
    }
    let second = Ticker()
    second.start()
    print("begin", names.count)
    dispatchMain()
}
@inline(never) func ring(on queue: DispatchQueue) -> Int { Alarm(on: queue).wait() }
@inline(never) func ringTwelve() {
    let queue = DispatchQueue(label: "alarms")
    print("rung", (0..<12).reduce(0) { sum, _ in sum + ring(on: queue) })
    queue.sync {}
}
/// Overwrites what calls have left on the stack.
@inline(never) func clean(_ depth: Int) -> Int { depth == 0 ? 0 : 1 + clean(depth - 1) * 3 % 7 }
@inline(never) func lose() { _ = Unmanaged.passRetained(Server()) }

@main enum Program {
    static func main() {
        switch CommandLine.arguments[1] {
        case "task": Loader().start()
        case "owned-task":
            ownedLoader = Loader()
            ownedLoader?.start()
        case "weak-task":
            weakLoader = WeakLoader()
            weakLoader?.start()
        case "exit-inside": exitInside()
        case "dispatch-main": endInTheQueues()
        case "alarms":
            ringTwelve()
            print("clean", clean(2000) >= 0)
        case "lost-before-exit":
            lose()
            print("end")
            exit(0)
        default: break
        }
        usleep(100_000)
        print("end")
    }
}
