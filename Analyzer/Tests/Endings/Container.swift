// a container of services: factories get the container as an argument; services keep what they need only
protocol Service: AnyObject { func stop() }
final class Container {
    private var factories: [String: (Container) -> Service] = [:]
    private var made: [String: Service] = [:]
    func register(_ name: String, _ make: @escaping (Container) -> Service) { factories[name] = make }
    func resolve(_ name: String) -> Service? {
        if let service = made[name] { return service }
        guard let make = factories[name] else { return nil }
        let service = make(self)
        made[name] = service
        return service
    }
    func shutdown() {
        made.values.forEach { $0.stop() }
        made = [:]
    }
}
final class Log: Service {
    private var lines: [String] = []
    func write(_ line: String) { lines.append(line) }
    func stop() { lines.removeAll() }
}
final class Mailer: Service {
    private let log: Log
    private var container: Container?
    private var retry: (() -> Void)?
    init(log: Log, container: Container) {
        self.log = log
        self.container = container
        retry = { [log] in log.write("again") }
    }
    func send(_ text: String) {
        log.write(text)
        if text.isEmpty { retry?() }
    }
    func audit() { (container?.resolve("audit") as? Audit)?.note("mail") }
    func stop() { container = nil }
}
final class Audit: Service {
    private unowned let container: Container
    private var notes = 0
    init(container: Container) { self.container = container }
    func note(_ what: String) {
        notes += 1
        (container.resolve("log") as? Log)?.write(what)
    }
    func stop() {}
}
func assemble() -> Container {
    let container = Container()
    container.register("log") { _ in Log() }
    container.register("audit") { Audit(container: $0) }
    container.register("mail") { container in
        Mailer(log: container.resolve("log") as! Log, container: container)
    }
    return container
}
let container = assemble()
(container.resolve("mail") as? Mailer)?.send("hi")
(container.resolve("mail") as? Mailer)?.audit()
container.shutdown()
