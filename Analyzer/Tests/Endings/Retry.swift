import Foundation

// local functions by closure variables that are let go, and a toggle that leaves early
final class Probe {
    private var attempts = 0
    private var hook: (() -> Void)?
    private let queue = DispatchQueue(label: "probe")
    func poll(limit: Int, _ done: @escaping (Int) -> Void) {
        var step: (() -> Void)?
        step = {
            self.attempts += 1
            if self.attempts == limit {
                step = nil
                done(self.attempts)
            } else {
                self.queue.async { step?() }
            }
        }
        step?()
    }
    func walk(_ depth: Int) -> Int {
        var descend: ((Int) -> Int)!
        defer { descend = nil }
        descend = { level in level == 0 ? 0 : 1 + descend(level - 1) }
        return descend(depth)
    }
    func setHook(isOn: Bool) {
        guard isOn else {
            hook = nil
            return
        }
        hook = { self.attempts = 0 }
    }
    func observe() async {
        hook = { self.attempts += 100 }
        await Task {
            self.hook?()
            self.hook = nil
        }.value
    }
}
final class Switch {
    var isOn = false {
        didSet { if isOn { action = { self.count += 1 } } else { action = nil } }
    }
    private var action: (() -> Void)?
    private(set) var count = 0
    func press() { action?() }
}
final class Gateway {
    var responder: ((String) -> String)?
    private var served = 0
    func serve(_ requests: [String]) -> [String] {
        responder = { text in
            self.served += 1
            return text.uppercased()
        }
        let answers = requests.compactMap { responder?($0) }
        close()
        return answers
    }
    private func close() { responder = nil }
}
let probe = Probe()
probe.poll(limit: 3) { print($0) }
print(probe.walk(5))
probe.setHook(isOn: true)
probe.setHook(isOn: false)
await probe.observe()
let toggle = Switch()
toggle.isOn = true
toggle.press()
toggle.isOn = false
print(Gateway().serve(["a", "b"]))
