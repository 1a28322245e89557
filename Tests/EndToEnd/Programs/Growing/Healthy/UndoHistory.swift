// An editor with an undo history of at most 100 steps.
final class Line {
    var text: String
    init(_ text: String) { self.text = text }
}
final class Document {
    private(set) var lines: [Line] = []
    func insert(_ text: String, at index: Int) { lines.insert(Line(text), at: index) }
    func remove(at index: Int) -> Line { lines.remove(at: index) }
    func replace(_ text: String, at index: Int) -> String {
        defer { lines[index].text = text }
        return lines[index].text
    }
    var count: Int { lines.count }
}
protocol Command: AnyObject {
    func perform()
    func revert()
}
final class Insert: Command {
    let document: Document, text: String, index: Int
    init(_ document: Document, _ text: String, _ index: Int) {
        self.document = document
        self.text = text
        self.index = index
    }
    func perform() { document.insert(text, at: index) }
    func revert() { _ = document.remove(at: index) }
}
final class Remove: Command {
    let document: Document, index: Int
    private var removed: Line?
    init(_ document: Document, _ index: Int) {
        self.document = document
        self.index = index
    }
    func perform() { removed = document.remove(at: index) }
    func revert() { if let removed { document.insert(removed.text, at: index) } }
}
final class Replace: Command {
    let document: Document, text: String, index: Int
    private var old = ""
    init(_ document: Document, _ text: String, _ index: Int) {
        self.document = document
        self.text = text
        self.index = index
    }
    func perform() { old = document.replace(text, at: index) }
    func revert() { _ = document.replace(old, at: index) }
}
final class History {
    private var done: [any Command] = []
    private var undone: [any Command] = []
    private let limit = 100
    func perform(_ command: any Command) {
        command.perform()
        done.append(command)
        undone.removeAll()
        if done.count > limit { done.removeFirst(done.count - limit) }
    }
    func undo() {
        if let last = done.popLast() {
            last.revert()
            undone.append(last)
        }
    }
    func redo() {
        if let last = undone.popLast() {
            last.perform()
            done.append(last)
        }
    }
    var depth: Int { done.count }
}
let document = Document()
let history = History()
nonisolated(unsafe) var seed: UInt64 = 21
func random(_ bound: Int) -> Int {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(seed >> 33) % bound
}
for step in 0..<3_000 {
    switch random(6) {
    case 0, 1, 2: history.perform(Insert(document, "line \(step) written by the user", random(document.count + 1)))
    case 3 where document.count > 0: history.perform(Replace(document, "line \(step) changed", random(document.count)))
    case 4 where document.count > 0: history.perform(Remove(document, random(document.count)))
    default:
        history.undo()
        if step % 5 == 0 { history.redo() }
    }
}
print(document.count, "lines,", history.depth, "steps")
