// strong parents that detaching takes away; delegates that do not own; struct copies
final class Node {
    let name: String
    private(set) var parent: Node?
    private(set) var children: [Node] = []
    private var sibling: Node?
    init(_ name: String) { self.name = name }
    func add(_ child: Node) {
        child.parent = self
        child.sibling = children.last
        children.append(child)
    }
    func detach() {
        parent?.children.removeAll { $0 === self }
        parent = nil
        sibling = nil
    }
    func dismantle() {
        for child in children {
            child.dismantle()
            child.detach()
        }
    }
}
protocol RendererDelegate: AnyObject { func didDraw(_ count: Int) }
final class Renderer {
    var delegate: RendererDelegate?
    private var layers: [Layer] = []
    func draw(_ root: Node) {
        layers.append(Layer(root: root))
        let drawn = layers.last?.count ?? 0
        layers.removeAll(keepingCapacity: true)
        delegate?.didDraw(drawn)
    }
}
final class FrameCounter: RendererDelegate {
    private(set) var frames = 0
    func didDraw(_ count: Int) { frames += count }
}
struct Layer {
    var root: Node
    var filters: [() -> Int] = []
    var count: Int { 1 + root.children.count }
    mutating func addFilter() {
        let copy = self
        filters.append { copy.count }
    }
}
final class Ring {
    final class Link {
        var value: Int
        var next: Link?
        init(_ value: Int) { self.value = value }
    }
    private var first: Link?
    private var last: Link?
    func add(_ value: Int) {
        let link = Link(value)
        if let last { last.next = link } else { first = link }
        last = link
        link.next = first
    }
    func take() -> Int? {
        guard let link = first else { return nil }
        if link === last {
            link.next = nil
            first = nil
            last = nil
        } else {
            first = link.next
            last?.next = first
        }
        return link.value
    }
    deinit { last?.next = nil }
}
let root = Node("root")
let branch = Node("branch")
root.add(branch)
branch.add(Node("leaf"))
branch.add(Node("bud"))
let renderer = Renderer()
let counter = FrameCounter()
renderer.delegate = counter
renderer.draw(root)
root.dismantle()
var layer = Layer(root: root)
layer.addFilter()
let ring = Ring()
(1...3).forEach(ring.add)
print(ring.take() ?? 0, counter.frames, layer.filters.count)
