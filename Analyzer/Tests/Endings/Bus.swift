// Lost: subscribers never removed, the bus kept by the plugin; another class's handlers are emptied
final class Bus {
    private var handlers: [String: [(String) -> Void]] = [:]
    func on(_ topic: String, _ body: @escaping (String) -> Void) { handlers[topic, default: []].append(body) }
    func send(_ topic: String, _ text: String) { handlers[topic]?.forEach { $0(text) } }
}
final class Router {
    private var handlers: [String: () -> Void] = [:]
    func add(_ path: String, _ body: @escaping () -> Void) { handlers[path] = body }
    func clear() { handlers = [:] }
}
final class Plugin {
    private let bus: Bus
    private var seen = 0
    init(bus: Bus) {
        self.bus = bus
        bus.on("saved") { _ in self.seen += 1 }  // leak
    }
}
func run() {
    let bus = Bus()
    let plugin = Plugin(bus: bus)
    bus.send("saved", "a")
    let router = Router()
    router.add("/") { [weak plugin] in _ = plugin }
    router.clear()
}
run()
