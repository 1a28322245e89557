import Foundation

// growth that is bounded: start-up registration, a tail, a ring, and objects of globals
struct Command {
    let name: String
    let run: ([String]) -> Int
}
enum Commands {
    nonisolated(unsafe) private static var all: [Command] = []
    static func add(_ name: String, _ run: @escaping ([String]) -> Int) { all.append(Command(name: name, run: run)) }
    static func run(_ line: String) -> Int {
        let words = line.split(separator: " ").map(String.init)
        return all.first { $0.name == words.first }?.run(Array(words.dropFirst())) ?? -1
    }
}
enum Recent {
    nonisolated(unsafe) private static var lines: [String] = []
    static func note(_ line: String) {
        lines.append(line)
        lines = lines.suffix(8)
    }
    nonisolated(unsafe) private static var marks: [Int] = []
    static func mark(_ value: Int) {
        marks.append(value)
        trim(&marks)
    }
    private static func trim(_ values: inout [Int]) { while values.count > 4 { values.removeFirst() } }
    nonisolated(unsafe) private static var ring: [Int] = []
    nonisolated(unsafe) private static var at = 0
    static func rotate(_ value: Int) {
        if ring.endIndex < 16 { ring.append(value) } else { ring[at % 16] = value }
        at += 1
    }
}
final class Plugin {
    nonisolated(unsafe) private static var loaded: [Plugin] = []
    nonisolated(unsafe) private static var hooks: [() -> Void] = []
    let name: String
    init(name: String) { self.name = name }
    static func loadDefaults() {
        for name in ["spell", "fold", "lint"] {
            let plugin = Plugin(name: name)
            loaded.append(plugin)
            hooks.append { plugin.activate() }
        }
    }
    private func activate() { Recent.note(name) }
    static func fire() { hooks.forEach { $0() } }
}
Commands.add("sum") { words in words.compactMap { Int($0) }.reduce(0, +) }
Commands.add("count") { $0.count }
Plugin.loadDefaults()
Plugin.fire()
for line in ["sum 1 2", "count a b c", "sum 4"] {
    Recent.note(line)
    Recent.mark(line.count)
    Recent.rotate(line.count)
    print(Commands.run(line))
}
