// Short-lived animations with completions on a scene of nodes.
import Foundation

final class SceneNode {
    var x = 0.0, alpha = 1.0
    private(set) var children: [SceneNode] = []
    weak var parent: SceneNode?
    func add(_ child: SceneNode) {
        child.parent = self
        children.append(child)
    }
    func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
    }
}
final class Tween {
    let duration: Double
    private var elapsed = 0.0
    private let apply: (Double) -> Void
    private var completion: (() -> Void)?
    init(duration: Double, apply: @escaping (Double) -> Void, completion: (() -> Void)? = nil) {
        self.duration = duration
        self.apply = apply
        self.completion = completion
    }
    func step(_ delta: Double) -> Bool {
        elapsed += delta
        apply(min(1, elapsed / duration))
        guard elapsed >= duration else { return true }
        completion?()
        completion = nil
        return false
    }
}
final class Animator {
    private var tweens: [Tween] = []
    private var added: [Tween] = []
    private(set) var finished = 0
    func run(_ tween: Tween) { added.append(tween) }
    func step(_ delta: Double) {
        tweens += added
        added.removeAll(keepingCapacity: true)
        let before = tweens.count
        tweens.removeAll { !$0.step(delta) }
        finished += before - tweens.count
    }
    var running: Int { tweens.count + added.count }
}
final class Scene {
    let root = SceneNode()
    let animator = Animator()
    func pop(at x: Double) {
        let node = SceneNode()
        node.x = x
        root.add(node)
        animator.run(
            Tween(
                duration: 0.5, apply: { node.x = x + 20 * sin($0 * .pi) },
                completion: { [weak self, weak node] in
                    guard let self, let node else { return }
                    animator.run(
                        Tween(duration: 0.3, apply: { node.alpha = 1 - $0 }, completion: { node.removeFromParent() }))
                }))
    }
}
let scene = Scene()
for frame in 0..<2_400 {
    if frame % 2 == 0 { scene.pop(at: Double(frame % 300)) }
    // The last seconds are busier than the first.
    if frame > 1_600, frame % 5 == 0 { scene.pop(at: 7) }
    scene.animator.step(1 / 60)
}
print(scene.animator.finished, "finished,", scene.animator.running, "running,", scene.root.children.count, "nodes")
