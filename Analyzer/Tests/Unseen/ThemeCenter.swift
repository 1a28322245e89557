import Foundation

struct Palette: Equatable, Sendable {
    let name: String
    let background: UInt32
    let accent: UInt32

    static let light = Palette(name: "light", background: 0xFFFFFF, accent: 0x0066CC)
    static let dark = Palette(name: "dark", background: 0x101010, accent: 0x66AAFF)
}

@MainActor
protocol Themed: AnyObject {
    func apply(_ palette: Palette)
}

@MainActor
final class ThemeCenter {
    static let shared = ThemeCenter()

    private struct Entry {
        weak var owner: AnyObject?
        let change: @MainActor (Palette) -> Bool
    }

    private var entries: [Entry] = []
    private var presets: [String: Palette] = [:]
    private(set) var palette = Palette.light {
        didSet { if palette != oldValue { broadcast() } }
    }

    func register(_ themed: any Themed) {
        entries.removeAll { $0.owner == nil }
        entries.append(Entry(owner: themed) { [weak themed] palette in
            guard let themed else { return false }
            themed.apply(palette)
            return true
        })
        themed.apply(palette)
    }

    func bind<Owner: AnyObject, Value>(
        _ owner: Owner,
        _ target: ReferenceWritableKeyPath<Owner, Value>,
        to source: @escaping (Palette) -> Value
    ) {
        entries.append(Entry(owner: owner) { [weak owner] palette in
            guard let owner else { return false }
            owner[keyPath: target] = source(palette)
            return true
        })
        owner[keyPath: target] = source(palette)
    }

    func define(_ palette: Palette) {
        presets[palette.name] = palette
    }

    func use(_ name: String) {
        if let preset = presets[name] { palette = preset }
    }

    private func broadcast() {
        entries.removeAll { !$0.change(palette) }
    }

    var registered: Int { entries.count }
}

@MainActor
class Widget: Themed {
    private(set) weak var container: Widget?
    private(set) var subwidgets: [Widget] = []
    private(set) var fill: UInt32 = 0

    init() {
        ThemeCenter.shared.register(self)
    }

    func add(_ widget: Widget) {
        widget.container = self
        subwidgets.append(widget)
    }

    func apply(_ palette: Palette) {
        fill = palette.background
    }

    func removeFromContainer() {
        container?.subwidgets.removeAll { $0 === self }
        container = nil
    }
}

final class Button: Widget {
    var title: String
    private var action: (() -> Void)?
    private var accent: UInt32 = 0

    init(_ title: String) {
        self.title = title
        super.init()
        ThemeCenter.shared.bind(self, \.accent, to: \.accent)
    }

    func onTap(_ action: @escaping () -> Void) {
        self.action = action
    }

    func tap() { action?() }

    var style: String { String(accent, radix: 16) }
}

final class SettingsPane: Widget {
    private let toggle = Button("Dark mode")
    private let reset = Button("Reset")
    private var taps = 0

    override init() {
        super.init()
        add(toggle)
        add(reset)
        toggle.onTap { [unowned self] in
            taps += 1
            ThemeCenter.shared.use(taps.isMultiple(of: 2) ? "light" : "dark")
        }
        reset.onTap { ThemeCenter.shared.use("light") }
    }

    func demo() -> [String] {
        toggle.tap()
        let dark = toggle.style
        reset.tap()
        return [dark, reset.style, String(fill, radix: 16)]
    }
}

@MainActor
func openSettings() {
    let center = ThemeCenter.shared
    [Palette.light, .dark].forEach(center.define)
    for _ in 0..<4 {
        let pane = SettingsPane()
        print(pane.demo(), center.registered)
    }
}

openSettings()
