/// A position in a tree of moves.
final class TreeNode {
    let move: String
    private(set) var children: [TreeNode] = []
    /// The fault: a parent that the child owns.
    private(set) var parent: TreeNode?

    init(move: String) {
        self.move = move
    }

    @inline(never)
    func add(_ child: TreeNode) {
        child.parent = self
        children.append(child)
    }

    /// The number of nodes from here on down.
    var count: Int { children.reduce(1) { $0 + $1.count } }

    /// The number of nodes above this one.
    var depth: Int { parent.map { $0.depth + 1 } ?? 0 }
}

/// Loses a tree whose nodes keep their parents.
enum TreeCycle: Fault {
    static let name = "tree-cycle"
    static let summary = "The nodes of a tree hold their parents as strongly as their children."

    static func commit(presses: Int) {
        for _ in 0..<presses {
            let root = makeTree()
            let leaf = root.children.first?.children.first
            say("lost a tree of \(root.count) nodes, '\(leaf?.move ?? "no move")' at depth \(leaf?.depth ?? 0)")
        }
    }

    @inline(never)
    static func makeTree() -> TreeNode {
        let root = TreeNode(move: "start")
        for first in ["right", "down"] {
            let node = TreeNode(move: first)
            root.add(node)
            for second in ["right", "down"] {
                node.add(TreeNode(move: "\(first), \(second)"))
            }
        }
        return root
    }
}

// MARK: The cure: a child does not own its parent

final class LeafOwningNode {
    private(set) var children: [LeafOwningNode] = []
    private(set) weak var parent: LeafOwningNode?

    @inline(never)
    func add(_ child: LeafOwningNode) {
        child.parent = self
        children.append(child)
    }

    /// The number of nodes from here on down.
    var count: Int { children.reduce(1) { $0 + $1.count } }
}

extension TreeCycle {
    static func commitCured(presses: Int) {
        for _ in 0..<presses {
            let root = LeafOwningNode()
            for _ in 0..<2 {
                let node = LeafOwningNode()
                root.add(node)
                for _ in 0..<2 { node.add(LeafOwningNode()) }
            }
            say("released a tree of \(root.count) nodes")
        }
    }
}
