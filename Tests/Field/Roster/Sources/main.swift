// Players read from YAML by a constructor of the program's own, and printed from a template. With the argument `leaking`
// the constructor's closure keeps the reader that keeps the constructor.
import Foundation
import Mustache
import Yams

struct Player: Codable, Equatable {
    var name: String
    var score: Int
    var games: [String]
}

final class Reader {
    private(set) var numbersRead = 0
    private var constructor = Constructor.default

    func countWeakly() {
        use { [weak self] in self?.numbersRead += 1 }
    }

    func countStrongly() {
        use { self.numbersRead += 1 }
    }

    func read(_ text: String) throws -> [[String: Any]] {
        try Yams.load(yaml: text, .default, constructor) as? [[String: Any]] ?? []
    }

    private func use(_ count: @escaping () -> Void) {
        var scalars = Constructor.defaultScalarMap
        scalars[.int] = { scalar in
            count()
            return Int.construct(from: scalar)
        }
        constructor = Constructor(scalars)
    }
}

func read(_ text: String, leaking: Bool) throws -> Int {
    let reader = Reader()
    if leaking { reader.countStrongly() } else { reader.countWeakly() }
    return try reader.read(text).count + reader.numbersRead
}

let players = (1...40).map {
    Player(name: "Player \($0)", score: $0 * 37 % 101, games: ["chess", "puzzle"])
}
let list = try YAMLEncoder().encode(players)
let isLeaking = CommandLine.arguments.dropFirst().first == "leaking"
var read = 0
for _ in 0..<10 { read += try read(list, leaking: false) }
if isLeaking { for _ in 0..<3 { read += try read(list, leaking: true) } }

let back = try YAMLDecoder().decode([Player].self, from: list)
let template = try MustacheTemplate(string: "{{#.}}{{name}}: {{score}} in {{#games}}{{.}} {{/games}}\n{{/.}}")
var page = ""
for _ in 0..<10 { page = template.render(back) }
if (try? YAMLDecoder().decode([Player].self, from: "- name: [")) != nil { print("read nonsense") }
if (try? MustacheTemplate(string: "{{#open}}")) != nil { print("rendered nonsense") }
print("read \(read), the same \(back == players), \(page.split(separator: "\n").count) lines")
exit(isLeaking ? 3 : 0)
