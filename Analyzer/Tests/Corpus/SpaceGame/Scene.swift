import Foundation

/// A node of the scene graph.
class Node {
    var name: String
    private(set) var children: [Node] = []
    var parent: Node?  // suspect: back-reference
    var position = (x: 0.0, y: 0.0)
    fileprivate var actions: [Action] = []

    init(name: String) {
        self.name = name
    }

    func addChild(_ node: Node) {
        node.parent = self
        children.append(node)
    }

    func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    func run(_ action: Action) {
        actions.append(action)
    }

    func update(_ delta: TimeInterval) {
        actions.removeAll { $0.advance(delta) }
        children.forEach { $0.update(delta) }
    }
}

/// Something that goes on for a while.
final class Action {
    private var remaining: TimeInterval
    private let block: () -> Void

    init(duration: TimeInterval, block: @escaping () -> Void) {
        remaining = duration
        self.block = block
    }

    func advance(_ delta: TimeInterval) -> Bool {
        remaining -= delta
        if remaining <= 0 { block() }
        return remaining <= 0
    }
}

/// A layer with a weak way back.
final class Layer {
    var sublayers: [Layer] = []
    weak var superlayer: Layer?  // no-finding: back-reference

    func add(_ layer: Layer) {
        layer.superlayer = self
        sublayers.append(layer)
    }
}

/// A scope for the script interpreter: parents do not know their children.
final class Scope {
    let parent: Scope?  // no-finding: back-reference
    private var values: [String: Double] = [:]

    init(parent: Scope?) {
        self.parent = parent
    }

    func lookUp(_ name: String) -> Double? {
        values[name] ?? parent?.lookUp(name)
    }

    func set(_ name: String, _ value: Double) {
        values[name] = value
    }
}
