import Foundation

/// What is turned round is no longer where it was.
final class Branch {
    var left: Branch?
    var right: Branch?
    func rotate() -> Branch {
        guard let pivot = right else { return self }
        right = pivot.left
        pivot.left = self  // no-finding: back-reference
        return pivot
    }
}

func balance(_ branch: Branch) -> Branch { branch.rotate() }  // no-finding: object-cycle

/// Neighbours of what is taken out.
final class Bead {
    var next: Bead?
    weak var previous: Bead?
}

final class Necklace {
    private var head: Bead?
    private weak var tail: Bead?
    func push() {
        let bead = Bead()
        if let last = tail {
            last.next = bead
            bead.previous = last  // no-finding: object-cycle
        } else {
            head = bead
        }
        tail = bead
    }
    func moveToFront(_ bead: Bead) {
        bead.previous?.next = bead.next
        bead.next?.previous = bead.previous  // no-finding: object-cycle
        bead.next = head
        head = bead
    }
    func reverse() {
        var previous: Bead?
        var current = head
        while let bead = current {
            let next = bead.next
            bead.next = previous  // no-finding: object-cycle
            previous = bead
            current = next
        }
        head = previous
    }
}

/// A copy changes by itself.
struct Draft {
    var onSave: (() -> Void)?
    var text = ""
}

final class Letter {
    private var draft = Draft()
    func copy() -> Draft {
        var copy = draft
        copy.onSave = { self.draft.text = "" }  // no-finding: stored-closure
        return copy
    }
}

func write() -> Draft { Letter().copy() }  // no-finding: object-cycle

/// The list that a new one gets is not the list that it is put into.
protocol Step: AnyObject {}
final class Plain: Step {}
final class Outer: Step {
    private let others: [any Step]
    init(others: [any Step]) { self.others = others }
}

func steps() -> [any Step] {
    var steps: [any Step] = [Plain()]
    let outer = Outer(others: steps)
    steps.append(outer)  // no-finding: object-cycle
    return steps
}

/// Only while it runs.
final class Round {
    private var onTick: (() -> Void)?
    private var ticks = 0
    func run() {
        onTick = { self.ticks += 1 }  // no-finding: stored-closure
        defer { onTick = nil }
        for _ in 0..<3 { onTick?() }
    }
}

/// A filter takes entries out.
final class Posts {
    private var posts: [(id: Int, body: () -> Void)] = []
    private var last = 0
    func add(_ body: @escaping () -> Void) -> Int {
        last += 1
        posts.append((last, body))
        return last
    }
    func remove(_ id: Int) { posts = posts.filter { $0.id != id } }
}

final class Reader {
    private let posts: Posts
    private var id: Int?
    private var read = 0
    init(posts: Posts) { self.posts = posts }
    func attach() { id = posts.add { self.read += 1 } }  // no-finding: stored-closure
    func detach() {
        if let id { posts.remove(id) }
        id = nil
    }
}

/// Who owns both lets both go.
final class Leaf {
    unowned(unsafe) let garden: Garden  // no-finding: unowned-outlived
    init(garden: Garden) { self.garden = garden }
}

final class Garden {
    private var leaves: [Unmanaged<Leaf>] = []
    func grow() { leaves.append(Unmanaged.passRetained(Leaf(garden: self))) }  // no-finding: unmanaged
    deinit { for leaf in leaves { leaf.release() } }
}

/// A value opens its ring when it ends.
final class RingNode {
    var next: RingNode?
    weak var previous: RingNode?
}

struct Ring: ~Copyable {
    private let head: RingNode
    init(_ count: Int) {
        head = RingNode()
        var tail = head
        for _ in 1..<count {
            let node = RingNode()
            tail.next = node
            node.previous = tail
            tail = node
        }
        tail.next = head  // no-finding: object-cycle
        head.previous = tail
    }
    deinit { head.previous?.next = nil }
}

/// What a key finds need not be what was just put in.
final class Scenes {
    private var scenes: [String: Scene] = [:]
    func add(_ name: String, after other: String) {
        let scene = Scene()
        scenes[name] = scene
        scenes[other]?.lead(to: scene)  // no-finding: object-cycle
    }
}

final class Scene {
    private var next: [Scene] = []
    func lead(to scene: Scene) { next.append(scene) }  // no-finding: object-cycle
}
