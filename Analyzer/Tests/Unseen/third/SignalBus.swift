import Dispatch
import Foundation

// MARK: - Signals

final class Token {
    private var onRelease: (() -> Void)?

    init(_ onRelease: @escaping () -> Void) {
        self.onRelease = onRelease
    }

    func invalidate() {
        onRelease?()
        onRelease = nil
    }

    deinit { invalidate() }
}

final class Signal<Value> {
    private var slots: [UUID: (Value) -> Void] = [:]

    func connect(_ slot: @escaping (Value) -> Void) -> Token {
        let id = UUID()
        slots[id] = slot
        return Token { [weak self] in self?.slots[id] = nil }
    }

    func connect<Target: AnyObject>(_ target: Target, _ method: @escaping (Target) -> (Value) -> Void) -> Token {
        connect { [weak target] value in
            guard let target else { return }
            method(target)(value)
        }
    }

    func once(_ slot: @escaping (Value) -> Void) {
        let id = UUID()
        slots[id] = { value in
            self.slots[id] = nil
            slot(value)
        }
    }

    func emit(_ value: Value) {
        for slot in slots.values { slot(value) }
    }

    func disconnectAll() {
        slots.removeAll()
    }

    var connections: Int { slots.count }
}

// MARK: - Observable property

@propertyWrapper
struct Observed<Value> {
    let projectedValue = Signal<Value>()
    private var value: Value

    init(wrappedValue: Value) {
        value = wrappedValue
    }

    var wrappedValue: Value {
        get { value }
        set {
            value = newValue
            projectedValue.emit(newValue)
        }
    }
}

// MARK: - Model

final class Thermostat {
    @Observed var target = 20.0
    @Observed var measured = 18.0
    let alarm = Signal<String>()

    func step() {
        measured += (target - measured) * 0.5
        if measured > 24 { alarm.emit("too hot: \(measured)") }
    }

    deinit {
        alarm.disconnectAll()
    }
}

// MARK: - Observers

final class Display {
    private let model: Thermostat
    private var tokens: [Token] = []
    private(set) var text = ""

    init(model: Thermostat) {
        self.model = model
        tokens = [
            model.$target.connect { [weak self] value in self?.text = "target \(value)" },
            model.$measured.connect(self, Display.measuredChanged),
        ]
    }

    private func measuredChanged(_ value: Double) {
        text = "now \((value * 10).rounded() / 10) of \(model.target)"
    }
}

final class AlarmLog {
    private var token: Token?
    private var latest: String?

    func attach(to model: Thermostat) {
        token = model.alarm.connect { message in
            self.latest = message
        }
    }

    func detach() -> String {
        token?.invalidate()
        token = nil
        return latest ?? "no alarm"
    }
}

final class ConfigWatcher {
    static let changed = Notification.Name("configChanged")

    private let center: NotificationCenter
    private var observer: NSObjectProtocol?
    private var values: [String: Double] = ["target": 20]
    private weak var model: Thermostat?

    init(center: NotificationCenter, model: Thermostat) {
        self.center = center
        self.model = model
        observer = center.addObserver(forName: Self.changed, object: nil, queue: nil) { [weak self] note in
            guard let self, let target = note.userInfo?["target"] as? Double else { return }
            self.values["target"] = target
            self.model?.target = target
        }
    }

    deinit {
        if let observer { center.removeObserver(observer) }
    }
}

final class Ticker {
    private let timer: DispatchSourceTimer
    private let queue: DispatchQueue
    private var ticks = 0
    private let body: () -> Void

    init(queue: DispatchQueue, every milliseconds: Int, _ body: @escaping () -> Void) {
        self.queue = queue
        self.body = body
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(milliseconds))
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            self.ticks += 1
            self.body()
        }
        timer.activate()
    }

    var count: Int { queue.sync { ticks } }

    deinit {
        timer.setEventHandler {}
        timer.cancel()
    }
}

// MARK: - Assembly

final class Room {
    private let model = Thermostat()
    private let display: Display
    private let log = AlarmLog()
    private let config: ConfigWatcher
    private let queue = DispatchQueue(label: "room")
    private var ticker: Ticker?

    init(center: NotificationCenter) {
        display = Display(model: model)
        config = ConfigWatcher(center: center, model: model)
        log.attach(to: model)
        model.alarm.once { [model] message in
            model.target = 20
            print("first alarm:", message)
        }
    }

    func open() {
        ticker = Ticker(queue: queue, every: 4) { [model] in model.step() }
    }

    func close() -> String {
        let ticks = ticker?.count ?? 0
        queue.sync { ticker = nil }
        model.alarm.disconnectAll()
        return "\(display.text); \(log.detach()); ticked \(ticks > 0)"
    }
}

func heat(to target: Double) {
    let center = NotificationCenter()
    let room = Room(center: center)
    center.post(name: ConfigWatcher.changed, object: nil, userInfo: ["target": target])
    room.open()
    Thread.sleep(forTimeInterval: 0.05)
    print(room.close())
}

for target in [22.0, 26.0, 30.0] { heat(to: target) }
Thread.sleep(forTimeInterval: 0.05)
