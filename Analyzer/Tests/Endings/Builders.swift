// a result builder, view values with actions, and a renderer whose actions are made anew for every frame
struct Element {
    var tag: String
    var action: (() -> Void)?
    var children: [Element] = []
}
@resultBuilder
enum Markup {
    static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap { $0 } }
    static func buildExpression(_ part: Element) -> [Element] { [part] }
    static func buildOptional(_ parts: [Element]?) -> [Element] { parts ?? [] }
}
func column(@Markup _ content: () -> [Element]) -> Element { Element(tag: "column", children: content()) }
func button(_ title: String, _ action: @escaping () -> Void) -> Element { Element(tag: title, action: action) }

final class CounterModel {
    private(set) var count = 0
    private var onChange: (() -> Void)?
    func bind(_ body: @escaping () -> Void) { onChange = body }
    func unbind() { onChange = nil }
    func increase() {
        count += 1
        onChange?()
    }
    var view: Element {
        column {
            button("more") { self.increase() }
            if count > 2 { button("less") { self.count = 0 } }
        }
    }
}
final class Renderer {
    private var tree: Element?
    private var frames = 0
    func render(_ element: Element) {
        frames += 1
        tree = element
    }
    func tap(_ tag: String) { tree?.children.first { $0.tag == tag }?.action?() }
    func clear() { tree = nil }
}
final class Window {
    private let model = CounterModel()
    private let renderer = Renderer()
    func open() {
        model.bind { self.refresh() }
        refresh()
    }
    private func refresh() { renderer.render(model.view) }
    func tap(_ tag: String) { renderer.tap(tag) }
    func close() {
        model.unbind()
        renderer.clear()
    }
    var count: Int { model.count }
}
let window = Window()
window.open()
(0..<4).forEach { _ in window.tap("more") }
window.close()
print(window.count)
