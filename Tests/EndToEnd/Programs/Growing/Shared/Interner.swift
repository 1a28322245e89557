// Words of a text become numbers through an interner behind a singleton; the table is needed as long as the text.
import Foundation

final class Word {
    let text: String
    let number: Int
    var count = 0
    init(text: String, number: Int) {
        self.text = text
        self.number = number
    }
}
final class Vocabulary {
    nonisolated(unsafe) static let shared = Vocabulary()
    private var words: [String: Word] = [:]
    private init() {}
    func number(of text: String) -> Int {
        if let word = words[text] {
            word.count += 1
            return word.number
        }
        let word = Word(text: text, number: words.count)
        words[text] = word
        return word.number
    }
    var count: Int { words.count }
}
struct Tokenizer {
    func tokens(_ line: String) -> [Int] {
        line.lowercased().components(separatedBy: .whitespaces).filter { !$0.isEmpty }.map {
            Vocabulary.shared.number(of: $0)
        }
    }
}
struct Corpus: Sequence, IteratorProtocol {
    private var seed: UInt64 = 12
    private var left: Int
    init(lines: Int) { left = lines }
    private mutating func random(_ bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }
    mutating func next() -> String? {
        guard left > 0 else { return nil }
        left -= 1
        // Few words are frequent, many are rare.
        return (0..<12).map { _ in random(3) == 0 ? "rareword\(random(4_000))" : "usual\(random(60))" }.joined(
            separator: " ")
    }
}
var bigrams: [Int: Int] = [:]
let tokenizer = Tokenizer()
for line in Corpus(lines: 900) {
    let tokens = tokenizer.tokens(line)
    for (a, b) in zip(tokens, tokens.dropFirst()) { bigrams[(a << 3 ^ b) % 512, default: 0] += 1 }
}
print(Vocabulary.shared.count, bigrams.count)
