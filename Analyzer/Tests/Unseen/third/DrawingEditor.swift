import Foundation

// MARK: - Model

struct Shape: Identifiable, Sendable {
    let id: Int
    var x: Double
    var y: Double
    var name: String
}

enum RemoteChange: Sendable {
    case moved(id: Int, x: Double, y: Double)
    case renamed(id: Int, name: String)
    case cursor(user: String, x: Double, y: Double)
}

// MARK: - Undo

final class UndoHistory {
    private var undos: [() -> Void] = []
    private let depth: Int

    init(depth: Int = 20) {
        self.depth = depth
    }

    func register(_ action: @escaping () -> Void) {
        undos.append(action)
        if undos.count > depth { undos.removeFirst() }
    }

    func register<Target: AnyObject>(withTarget target: Target, _ action: @escaping (Target) -> Void) {
        register { [weak target] in
            if let target { action(target) }
        }
    }

    func undo() {
        undos.popLast()?()
    }

    var count: Int { undos.count }
}

// MARK: - Collaboration

final class ChangeFeed {
    let changes: AsyncStream<RemoteChange>
    let cursors: AsyncStream<RemoteChange>
    private let changeSink: AsyncStream<RemoteChange>.Continuation
    private let cursorSink: AsyncStream<RemoteChange>.Continuation

    init() {
        (changes, changeSink) = AsyncStream.makeStream(of: RemoteChange.self)
        (cursors, cursorSink) = AsyncStream.makeStream(of: RemoteChange.self, bufferingPolicy: .bufferingNewest(1))
    }

    func publish(_ change: RemoteChange) {
        if case .cursor = change {
            cursorSink.yield(change)
        } else {
            changeSink.yield(change)
        }
    }

    deinit {
        changeSink.finish()
        cursorSink.finish()
    }
}

final class CursorOverlay: @unchecked Sendable {
    private let lock = NSLock()
    private var latest: (user: String, x: Double, y: Double)?
    private var listener: Task<Void, Never>?

    func follow(_ feed: ChangeFeed) {
        listener = Task { [weak self, cursors = feed.cursors] in
            for await change in cursors {
                guard let self else { break }
                self.apply(change)
            }
        }
    }

    private func apply(_ change: RemoteChange) {
        guard case .cursor(let user, let x, let y) = change else { return }
        lock.withLock { latest = (user, x, y) }
    }

    func lastUser() -> String {
        lock.withLock { latest?.user ?? "-" }
    }

    deinit { listener?.cancel() }
}

final class RemoteApplier: @unchecked Sendable {
    private let feed: ChangeFeed
    private let lock = NSLock()
    private var applied = 0
    private var listener: Task<Void, Never>?

    init(feed: ChangeFeed) {
        self.feed = feed
    }

    func start() {
        let changes = feed.changes
        listener = Task { [weak self] in
            guard let self else { return }
            for await change in changes {
                self.apply(change)
            }
        }
    }

    private func apply(_ change: RemoteChange) {
        lock.withLock { applied += 1 }
    }

    var count: Int { lock.withLock { applied } }

    deinit { listener?.cancel() }
}

// MARK: - Editor

final class Editor {
    private(set) var shapes: [Int: Shape] = [:]
    private let history = UndoHistory()
    private lazy var summary: String = {
        "document \(self.title) with \(self.shapes.count) shapes"
    }()
    private var pendingExport: (() -> Void)?
    var title = "untitled"

    func insert(_ shape: Shape) {
        shapes[shape.id] = shape
        history.register(withTarget: self) { editor in
            editor.shapes[shape.id] = nil
        }
    }

    func move(_ id: Int, dx: Double, dy: Double) {
        guard let before = shapes[id] else { return }
        shapes[id]?.x += dx
        shapes[id]?.y += dy
        history.register { [before] in
            self.shapes[id] = before
        }
    }

    func rename(_ newTitle: String) {
        let old = title
        title = newTitle
        history.register { [weak self] in self?.title = old }
    }

    func undo() { history.undo() }

    func scheduleExport() {
        pendingExport = {
            print("export", self.title, self.shapes.count)
        }
        flushExport()
    }

    private func flushExport() {
        guard let job = pendingExport else { return }
        pendingExport = nil
        job()
    }

    func describe() -> String { "\(summary), \(history.count) undo steps" }
}

final class EditorSession {
    let editor = Editor()
    let feed = ChangeFeed()
    let overlay = CursorOverlay()
    let applier: RemoteApplier

    init() {
        applier = RemoteApplier(feed: feed)
        overlay.follow(feed)
        applier.start()
    }
}

func edit(_ n: Int) async {
    let session = EditorSession()
    let editor = session.editor
    editor.insert(Shape(id: 1, x: 0, y: 0, name: "box"))
    editor.insert(Shape(id: 2, x: 4, y: 4, name: "line"))
    editor.move(1, dx: 3, dy: 1)
    editor.move(2, dx: -1, dy: 0)
    editor.rename("plan \(n)")
    editor.undo()
    editor.undo()
    editor.scheduleExport()
    session.feed.publish(.moved(id: 1, x: 2, y: 2))
    session.feed.publish(.renamed(id: 2, name: "edge"))
    session.feed.publish(.cursor(user: "kim", x: 1, y: 1))
    try? await Task.sleep(nanoseconds: 20_000_000)
    print(editor.describe(), session.overlay.lastUser(), session.applier.count)
}

for n in 1...3 { await edit(n) }
try? await Task.sleep(nanoseconds: 100_000_000)
