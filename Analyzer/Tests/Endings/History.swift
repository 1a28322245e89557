// undo stacks: an entry that goes to the other stack, or beyond a limit, is no end, nor are fewer undos than steps
struct Step {
    let undo: () -> Void
    let redo: () -> Void
}
final class Editor {
    private var text = ""
    private var done: [Step] = []
    private var undone: [Step] = []
    func insert(_ more: String) {
        let before = text
        text += more
        push(Step(undo: { self.text = before }, redo: { self.text = before + more }))  // leak
    }
    private func push(_ step: Step) {
        done.append(step)
        if done.count > 100 { done.removeFirst() }
        undone.removeAll()
    }
    func undo() {
        guard let step = done.popLast() else { return }
        step.undo()
        undone.append(step)
    }
    func redo() {
        guard let step = undone.popLast() else { return }
        step.redo()
        done.append(step)
    }
}
final class Canvas {
    private var shapes: [Int] = []
    private var done: [Step] = []
    private var undone: [Step] = []
    func add(_ shape: Int) {
        done.append(Step(undo: { self.shapes.removeLast() }, redo: { self.shapes.append(shape) }))
    }
    func undo() {
        guard let step = done.popLast() else { return }
        undone.append(step)
    }
    func undoAll() {
        while let step = done.popLast() {
            step.undo()
            undone.append(step)
        }
        forget()
    }
    private func forget() { undone.removeAll() }
}
final class Notes {
    private var lines: [String] = []
    private var done: [Step] = []
    func add(_ line: String) {
        done.append(Step(undo: { self.lines.removeLast() }, redo: { self.lines.append(line) }))
    }
    func undoAll() { while let step = done.popLast() { step.undo() } }
}
final class Batch {
    private var count = 0
    private var waiting: [() -> Void] = []
    private var running: [() -> Void] = []
    func add() { waiting.append { self.count += 1 } }
    func start() { while let job = waiting.popLast() { running.append(job) } }
    func run() { while let job = running.popLast() { job() } }
}
let batch = Batch()
batch.add()
batch.start()
batch.run()
final class Sheet {
    private var cells: [Int] = []
    private var done: [Step] = []
    func add(_ cell: Int) {
        done.append(Step(undo: { self.cells.removeLast() }, redo: { self.cells.append(cell) }))  // leak
    }
    func undo() { done.popLast()?.undo() }
}
final class Pad {
    private var cells: [Int] = []
    private var done: [Step] = []
    var isChanged: Bool { !done.isEmpty }
    func add(_ cell: Int) {
        done.append(Step(undo: { self.cells.removeLast() }, redo: { self.cells.append(cell) }))
    }
    func undo() { done.popLast()?.undo() }
}
let sheet = Sheet()
sheet.add(1)
sheet.add(2)
sheet.undo()
let pad = Pad()
pad.add(1)
pad.add(2)
while pad.isChanged { pad.undo() }
let editor = Editor()
editor.insert("a")
editor.insert("b")
editor.undo()
editor.redo()
let canvas = Canvas()
canvas.add(1)
canvas.undo()
canvas.undoAll()
let notes = Notes()
notes.add("a")
notes.undoAll()
