import Foundation

/// A value that comes later; callbacks go away when it has come.
final class Promise<Value> {
    struct Callbacks {
        var first: (() -> Void)?
        var others: [() -> Void] = []

        mutating func append(_ callback: @escaping () -> Void) {
            if first == nil { first = callback } else { others.append(callback) }
        }
    }

    private var callbacks = Callbacks()
    private var value: Value?

    func whenDone(_ callback: @escaping () -> Void) {
        callbacks.append(callback)
    }

    func map<New>(_ transform: @escaping (Value) -> New) -> Promise<New> {
        let next = Promise<New>()
        whenDone {  // no-finding: stored-closure
            if let value = self.value { next.succeed(transform(value)) }
        }
        return next
    }

    func succeed(_ value: Value) {
        self.value = value
        let callbacks = self.callbacks
        self.callbacks = Callbacks()
        callbacks.first?()
        callbacks.others.forEach { $0() }
    }
}

/// A list of handlers, linked both ways, which is taken apart when it is closed.
final class Chain {
    final class Link {
        let name: String
        var next: Link?
        var previous: Link?

        init(name: String) {
            self.name = name
        }
    }

    private var head = Link(name: "head")

    func insert(_ new: Link, after existing: Link) {
        new.next = existing.next
        new.previous = existing
        existing.next = new  // no-finding: mutual-reference
    }

    func remove(_ link: Link) {
        link.previous?.next = link.next
        link.next?.previous = link.previous
        link.next = nil
        link.previous = nil
    }
}

/// The same, and nobody takes it apart.
final class History {
    final class Page {
        let address: String
        var back: Page?
        var forward: Page?

        init(address: String) {
            self.address = address
        }
    }

    private(set) var current = Page(address: "about:blank")

    func visit(_ address: String) {
        let page = Page(address: address)
        let current = current
        page.back = current
        current.forward = page  // suspect: mutual-reference
        self.current = page
    }

    func pair() -> Page {
        let left = Page(address: "left")
        let right = Page(address: "right")
        left.forward = right
        right.back = left  // suspect: mutual-reference
        return left
    }
}

/// A subscription that knows its subject until it is cancelled.
final class Subject {
    private var conduits: [Conduit] = []

    func attach() -> Conduit {
        let conduit = Conduit(parent: self)
        conduits.append(conduit)
        return conduit
    }

    func detach(_ conduit: Conduit) {
        conduits.removeAll { $0 === conduit }
    }
}

final class Conduit {
    private var parent: Subject?  // no-finding: back-reference

    init(parent: Subject) {
        self.parent = parent
    }

    func cancel() {
        parent?.detach(self)
        parent = nil
    }
}
