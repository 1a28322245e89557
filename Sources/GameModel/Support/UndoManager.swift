/// A list of steps to undo and a list of steps to redo, without a limit.
///
/// It works like the class of the same name in Apple's Foundation, which Linux does not have, less grouping:
/// each registered step is undone on its own. What is registered while undoing goes to the redo list, what is
/// registered while redoing goes back to the undo list, and what is registered otherwise empties the redo list.
///
/// Targets are held weakly. A step whose target is gone counts as not registered.
/// An undo manager belongs to one thread.
public final class UndoManager {
    private enum Mode {
        case recording, undoing, redoing
    }

    private var mode = Mode.recording
    private var undoStack: [UndoAction] = []
    private var redoStack: [UndoAction] = []

    /// Creates an undo manager with nothing to undo or redo.
    public init() {}

    /// Whether ``undo()`` would perform a step.
    public var canUndo: Bool { undoStack.contains(where: \.isAlive) }

    /// Whether ``redo()`` would perform a step.
    public var canRedo: Bool { redoStack.contains(where: \.isAlive) }

    /// Whether a step is being undone at this moment.
    public var isUndoing: Bool { mode == .undoing }

    /// Whether a step is being redone at this moment.
    public var isRedoing: Bool { mode == .redoing }

    /// Records how to take back what is about to happen.
    ///
    /// - Parameters:
    ///   - target: the object that `handler` is called with; held weakly.
    ///   - handler: reverses the step and registers the reverse of that in turn. It is kept until it is performed or
    ///     removed, so it should use its parameter instead of capturing the target.
    public func registerUndo<Target: AnyObject>(withTarget target: Target, handler: @escaping (Target) -> Void) {
        let action = UndoAction(target: target, handler: handler)
        switch mode {
        case .recording:
            redoStack.removeAll()
            undoStack.append(action)
        case .undoing:
            redoStack.append(action)
        case .redoing:
            undoStack.append(action)
        }
    }

    /// Performs the newest step to undo; does nothing if there is none, or while another is being performed.
    public func undo() {
        guard mode == .recording, let action = Self.popLiveAction(from: &undoStack) else { return }
        perform(action, in: .undoing)
    }

    /// Performs the newest step to redo; does nothing if there is none, or while another is being performed.
    public func redo() {
        guard mode == .recording, let action = Self.popLiveAction(from: &redoStack) else { return }
        perform(action, in: .redoing)
    }

    /// Forgets every step.
    public func removeAllActions() {
        undoStack.removeAll()
        redoStack.removeAll()
    }

    /// Forgets every step of one target. The cost grows with the number of registered steps.
    public func removeAllActions(withTarget target: AnyObject) {
        undoStack.removeAll { $0.target === target }
        redoStack.removeAll { $0.target === target }
    }

    private func perform(_ action: UndoAction, in performingMode: Mode) {
        mode = performingMode
        defer { mode = .recording }
        action.perform()
    }

    private static func popLiveAction(from stack: inout [UndoAction]) -> UndoAction? {
        while let action = stack.popLast() {
            if action.isAlive { return action }
        }
        return nil
    }
}
