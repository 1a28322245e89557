import Foundation

final class TrieNode<Payload> {
    let label: Character?
    private(set) var children: [Character: TrieNode] = [:]
    unowned let parent: TrieNode?
    var payload: Payload?
    var weight = 0

    init(label: Character? = nil, parent: TrieNode? = nil) {
        self.label = label
        self.parent = parent
    }

    func child(_ character: Character, create: Bool) -> TrieNode? {
        if let existing = children[character] { return existing }
        guard create else { return nil }
        let node = TrieNode(label: character, parent: self)
        children[character] = node
        return node
    }

    func dropChild(_ character: Character) {
        children[character] = nil
    }

    var word: String {
        var letters: [Character] = []
        var cursor: TrieNode? = self
        while let node = cursor {
            if let label = node.label { letters.append(label) }
            cursor = node.parent
        }
        return String(letters.reversed())
    }
}

struct Trie<Payload> {
    private let root = TrieNode<Payload>()
    private(set) var count = 0

    mutating func insert(_ word: String, _ payload: Payload, weight: Int) {
        var node = root
        for character in word { node = node.child(character, create: true)! }
        if node.payload == nil { count += 1 }
        node.payload = payload
        node.weight = weight
    }

    mutating func remove(_ word: String) {
        guard let node = find(word), node.payload != nil else { return }
        node.payload = nil
        count -= 1
        var cursor = node
        while cursor.payload == nil, cursor.children.isEmpty, let parent = cursor.parent, let label = cursor.label {
            parent.dropChild(label)
            cursor = parent
        }
    }

    private func find(_ prefix: String) -> TrieNode<Payload>? {
        var node = root
        for character in prefix {
            guard let next = node.child(character, create: false) else { return nil }
            node = next
        }
        return node
    }

    func matches(_ prefix: String) -> some Sequence<(word: String, weight: Int)> {
        var stack = find(prefix).map { [$0] } ?? []
        return AnyIterator {
            while let node = stack.popLast() {
                stack.append(contentsOf: node.children.values)
                if node.payload != nil { return (node.word, node.weight) }
            }
            return nil
        }
    }
}

protocol SuggestionSource {
    func suggestions(for prefix: String, limit: Int) -> [String]
}

final class CatalogSuggestions: SuggestionSource {
    private var trie = Trie<Int>()
    private var stopwords: Set<String> = []

    func index(_ titles: [String]) {
        titles.enumerated().forEach { position, title in
            for word in title.lowercased().split(separator: " ") where !self.stopwords.contains(String(word)) {
                self.trie.insert(String(word), position, weight: word.count + position)
            }
        }
    }

    func retire(_ word: String) {
        stopwords.insert(word)
        trie.remove(word)
    }

    func suggestions(for prefix: String, limit: Int) -> [String] {
        trie.matches(prefix.lowercased())
            .sorted { ($0.weight, $1.word) > ($1.weight, $0.word) }
            .prefix(limit)
            .map(\.word)
    }
}

final class RecentSuggestions: SuggestionSource {
    private var recent: [String] = []
    private let base: any SuggestionSource

    init(base: any SuggestionSource) {
        self.base = base
    }

    func picked(_ word: String) {
        recent.removeAll { $0 == word }
        recent.insert(word, at: 0)
        if recent.count > 5 { recent.removeLast() }
    }

    func suggestions(for prefix: String, limit: Int) -> [String] {
        let own = recent.filter { $0.hasPrefix(prefix.lowercased()) }
        let rest = base.suggestions(for: prefix, limit: limit).filter { !own.contains($0) }
        return Array((own + rest).prefix(limit))
    }
}

func searchBox() {
    let catalog = CatalogSuggestions()
    catalog.index(["The Sea of Trees", "Seven Seas", "The Seventh Seal", "Silent Sea"])
    let box = RecentSuggestions(base: catalog)
    print(box.suggestions(for: "Se", limit: 3))
    box.picked("sea")
    catalog.retire("seven")
    print(box.suggestions(for: "se", limit: 4))
}

searchBox()
