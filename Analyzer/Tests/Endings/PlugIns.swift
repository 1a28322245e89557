// plugins made by their metatypes: those that hold their host strongly, while it keeps them
protocol Services: AnyObject { func note(_ text: String) }
protocol Plugin { init(services: Services) }
struct Registrar {
    let make: (Services) -> any Plugin
    init<P: Plugin>(_ type: P.Type) { make = { type.init(services: $0) } }
}
final class Kernel: Services {
    private var loaded: [String: any Plugin] = [:]
    private var notes: [String] = []
    func load(_ type: any Plugin.Type) { loaded["\(type)"] = type.init(services: self) }
    func load(_ name: String, _ registrar: Registrar) { loaded[name] = registrar.make(self) }
    func note(_ text: String) { notes.append(text) }
}
final class Spelling: Plugin {
    private let services: any Services  // leak
    init(services: any Services) { self.services = services }
}
final class Grammar: Plugin {
    private weak var services: (any Services)?
    init(services: any Services) { self.services = services }
}
final class Scanner {
    private let services: any Services
    init(services: any Services) { self.services = services }
}
let kernel = Kernel()
kernel.load(Spelling.self)
kernel.load("grammar", Registrar(Grammar.self))
let scanner = Scanner(services: kernel)
