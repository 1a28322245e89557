// unowned links whose owner frees them; undo takes its target as an argument; a visitor is a local
final class Document {
    private var pages: [Page] = []
    private var undo: [(Document) -> Void] = []
    private(set) var title = "new"
    func addPage() -> Page {
        let page = Page(document: self, number: pages.count + 1)
        pages.append(page)
        undo.append { document in document.pages.removeLast() }
        return page
    }
    func rename(_ name: String) {
        let old = title
        title = name
        undo.append { $0.title = old }
    }
    func revert() { undo.popLast()?(self) }
    func accept(_ visitor: Visitor) {
        visitor.document = self
        pages.forEach { $0.accept(visitor) }
        visitor.document = nil
    }
}
final class Page {
    unowned let document: Document
    let number: Int
    private(set) var notes: [Note] = []
    init(document: Document, number: Int) {
        self.document = document
        self.number = number
    }
    func note(_ text: String) { notes.append(Note(page: self, text: text)) }
    func accept(_ visitor: Visitor) { visitor.visit(self) }
}
final class Note {
    weak var page: Page?
    let text: String
    init(page: Page, text: String) {
        self.page = page
        self.text = text
    }
}
final class Visitor {
    var document: Document?
    private(set) var words = 0
    func visit(_ page: Page) { for note in page.notes { words += note.text.split(separator: " ").count } }
}
final class Exporter {
    private let document: Document
    private var steps: [() -> String] = []
    private lazy var header: String = "# \(document.title)"
    init(_ document: Document) {
        self.document = document
        steps = [{ document.title }, { [unowned self] in self.header }]
    }
    func export() -> String {
        var lines: [String] = []
        let emit = { (text: String) in lines.append(text) }
        for step in steps { emit(step()) }
        return lines.joined(separator: "\n")
    }
}
let document = Document()
document.addPage().note("a few words")
document.rename("old times")
document.revert()
let visitor = Visitor()
document.accept(visitor)
print(visitor.words, Exporter(document).export())
