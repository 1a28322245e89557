/// One step that an ``UndoManager`` can perform: a handler and the object that it is called with.
struct UndoAction {
    private(set) weak var target: AnyObject?
    private let handler: (AnyObject) -> Void

    init<Target: AnyObject>(target: Target, handler: @escaping (Target) -> Void) {
        self.target = target
        self.handler = { object in
            guard let object = object as? Target else { return }
            handler(object)
        }
    }

    /// Whether the target still exists; an action without a target does nothing.
    var isAlive: Bool { target != nil }

    func perform() {
        guard let target else { return }
        handler(target)
    }
}
