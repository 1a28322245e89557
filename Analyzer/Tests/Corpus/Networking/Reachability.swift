import Foundation

/// Watches the network.
final class Reachability {
    private let queue = DispatchQueue(label: "reachability")
    private var source: DispatchSourceTimer?
    private var probe: DispatchSourceTimer?
    private var file: DispatchSourceFileSystemObject?
    private var onChange: [(Bool) -> Void] = []
    private var isReachable = false
    private var workItem: DispatchWorkItem?

    func start() {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now(), repeating: 5)
        source.setEventHandler {  // suspect: dispatch-source
            self.check()
        }
        source.setRegistrationHandler { self.check() }  // no-finding: dispatch-source
        self.source = source
        source.resume()
    }

    func startProbe() {
        probe = DispatchSource.makeTimerSource(queue: queue)
        probe?.setEventHandler { [unowned self] in  // no-finding: unowned-outlived
            self.check()
        }
        probe?.setCancelHandler {  // suspect: dispatch-source
            print("cancelled \(self.isReachable)")
        }
        probe?.resume()
    }

    func watch(_ descriptor: Int32) {
        let file = DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: .all)
        file.setEventHandler { [weak self] in self?.check() }  // no-finding: dispatch-source
        file.activate()
        self.file = file
    }

    /// Lives for one event.
    func once() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler {  // no-finding: dispatch-source
            self.check()
            timer.cancel()
        }
        timer.resume()
    }

    func later() {
        workItem = DispatchWorkItem {  // suspect: stored-closure
            self.check()
        }
        queue.async(execute: workItem!)
    }

    func notify(_ handler: @escaping (Bool) -> Void) -> Self {
        onChange.append(handler)
        return self
    }

    private func check() {
        isReachable.toggle()
        onChange.forEach { $0(isReachable) }
    }
}

/// Shows it.
final class StatusBar {
    private let reachability = Reachability()
    private var text = ""
    private var retry: Timer?
    private var flash: Timer?

    func begin() {
        _ = reachability.notify { reachable in  // suspect: stored-closure
            self.text = reachable ? "on" : "off"
        }
        retry = .scheduledTimer(withTimeInterval: 3, repeats: true) { [weak self] _ in  // no-finding: timer
            self?.text = ""
        }
        let flash = Timer(timeInterval: 1, repeats: true) { _ in  // suspect: timer
            self.text = "*"
        }
        RunLoop.main.add(flash, forMode: .common)
        self.flash = flash
    }

    /// Whoever gets the token ends it.
    func blink() -> TimerToken {
        let timer = Timer(timeInterval: 1, repeats: true) { _ in  // no-finding: timer
            self.text += "."
        }
        return TimerToken(timer: timer)
    }

    deinit {
        retry?.invalidate()
        flash?.invalidate()
    }
}

struct TimerToken {
    let timer: Timer

    func cancel() {
        timer.invalidate()
    }
}
