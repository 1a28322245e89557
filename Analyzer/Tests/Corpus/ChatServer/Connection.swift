import Foundation

protocol ConnectionDelegate: AnyObject {
    func connection(_ connection: Connection, didReceive line: String)
    func connectionDidClose(_ connection: Connection)
}

/// One client. Reads lines and hands them to whoever set a handler.
final class Connection {
    let identifier: Int
    var delegate: ConnectionDelegate?  // doubt: strong-delegate
    private var lineHandlers: [(String) -> Void] = []
    private var closeHandler: (() -> Void)?
    private var writeQueue: [String] = []
    private let queue = DispatchQueue(label: "connection")
    private(set) var isOpen = true

    init(identifier: Int) {
        self.identifier = identifier
    }

    func onLine(_ handler: @escaping (String) -> Void) {
        lineHandlers.append(handler)
    }

    func onClose(_ handler: @escaping () -> Void) {
        closeHandler = handler
    }

    func receive(_ data: Data) {
        guard let text = String(data: data, encoding: .utf8) else { return }
        text.split(separator: "\n").map(String.init).forEach { line in  // no-finding: stored-closure
            self.lineHandlers.forEach { $0(line) }
            self.delegate?.connection(self, didReceive: line)
        }
    }

    func write(_ line: String) {
        queue.async {  // no-finding: stored-closure
            self.writeQueue.append(line)
            self.flush()
        }
    }

    private func flush() {
        while !writeQueue.isEmpty {
            print(writeQueue.removeFirst())
        }
    }

    func close() {
        isOpen = false
        closeHandler?()
        closeHandler = nil
        delegate?.connectionDidClose(self)
    }
}
