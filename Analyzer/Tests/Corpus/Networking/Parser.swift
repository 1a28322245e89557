import Foundation

struct CParser {
    var data: UnsafeMutableRawPointer?
}

/// Hands itself to a C parser and takes itself back.
final class MessageParser {
    private var parser = CParser()

    func start() {
        parser.data = Unmanaged.passRetained(self).toOpaque()  // no-finding: unmanaged
    }

    func stop() {
        let data = parser.data
        parser.data = nil
        if let data { Unmanaged<MessageParser>.fromOpaque(data).release() }  // no-finding: unmanaged
    }

    static func with(_ parser: MessageParser, _ body: (UnsafeMutableRawPointer) throws -> Void) rethrows {
        let handle = Unmanaged.passRetained(parser)  // suspect: unmanaged
        try body(handle.toOpaque())
        try body(handle.toOpaque())
        handle.release()
    }

    static func safely(_ parser: MessageParser, _ body: (UnsafeMutableRawPointer) throws -> Void) rethrows {
        let handle = Unmanaged.passRetained(parser)  // no-finding: unmanaged
        defer { handle.release() }
        try body(handle.toOpaque())
    }

    static func choose(_ parser: MessageParser, _ flag: Bool) {
        let handle = Unmanaged.passRetained(parser)  // suspect: unmanaged
        if flag {
            handle.release()
        } else {
            print("kept")
        }
    }
}

/// One thing after the other, the inner closure careful and the outer not.
final class Uploader {
    private var steps: [() -> Void] = []
    private var onFinish: (() -> Void)?
    private var onRetry: ((Int) -> Void)?
    private var sent = 0
    private let session = URLSession.shared

    func prepare(_ url: URL) {
        steps.append {  // suspect: nested-capture
            self.session.dataTask(with: url) { [weak self] _, _, _ in
                self?.sent += 1
            }.resume()
        }
        onFinish = {  // suspect: nested-capture
            DispatchQueue.main.async { [weak self] in
                self?.sent = 0
            }
        }
        onRetry = { [weak self] count in  // no-finding: nested-capture
            guard let self, count < 3 else { return }
            DispatchQueue.main.async { self.sent -= 1 }
        }
        DispatchQueue.main.async {  // no-finding: nested-capture
            DispatchQueue.global().async { [weak self] in self?.sent += 1 }
        }
    }

    func bindLocal() {
        func finish() {
            sent = 0
        }
        onFinish = finish  // suspect: stored-method
        onRetry = { [sent] in print(sent, $0) }  // no-finding: stored-closure
    }
}
