/// A dialog that calls back when its button is pressed.
final class Dialog {
    let title: String
    private let buttonHandler: () -> Void

    init(title: String, buttonHandler: @escaping () -> Void) {
        self.title = title
        self.buttonHandler = buttonHandler
    }

    @inline(never)
    func pressButton() {
        buttonHandler()
    }
}

/// Shows a dialog and keeps it for the next time.
final class DialogOwner {
    private(set) var dialog: Dialog?
    private(set) var confirmations = 0

    @inline(never)
    func showDialog() {
        // The fault: the owner keeps the dialog, and the dialog's handler keeps the owner.
        let dialog = Dialog(title: "New game?") { self.confirmations += 1 }
        self.dialog = dialog
        dialog.pressButton()
    }
}

/// Loses an owner and its dialog.
enum DialogCycle: Fault {
    static let name = "dialog-cycle"
    static let summary = "An owner keeps a dialog whose button handler captures the owner."

    static func commit(presses: Int) {
        for _ in 0..<presses {
            let owner = makeOwner()
            say("lost the owner of '\(owner.dialog?.title ?? "no dialog")' after \(owner.confirmations) press")
        }
    }

    @inline(never)
    static func makeOwner() -> DialogOwner {
        let owner = DialogOwner()
        owner.showDialog()
        return owner
    }
}

// MARK: The cure: the handler refers to its owner weakly

extension DialogOwner {
    @inline(never)
    func showDialogWeakly() {
        let dialog = Dialog(title: "New game?") { [weak self] in self?.confirmations += 1 }
        self.dialog = dialog
        dialog.pressButton()
    }
}

extension DialogCycle {
    static func commitCured(presses: Int) {
        for _ in 0..<presses {
            let owner = DialogOwner()
            owner.showDialogWeakly()
            say("closed '\(owner.dialog?.title ?? "no dialog")' after \(owner.confirmations) press")
        }
    }
}
