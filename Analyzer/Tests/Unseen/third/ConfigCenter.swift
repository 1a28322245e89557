import Foundation

// Configuration with reload notices, a change stream, and a bridge to a C style callback table.

extension Notification.Name {
    static let configReloaded = Notification.Name("config.reloaded")
}

struct Settings: Sendable, Equatable {
    var values: [String: String] = [:]

    init(text: String) {
        for line in text.split(separator: "\n") {
            let pair = line.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { values[String(pair[0])] = String(pair[1]) }
        }
    }

    subscript(key: String) -> String? { values[key] }
}

@propertyWrapper
struct Guarded<Value> {
    private final class Box {
        let lock = NSLock()
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private let box: Box

    init(wrappedValue: Value) {
        box = Box(wrappedValue)
    }

    var wrappedValue: Value {
        get { box.lock.withLock { box.value } }
        nonmutating set { box.lock.withLock { box.value = newValue } }
    }
}

final class ConfigCenter: @unchecked Sendable {
    @Guarded private var current = Settings(text: "")
    @Guarded private var listeners: [Int: AsyncStream<Settings>.Continuation] = [:]
    @Guarded private var serial = 0

    var settings: Settings { current }

    func reload(_ text: String) {
        let fresh = Settings(text: text)
        guard fresh != current else { return }
        current = fresh
        for listener in listeners.values { listener.yield(fresh) }
        NotificationCenter.default.post(name: .configReloaded, object: self)
    }

    func changes() -> AsyncStream<Settings> {
        serial += 1
        let key = serial
        return AsyncStream { continuation in
            self.listeners[key] = continuation
            continuation.onTermination = { _ in
                self.listeners[key] = nil
            }
        }
    }

    func close() {
        let open = listeners
        listeners = [:]
        open.values.forEach { $0.finish() }
    }
}

/// Applies limits from the configuration; holds a notification token until it is closed.
final class LimitPolicy: @unchecked Sendable {
    private let center: ConfigCenter
    private var token: (any NSObjectProtocol)?
    @Guarded private(set) var limit = 10

    init(center: ConfigCenter) {
        self.center = center
        token = NotificationCenter.default.addObserver(
            forName: .configReloaded, object: center, queue: nil
        ) { _ in
            self.limit = self.center.settings["limit"].flatMap(Int.init) ?? 10
        }
    }

    func close() {
        if let token { NotificationCenter.default.removeObserver(token) }
        token = nil
    }
}

final class BannerPolicy: @unchecked Sendable {
    @Guarded private(set) var banner = "-"
    private let token: any NSObjectProtocol

    private final class Relay: @unchecked Sendable {
        weak var target: BannerPolicy?
    }

    init(center: ConfigCenter) {
        let relay = Relay()
        token = NotificationCenter.default.addObserver(
            forName: .configReloaded, object: center, queue: nil
        ) { note in
            let source = note.object as? ConfigCenter
            relay.target?.banner = source?.settings["banner"] ?? "-"
        }
        relay.target = self
    }

    deinit {
        NotificationCenter.default.removeObserver(token)
    }
}

typealias RawCallback = @convention(c) (UnsafeMutableRawPointer, Int) -> Void

/// Stands for a C library that keeps a function pointer and a context.
struct RawRegistry {
    private var entry: (RawCallback, UnsafeMutableRawPointer)?

    mutating func set(_ callback: @escaping RawCallback, _ context: UnsafeMutableRawPointer) {
        entry = (callback, context)
    }

    func fire(_ value: Int) {
        if let (callback, context) = entry { callback(context, value) }
    }

    mutating func clear() -> UnsafeMutableRawPointer? {
        defer { entry = nil }
        return entry?.1
    }
}

final class SignalCounter {
    private(set) var total = 0
    func add(_ value: Int) { total += value }
}

final class SignalBridge {
    private var registry = RawRegistry()
    private let counter = SignalCounter()

    func open() {
        let context = Unmanaged.passRetained(counter).toOpaque()
        registry.set({ raw, value in
            Unmanaged<SignalCounter>.fromOpaque(raw).takeUnretainedValue().add(value)
        }, context)
    }

    func deliver(_ value: Int) { registry.fire(value) }

    func close() -> Int {
        if let raw = registry.clear() {
            Unmanaged<SignalCounter>.fromOpaque(raw).release()
        }
        return counter.total
    }

    /// One call with its own context, which the callback consumes.
    static func once(_ value: Int) {
        let callback: RawCallback = { raw, value in
            let counter = Unmanaged<SignalCounter>.fromOpaque(raw).takeRetainedValue()
            counter.add(value)
            print("once saw \(counter.total)")
        }
        callback(Unmanaged.passRetained(SignalCounter()).toOpaque(), value)
    }
}

final class Auditor: Sendable {
    private let center: ConfigCenter

    init(center: ConfigCenter) {
        self.center = center
    }

    func watch() -> Task<Int, Never> {
        let stream = center.changes()
        return Task {
            var seen = 0
            for await settings in stream {
                seen += 1
                self.check(settings)
            }
            return seen
        }
    }

    private func check(_ settings: Settings) {
        if settings["limit"] == nil { print("no limit set") }
    }
}

func lifecycle() async {
    let center = ConfigCenter()
    let limits = LimitPolicy(center: center)
    let banner = BannerPolicy(center: center)
    let audit = Auditor(center: center).watch()
    let bridge = SignalBridge()
    bridge.open()
    for round in 1...4 {
        center.reload("limit=\(round * 5)\nbanner=round \(round)")
        bridge.deliver(round)
    }
    SignalBridge.once(9)
    print("limit \(limits.limit), banner \(banner.banner), signals \(bridge.close())")
    limits.close()
    center.close()
    print("audit saw \(await audit.value)")
}

await lifecycle()
