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
