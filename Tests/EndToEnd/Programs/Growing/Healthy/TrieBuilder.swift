// Builds a trie in batches until the end: the dictionary of a word game.
final class TrieNode {
    var children: [Character: TrieNode] = [:]
    var isWord = false
    var weight = 0
}
final class Trie {
    private let root = TrieNode()
    private(set) var nodes = 1
    func insert(_ word: String, weight: Int) {
        var node = root
        for letter in word {
            if let next = node.children[letter] {
                node = next
            } else {
                let next = TrieNode()
                node.children[letter] = next
                nodes += 1
                node = next
            }
        }
        node.isWord = true
        node.weight += weight
    }
    func completions(of prefix: String, limit: Int) -> [String] {
        var node = root
        for letter in prefix {
            guard let next = node.children[letter] else { return [] }
            node = next
        }
        var found: [(String, Int)] = []
        func walk(_ node: TrieNode, _ text: String) {
            if node.isWord { found.append((text, node.weight)) }
            for (letter, child) in node.children { walk(child, text + String(letter)) }
        }
        walk(node, prefix)
        return found.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.prefix(limit).map(\.0)
    }
}
struct WordSource: Sequence, IteratorProtocol {
    private var seed: UInt64
    private var left: Int
    init(seed: UInt64, count: Int) {
        self.seed = seed
        left = count
    }
    mutating func next() -> String? {
        guard left > 0 else { return nil }
        left -= 1
        let syllables = ["ka", "lo", "mi", "ter", "san", "po", "ru", "den", "gi", "fal", "mor", "ne"]
        var word = ""
        for _ in 0..<(2 + Int(seed >> 60) % 3) {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            word += syllables[Int(seed >> 33) % syllables.count]
        }
        return word
    }
}
let trie = Trie()
for batch in 0..<20 {
    for word in WordSource(seed: UInt64(batch + 1) &* 77, count: 150) { trie.insert(word, weight: batch + 1) }
}
print(trie.nodes, "nodes;", trie.completions(of: "ka", limit: 4).joined(separator: " "))
