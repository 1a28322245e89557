// Nothing leaks: each node is kept by the one before it through a number, the address with a bit of the program's own.
import Glibc

final class TreeNode {
    let key: Int
    private var child: UInt = 0
    init(key: Int) { self.key = key }
    func adopt(_ node: TreeNode) { child = UInt(bitPattern: Unmanaged.passRetained(node).toOpaque()) | 1 }
}

final class Handle {
    let node: Unmanaged<TreeNode>
    init() { node = Unmanaged.passRetained(TreeNode(key: -1)) }
}

nonisolated(unsafe) var root: TreeNode?
nonisolated(unsafe) var handle: Handle?

@inline(never) func fill() {
    let top = TreeNode(key: 0)
    var last = top
    for key in 1..<300 {
        let node = TreeNode(key: key)
        last.adopt(node)
        last = node
    }
    root = top
    handle = Handle()
}

fill()
print(root!.key)
exit(0)
