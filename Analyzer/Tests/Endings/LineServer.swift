import Foundation

// sessions hold their server by a handler until they close; a handler box is replaced by a computed property
final class HandlerBox {
    var value: ((String) -> Void)?
}
final class Session {
    let id: Int
    private let box = HandlerBox()
    private var closers: [() -> Void] = []
    private var isOpen = true
    init(id: Int) { self.id = id }
    var onLine: ((String) -> Void)? {
        get { box.value }
        set { box.value = newValue }
    }
    func whenClosed(_ body: @escaping () -> Void) { closers.append(body) }
    func receive(_ text: String) { text.split(separator: "\n").forEach { onLine?(String($0)) } }
    func close() {
        guard isOpen else { return }
        isOpen = false
        onLine = nil
        let pending = closers
        closers = []
        for body in pending { body() }
    }
}
final class Server {
    private var sessions: [Session] = []
    private var lines = 0
    private let lock = NSLock()
    func accept(_ id: Int) -> Session {
        let session = Session(id: id)
        session.onLine = { line in self.handle(line, from: session) }
        session.whenClosed { self.drop(session) }
        lock.lock()
        defer { lock.unlock() }
        sessions.append(session)
        return session
    }
    private func handle(_ line: String, from session: Session) {
        lines += 1
        if line == "quit" { session.close() }
    }
    private func drop(_ session: Session) {
        lock.lock()
        defer { lock.unlock() }
        sessions = sessions.filter { $0 !== session }
    }
    func shutdown() {
        for session in sessions { session.close() }
    }
    var count: Int { lines }
}
let server = Server()
let first = server.accept(1)
_ = server.accept(2)
first.receive("hello\nquit\n")
server.shutdown()
print(server.count)
