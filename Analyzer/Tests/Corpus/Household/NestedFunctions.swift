import Foundation

final class Parser {
    var onToken: ((String) -> Void)?
    var onEnd: (() -> Void)?
    private var depth = 0

    func prepare() {
        func push(_ token: String) { depth += 1 }
        func log(_ token: String) { print(token) }
        onToken = push  // suspect: stored-method
        onToken = log  // no-finding: stored-method
    }

    func prepareLater() {
        func pop() { self.depth -= 1 }
        onEnd = { pop() }  // suspect: stored-closure
    }

    func prepareWeakly() {
        onEnd = { [weak self] in
            func pop() { self?.depth -= 1 }
            pop()
        }
    }

    func walk() {
        func visit(_ level: Int) {
            guard level > 0 else { return }
            depth += level
            visit(level - 1)
        }
        visit(3)
    }

    func curried() {
        let step = advance(by:)  // suspect: stored-method
        onEnd = { step(2) }
    }

    func made() {
        onEnd = makeHandler()  // suspect: stored-closure
    }

    private func makeHandler() -> () -> Void {
        { self.depth = 0 }
    }

    func madeWeakly() {
        onEnd = makeWeakHandler()  // no-finding: stored-closure
    }

    private func makeWeakHandler() -> () -> Void {
        { [weak self] in self?.depth = 0 }
    }

    private func advance(by count: Int) { depth += count }
}

/// Closures that other functions make out of closures.
func later(_ body: @escaping () -> Void) -> () -> Void {
    { body() }
}

func counted(_ body: () -> Int) -> () -> Void {
    let count = body()
    return { print(count) }
}

final class Button {
    var onTap: (() -> Void)?
    private var taps = 0

    func prepare() {
        onTap = later { self.taps += 1 }  // suspect: stored-closure
        onTap = later { [weak self] in self?.taps += 1 }  // no-finding: stored-closure
        onTap = counted { self.taps }  // no-finding: stored-closure
    }

    func prepareLocally() {
        let tap = { self.taps += 1 }  // suspect: stored-closure
        onTap = { tap() }
    }

    func prepareShadowed() {
        let tap = { self.taps += 1 }  // no-finding: stored-closure
        tap()
        onTap = {
            let tap = 3
            print(tap)
        }
    }
}
