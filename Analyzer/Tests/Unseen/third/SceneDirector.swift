import Foundation

// Scene stack with nodes, key bindings, dialogs and a director that drives frames.

enum Key: Hashable {
    case up, down, confirm, cancel
}

class Node {
    let name: String
    weak var parent: Node?
    private(set) var children: [Node] = []
    var hidden = false

    init(_ name: String) {
        self.name = name
    }

    func add(_ child: Node) {
        child.parent = self
        children.append(child)
    }

    func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    var path: String {
        guard let parent else { return name }
        return parent.path + "/" + name
    }
}

protocol DialogDelegate: AnyObject {
    func dialog(_ dialog: Dialog, chose index: Int)
}

final class Dialog: Node {
    weak var delegate: DialogDelegate?
    let style: DialogStyle
    private let choices: [String]
    private var cursor = 0

    init(choices: [String], style: DialogStyle) {
        self.choices = choices
        self.style = style
        super.init("dialog")
    }

    func press(_ key: Key) {
        switch key {
        case .up: cursor = max(0, cursor - 1)
        case .down: cursor = min(choices.count - 1, cursor + 1)
        case .confirm: delegate?.dialog(self, chose: cursor)
        case .cancel: removeFromParent()
        }
    }
}

final class DialogStyle {
    var delegate: StyleProvider

    init(delegate: StyleProvider) {
        self.delegate = delegate
    }

    var border: String { delegate.border(for: "dialog") }
}

final class StyleProvider {
    private let table = ["dialog": "double", "panel": "single"]
    func border(for kind: String) -> String { table[kind] ?? "none" }
}

class Scene {
    let root: Node
    fileprivate(set) weak var director: Director?
    private var bindings: [Key: () -> Void] = [:]
    private var onLeave: (() -> Void)?

    init(name: String) {
        root = Node(name)
    }

    func bind(_ key: Key, _ action: @escaping () -> Void) {
        bindings[key] = action
    }

    func whenLeaving(_ action: @escaping () -> Void) {
        onLeave = action
    }

    func handle(_ key: Key) {
        bindings[key]?()
    }

    func didEnter() {}

    fileprivate func willLeave() {
        let action = onLeave
        onLeave = nil
        action?()
        bindings.removeAll()
    }
}

final class TitleScene: Scene, DialogDelegate {
    private let menu: Dialog
    private(set) var presses = 0

    init(style: DialogStyle) {
        menu = Dialog(choices: ["new", "load", "quit"], style: style)
        super.init(name: "title")
        menu.delegate = self
        root.add(menu)
    }

    override func didEnter() {
        bind(.up) { self.presses += 1; self.menu.press(.up) }
        bind(.down) { self.presses += 1; self.menu.press(.down) }
        bind(.confirm) { self.menu.press(.confirm) }
        whenLeaving { print("title left after \(self.presses) presses") }
    }

    func dialog(_ dialog: Dialog, chose index: Int) {
        if index == 1 {
            director?.push(LevelScene(number: 7))
        }
    }
}

final class LevelScene: Scene {
    private let number: Int
    private var hero = Node("hero")
    private lazy var caption: String = {
        "level \(self.number) at \(self.root.path)"
    }()
    private var effects: [(Double) -> Bool] = []

    init(number: Int) {
        self.number = number
        super.init(name: "level")
    }

    override func didEnter() {
        root.add(hero)
        let shadow = Node("shadow")
        hero.add(shadow)
        bind(.cancel) { [unowned self] in
            self.director?.pop()
        }
        bind(.up) { [weak hero] in
            hero?.hidden.toggle()
        }
        fadeIn()
        print(caption, shadow.path)
    }

    func advance(_ dt: Double) {
        effects.removeAll { $0(dt) }
    }

    private func fadeIn() {
        var left = 0.3
        effects.append { dt in
            left -= dt
            self.hero.hidden = left > 0
            return left <= 0
        }
    }
}

final class Director {
    private var stack: [Scene] = []
    private var afterFrame: [() -> Void] = []

    var depth: Int { stack.count }

    func push(_ scene: Scene) {
        scene.director = self
        stack.append(scene)
        scene.didEnter()
    }

    func pop() {
        afterFrame.append {
            guard let scene = self.stack.popLast() else { return }
            scene.willLeave()
        }
    }

    func send(_ key: Key) {
        stack.last?.handle(key)
        frame()
    }

    func frame() {
        (stack.last as? LevelScene)?.advance(0.1)
        let todo = afterFrame
        afterFrame.removeAll()
        todo.forEach { $0() }
    }

    func close() {
        while let scene = stack.popLast() {
            scene.willLeave()
        }
        afterFrame.removeAll()
    }
}

func session() {
    let director = Director()
    let style = DialogStyle(delegate: StyleProvider())
    director.push(TitleScene(style: style))
    director.send(.down)
    director.send(.confirm)
    for _ in 0..<5 { director.frame() }
    director.send(.up)
    director.send(.cancel)
    print("depth now \(director.depth), border \(style.border)")
    director.close()
}

session()
