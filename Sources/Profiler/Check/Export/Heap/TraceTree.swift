import GameprofAnalysis
import GameprofTrace

/// The allocation stacks of a heap as one tree, outermost calls first. Node 0 and function 0 stand for all.
struct TraceTree {
    struct Node {
        /// Position in `functions`.
        var function: Int
        /// Blocks that exactly this stack allocated, and their bytes.
        var count = 0
        var bytes: UInt64 = 0
        var children: [Int] = []
    }

    private struct Key: Hashable {
        var parent: Int
        var function: Int
    }

    private(set) var nodes = [Node(function: 0)]
    /// Calls: a function at a line.
    private(set) var functions = [HeapDump.Frame(function: "(root)")]
    private var byStack: [StackID: Int] = [:]

    init(_ dump: HeapDump) {
        var known: [Key: Int] = [:]
        var numbers: [HeapDump.Frame: Int] = [:]
        for stack in dump.stacks() {
            var node = 0
            for frame in dump.frames(of: stack).reversed() {
                let function = numbers[frame] ?? functions.count
                if function == functions.count {
                    functions.append(frame)
                    numbers[frame] = function
                }
                let key = Key(parent: node, function: function)
                let child = known[key] ?? nodes.count
                if child == nodes.count {
                    nodes.append(Node(function: function))
                    nodes[node].children.append(child)
                    known[key] = child
                }
                node = child
            }
            byStack[stack] = node
        }
        for block in 0..<dump.count {
            let node = byStack[dump.heap.stacks[block]] ?? 0
            nodes[node].count += 1
            nodes[node].bytes &+= dump.heap.sizes[block]
        }
    }

    /// Number of the node in a file: from 1; 0: no stack is known.
    func node(of stack: StackID) -> Int { byStack[stack].map { $0 + 1 } ?? 0 }
}
