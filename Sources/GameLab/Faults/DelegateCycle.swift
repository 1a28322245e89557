/// Is told what a ``LevelPicker`` picked.
protocol LevelPickerDelegate: AnyObject {
    func levelPicker(didPick level: Int)
}

/// Lets the player pick a level and tells its delegate.
final class LevelPicker {
    /// The fault: a delegate that the picker owns.
    var delegate: (any LevelPickerDelegate)?
    /// The cure.
    weak var weakDelegate: (any LevelPickerDelegate)?

    @inline(never)
    func pick(_ level: Int) {
        (delegate ?? weakDelegate)?.levelPicker(didPick: level)
    }
}

/// A screen that shows a picker and is its delegate.
final class LevelScreen: LevelPickerDelegate {
    let picker = LevelPicker()
    private(set) var level = 0

    @inline(never)
    func show() {
        picker.delegate = self
        picker.pick(3)
    }

    @inline(never)
    func showWeakly() {
        picker.weakDelegate = self
        picker.pick(3)
    }

    func levelPicker(didPick level: Int) { self.level = level }
}

/// Loses a screen and its picker.
enum DelegateCycle: Fault {
    static let name = "delegate-cycle"
    static let summary = "A picker owns its delegate, the screen that owns the picker."

    static func commit(presses: Int) {
        for _ in 0..<presses {
            let screen = makeScreen()
            screen.show()
            say("lost a screen on which level \(screen.level) was picked")
        }
    }

    static func commitCured(presses: Int) {
        for _ in 0..<presses {
            let screen = makeScreen()
            screen.showWeakly()
            say("closed a screen on which level \(screen.level) was picked")
        }
    }

    @inline(never)
    static func makeScreen() -> LevelScreen { LevelScreen() }
}
