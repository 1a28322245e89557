import GameModel
import Testing

@Suite struct UndoManagerTests {
    /// A number whose changes can be undone.
    private final class Register {
        private(set) var value = 0
        private let undoManager: UndoManager

        init(undoManager: UndoManager) {
            self.undoManager = undoManager
        }

        func set(_ newValue: Int) {
            let oldValue = value
            undoManager.registerUndo(withTarget: self) { $0.set(oldValue) }
            value = newValue
        }
    }

    @Test func startsEmpty() {
        let undoManager = UndoManager()
        #expect(!undoManager.canUndo)
        #expect(!undoManager.canRedo)
        undoManager.undo()
        undoManager.redo()
    }

    @Test func whatIsRegisteredWhileUndoingCanBeRedone() {
        let undoManager = UndoManager()
        let register = Register(undoManager: undoManager)
        register.set(1)
        register.set(2)
        undoManager.undo()
        #expect(register.value == 1)
        #expect(undoManager.canUndo)
        #expect(undoManager.canRedo)
        undoManager.redo()
        #expect(register.value == 2)
        #expect(!undoManager.canRedo)
    }

    @Test func redoingOneStepKeepsTheOthers() {
        let undoManager = UndoManager()
        let register = Register(undoManager: undoManager)
        for value in 1...3 { register.set(value) }
        for _ in 1...3 { undoManager.undo() }
        for value in 1...3 {
            undoManager.redo()
            #expect(register.value == value)
        }
    }

    @Test func aNewStepEmptiesTheRedoList() {
        let undoManager = UndoManager()
        let register = Register(undoManager: undoManager)
        register.set(1)
        undoManager.undo()
        register.set(5)
        #expect(!undoManager.canRedo)
        undoManager.undo()
        #expect(register.value == 0)
    }

    @Test func hasNoLimit() {
        let undoManager = UndoManager()
        let register = Register(undoManager: undoManager)
        for value in 1...10_000 { register.set(value) }
        while undoManager.canUndo { undoManager.undo() }
        #expect(register.value == 0)
    }

    @Test func tellsWhatItIsDoing() {
        let undoManager = UndoManager()
        let register = Register(undoManager: undoManager)
        undoManager.registerUndo(withTarget: register) { register in
            #expect(undoManager.isUndoing)
            undoManager.undo()
            undoManager.registerUndo(withTarget: register) { _ in #expect(undoManager.isRedoing) }
        }
        undoManager.undo()
        #expect(!undoManager.isUndoing)
        undoManager.redo()
        #expect(!undoManager.isRedoing)
    }

    @Test func skipsStepsWhoseTargetIsGone() {
        let undoManager = UndoManager()
        let register = Register(undoManager: undoManager)
        register.set(1)
        do {
            let passing = Register(undoManager: undoManager)
            passing.set(1)
        }
        undoManager.undo()
        #expect(register.value == 0)
        #expect(!undoManager.canUndo)
    }

    @Test func forgetsTheStepsOfOneTargetOrAll() {
        let undoManager = UndoManager()
        let (kept, forgotten) = (Register(undoManager: undoManager), Register(undoManager: undoManager))
        kept.set(1)
        forgotten.set(1)
        undoManager.removeAllActions(withTarget: forgotten)
        undoManager.undo()
        #expect(kept.value == 0)
        #expect(forgotten.value == 1)
        undoManager.removeAllActions()
        #expect(!undoManager.canRedo)
    }
}
