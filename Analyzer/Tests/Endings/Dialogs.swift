// two classes have properties of the same name; the presenter empties the dialog's from outside
class Panel {
    var onClose: (() -> Void)?
    var title = ""
    func close() { onClose?() }
}
final class Toast {
    var onClose: (() -> Void)?
    var text = ""
}
final class Dialog {
    let panel = Panel()
    var onConfirm: ((String) -> Void)?
    var onClose: (() -> Void)?
    private var text = ""
    func type(_ more: String) { text += more }
    func confirm() { onConfirm?(text) }
}
final class RenameFlow {
    private var dialog: Dialog?
    private let toast = Toast()
    private(set) var name = "untitled"
    func begin() {
        let dialog = Dialog()
        dialog.onConfirm = { name in
            self.name = name
            self.end()
        }
        dialog.onClose = { self.end() }
        dialog.panel.onClose = { self.end() }
        self.dialog = dialog
    }
    func answer(_ text: String) {
        dialog?.type(text)
        dialog?.confirm()
    }
    private func end() {
        guard let shown = dialog else { return }
        Stage.release(shown)
        toast.text = "renamed"
    }
}
enum Stage {
    static func release(_ dialog: Dialog) {
        dialog.onConfirm = nil
        dialog.onClose = nil
        dialog.panel.onClose = nil
    }
}
final class Hint {
    private let toast = Toast()
    private var shown = false
    func show() {
        shown = true
        toast.onClose = { self.shown = false }
    }
    func hide() {
        toast.onClose?()
        reset(toast)
    }
}
func reset(_ toast: Toast) {
    toast.onClose = nil
    toast.text = ""
}
let flow = RenameFlow()
flow.begin()
flow.answer("report")
print(flow.name)
let hint = Hint()
hint.show()
hint.hide()
