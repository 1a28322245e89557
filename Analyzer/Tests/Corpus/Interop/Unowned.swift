import Foundation

final class Document {
    private(set) var pages: [Page] = []
    private var index: DocumentIndex?
    private var cursor: Cursor?

    func addPage() {
        pages.append(Page(document: self))
        index = DocumentIndex(document: self)
    }
}

/// A page is kept by its document alone.
final class Page {
    private unowned let document: Document  // no-finding: unowned-outlived

    init(document: Document) {
        self.document = document
    }
}

final class DocumentIndex {
    unowned(unsafe) let document: Document  // no-finding: unowned-outlived

    init(document: Document) {
        self.document = document
    }
}

/// Nothing keeps the document for it.
final class Printer {
    unowned var document: Document  // doubt: unowned-outlived
    unowned(unsafe) var spooler: Spooler  // doubt: unowned-outlived
    private var jobs: [Spooler] = []

    init(document: Document, spooler: Spooler) {
        self.document = document
        self.spooler = spooler
    }
}

final class Spooler {
    private let queue = DispatchQueue(label: "spooler")
    private var printed = 0
    private let lock = NSLock()
    private lazy var describe: () -> String = { [unowned self] in  // no-finding: unowned-outlived
        "\(self.printed)"
    }

    func spool() {
        queue.asyncAfter(deadline: .now() + 1) { [unowned self] in  // doubt: unowned-outlived
            self.printed += 1
        }
        Task { [unowned self] in  // doubt: unowned-outlived
            try await Task.sleep(for: .seconds(1))
            self.printed += 1
        }
        queue.sync { [unowned self] in  // no-finding: unowned-outlived
            self.printed += 1
        }
        lock.withLock { [unowned self] in self.printed += 1 }  // no-finding: unowned-outlived
        queue.async { [unowned(unsafe) self] in  // doubt: unowned-outlived
            self.printed -= 1
        }
    }

    func observe() -> NSObjectProtocol {
        NotificationCenter.default.addObserver(forName: .init("x"), object: nil, queue: nil) {
            [unowned self] _ in  // doubt: unowned-outlived
            self.printed = 0
        }
    }
}

/// A cursor of an outside type.
final class Cursor {
    unowned let queue: OperationQueue  // no-finding: unowned-outlived

    init(queue: OperationQueue) {
        self.queue = queue
    }
}
