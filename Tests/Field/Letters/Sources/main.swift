// Letters from a template for each entry of a YAML list, many times over.
import Foundation
import Stencil
import Yams

let list = (1...60).map { number in
    "- name: Player \(number)\n  score: \(number * 37 % 101)\n  games: [chess, puzzle, memory]\n"
}.joined()
let template = """
    {% for player in players %}{% if player.score > 50 %}Dear {{ player.name|uppercase }}, {{ player.score }} points in \
    {% for game in player.games %}{{ game }}{% if not forloop.last %}, {% endif %}{% endfor %}!
    {% endif %}{% endfor %}
    """
let environment = Stencil.Environment(loader: DictionaryLoader(templates: ["letter": template]))
var characters = 0
for _ in 0..<20 {
    let players = try Yams.load(yaml: list) as? [[String: Any]] ?? []
    characters += try environment.renderTemplate(name: "letter", context: ["players": players]).count
    let back = try Yams.dump(object: players)
    characters += back.count
}
if (try? Yams.load(yaml: "a: [1")) != nil { print("read nonsense") }
if (try? environment.renderTemplate(string: "{% if %}")) != nil { print("rendered nonsense") }
print("wrote \(characters) characters")
