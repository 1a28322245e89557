// An inverted index over documents; the index is the product of the program.
final class Posting {
    let document: Int
    var positions: [Int] = []
    init(document: Int) { self.document = document }
}
final class Term {
    let text: String
    var postings: [Posting] = []
    init(_ text: String) { self.text = text }
}
final class Document {
    let id: Int
    let title: String
    let length: Int
    init(id: Int, title: String, length: Int) {
        self.id = id
        self.title = title
        self.length = length
    }
}
final class Index {
    private var terms: [String: Term] = [:]
    private(set) var documents: [Document] = []
    func add(title: String, text: String) {
        let words = text.lowercased().split { !$0.isLetter }.map(String.init)
        let document = Document(id: documents.count, title: title, length: words.count)
        documents.append(document)
        for (position, word) in words.enumerated() where word.count > 2 {
            let term: Term
            if let known = terms[word] {
                term = known
            } else {
                term = Term(word)
                terms[word] = term
            }
            if term.postings.last?.document != document.id { term.postings.append(Posting(document: document.id)) }
            term.postings.last?.positions.append(position)
        }
    }
    func search(_ query: String) -> [(Document, Int)] {
        var scores: [Int: Int] = [:]
        for word in query.split(separator: " ") {
            for posting in terms[String(word)]?.postings ?? [] {
                scores[posting.document, default: 0] += posting.positions.count
            }
        }
        return scores.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map { (documents[$0.key], $0.value) }
    }
    var termCount: Int { terms.count }
    var postingCount: Int { terms.values.reduce(0) { $0 + $1.postings.count } }
}
struct Writer {
    private var seed: UInt64 = 5
    private let words = [
        "memory", "server", "actor", "frame", "texture", "window", "socket", "parser", "branch", "cache", "buffer",
        "thread", "lock", "queue", "signal", "pixel", "shader", "matrix", "vector", "closure", "protocol", "generic",
    ]
    mutating func text(_ count: Int) -> String {
        var all: [String] = []
        for _ in 0..<count {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let word = words[Int(seed >> 33) % words.count]
            all.append(seed >> 60 == 0 ? word + words[Int(seed >> 40) % words.count] : word)
        }
        return all.joined(separator: " ")
    }
}
let index = Index()
var writer = Writer()
for number in 0..<400 { index.add(title: "Page \(number)", text: writer.text(80)) }
for (document, score) in index.search("memory server actor") { print(document.title, score) }
print(index.documents.count, "documents", index.termCount, "terms", index.postingCount, "postings")
