import Foundation

// globals are not captured; the application lives as long as the program; values are copied
final class Router {
    private var routes: [String: (String) -> String] = [:]
    private var fallback: ((String) -> String)?
    func on(_ path: String, _ body: @escaping (String) -> String) { routes[path] = body }
    func otherwise(_ body: @escaping (String) -> String) { fallback = body }
    func serve(_ path: String) -> String { (routes[path] ?? fallback)?(path) ?? "" }
    var count: Int { routes.count }
}
final class Application {
    static let shared = Application()
    private let router = Router()
    private var hits = 0
    private init() {
        router.on("/hits") { _ in "\(self.hits)" }
        router.otherwise { path in
            self.hits += 1
            return path
        }
    }
    func serve(_ path: String) -> String { router.serve(path) }
}
struct Settings {
    var name: String
    var watchers: [(String) -> Void] = []
    mutating func watch(_ list: Watchlist) {
        let before = self
        watchers.append { new in list.note(before.name, new) }
    }
    mutating func rename(_ new: String) {
        watchers.forEach { $0(new) }
        name = new
    }
}
final class Watchlist {
    private(set) var changes: [String] = []
    func note(_ old: String, _ new: String) { changes.append("\(old)→\(new)") }
}
final class Profile {
    private var settings = Settings(name: "a")
    private let list = Watchlist()
    private lazy var title: String = { self.settings.name.uppercased() }()
    private let format: (String) -> String = { $0.lowercased() }
    func rename(_ new: String) {
        settings.watch(list)
        settings.rename(format(new))
    }
    var text: String { title + list.changes.joined() }
}
let router = Router()
router.on("/") { _ in "\(router.count)" }
router.otherwise { path in router.serve("/") + path }
print(router.serve("/x"), Application.shared.serve("/y"), Application.shared.serve("/hits"))
let profile = Profile()
profile.rename("B")
print(profile.text)
