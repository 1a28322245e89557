/// An element of a ``DemoList``.
final class DemoElement {
    let value: Int
    fileprivate(set) var next: DemoElement?

    init(value: Int) {
        self.value = value
    }
}

/// A linked list that finds each of its elements by counting from its head.
final class DemoList {
    private var head: DemoElement?
    private var tail: DemoElement?
    private(set) var count = 0

    deinit {
        // One after the other: the release of a long chain would otherwise recurse once per element.
        var element = head
        head = nil
        while let current = element {
            element = current.next
            current.next = nil
        }
    }

    @inline(never)
    func append(_ value: Int) {
        let element = DemoElement(value: value)
        tail?.next = element
        tail = element
        if head == nil { head = element }
        count += 1
    }

    /// Doubles the list, which has one element at first.
    @inline(never)
    func double() {
        for value in count..<max(1, 2 * count) { append(value) }
    }

    @inline(never)
    func element(at index: Int) -> DemoElement? {
        var element = head
        for _ in 0..<index { element = element?.next }
        return element
    }

    /// The fault: a sum over n elements walks n²/2 of them.
    @inline(never)
    func sum() -> Int {
        (0..<count).reduce(0) { $0 + (element(at: $1)?.value ?? 0) }
    }
}

/// Wastes time: the list doubles at each press, the work quadruples.
enum ComputeSum: Fault {
    static let name = "compute-sum"
    static let summary = "A linked list is summed by index from its head, in quadratic time; it doubles at each press."
    static let defaultPresses = 15
    static let pressLimit = 24

    static func commit(presses: Int) {
        let list = DemoList()
        for _ in 0..<presses {
            list.double()
            say("the sum of \(list.count) elements is \(list.sum())")
        }
    }
}

// MARK: The cure: the elements are walked once

extension DemoList {
    @inline(never)
    func sumOnOneWalk() -> Int {
        sequence(first: head) { $0?.next }.prefix { $0 != nil }.reduce(0) { $0 + ($1?.value ?? 0) }
    }
}

extension ComputeSum {
    static func commitCured(presses: Int) {
        let list = DemoList()
        for _ in 0..<presses {
            list.double()
            say("the sum of \(list.count) elements is \(list.sumOnOneWalk())")
        }
    }
}
