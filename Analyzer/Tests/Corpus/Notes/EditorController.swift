import Foundation

/// The editor: fields, buttons, a list.
final class EditorController: ListViewDataSource, ListViewDelegate {
    private let view = View()
    private let list = ListView()
    private let titleField = TextField()
    private let bodyField = TextField()
    private var saveButton: Button!
    private var cancelButton: Button?
    private let animator = Animator()
    private var rows: [String] = []
    private var undoSteps: [() -> Void] = []
    private var dirty = false
    var onDone: ((String) -> Void)?
    var onFailure: (() -> Void)?

    func load() {
        list.dataSource = self
        list.delegate = self
        titleField.onChange = { text in  // suspect: stored-closure
            self.dirty = true
            self.rows.append(text)
        }
        bodyField.onChange = { [weak self] _ in  // no-finding: stored-closure
            guard let self else { return }
            self.dirty = true
            self.rows.sort { $0 < $1 }
        }
        titleField.validators.append { text in !text.isEmpty }  // no-finding: stored-closure
        bodyField.validators.append { text in  // suspect: stored-closure
            text.count < self.rows.count
        }
        saveButton = Button(title: "Save") { _ in  // suspect: stored-closure
            self.save()
        }
        cancelButton = Button(title: "Cancel") { [weak self] _ in  // no-finding: stored-closure
            self?.onDone?("")
        }
        view.addSubview(saveButton)
        view.onTap = hideKeyboard  // suspect: stored-method
    }

    private func hideKeyboard() {
        animator.run {  // no-finding: stored-closure
            self.titleField.isHidden = true
        }
        View.animate(duration: 0.2, animations: { self.view.isHidden = false })  // no-finding: stored-closure
    }

    private func save() {
        let previous = rows
        undoSteps.append {  // doubt: stored-closure
            self.rows = previous
        }
        animator.after(1) {  // no-finding: stored-closure
            self.dirty = false
        }
        rows.map { $0.uppercased() }.forEach { self.onDone?($0) }  // no-finding: stored-closure
    }

    func undo() {
        undoSteps.popLast()?()
    }

    func present(_ alert: Button) {
        let alert = Button(title: "Delete?") { _ in  // no-finding: stored-closure
            self.rows.removeAll()
        }
        alert.press()
    }

    func bind(_ model: NoteModel) {
        model.onRename = { name in  // no-finding: stored-closure
            self.titleField.text = name
        }
        onFailure = { [model] in  // suspect: object-cycle
            model.reset()
        }
    }

    func numberOfRows(in list: ListView) -> Int { rows.count }

    func list(_ list: ListView, didSelect row: Int) {
        titleField.text = rows[row]
    }
}

/// Belongs to the document, not to the editor.
final class NoteModel {
    var onRename: ((String) -> Void)?
    private(set) var name = ""

    func reset() {
        name = ""
    }
}

/// Captures under another name.
final class SearchController {
    private let field = TextField()
    private var results: [String] = []
    private var handlers: [() -> Void] = []

    func start() {
        let controller = self
        field.onChange = { text in  // suspect: stored-closure
            controller.results.append(text)
        }
        handlers.append { [owner = self] in  // suspect: stored-closure
            owner.results.removeAll()
        }
        handlers.append { [weak owner = self] in  // no-finding: stored-closure
            owner?.results.removeAll()
        }
        let results = results
        handlers.append { print(results) }  // no-finding: stored-closure
        weak var weakSelf = self
        handlers.append {  // no-finding: stored-closure
            weakSelf?.results.removeAll()
        }
    }
}

/// A struct that keeps closures over itself copies, it does not circle.
struct Form {
    var fields: [TextField] = []
    var submit: (() -> Void)?

    mutating func prepare() {
        let copy = self
        submit = { print(copy.fields.count) }  // no-finding: stored-closure
    }
}
