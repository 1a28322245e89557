import Foundation

extension Notification.Name {
    static let memoryPressure = Notification.Name("system.memoryPressure")
    static let localeChanged = Notification.Name("system.localeChanged")
    static let fontsReloaded = Notification.Name("system.fontsReloaded")
}

struct Glyph: Hashable {
    let scalar: UInt32
    let size: Int
}

struct AtlasSlot {
    let x: Int
    let y: Int
    let width: Int
}

final class ObserverToken {
    private let raw: any NSObjectProtocol
    private let center: NotificationCenter

    init(_ raw: any NSObjectProtocol, center: NotificationCenter) {
        self.raw = raw
        self.center = center
    }

    deinit {
        center.removeObserver(raw)
    }
}

extension NotificationCenter {
    func token(for name: Notification.Name, _ body: @escaping @Sendable (Notification) -> Void) -> ObserverToken {
        ObserverToken(addObserver(forName: name, object: nil, queue: nil, using: body), center: self)
    }
}

final class GlyphAtlas: @unchecked Sendable {
    private var slots: [Glyph: AtlasSlot] = [:]
    private var cursor = (x: 0, y: 0)
    private let side: Int
    private var tokens: [ObserverToken] = []
    private(set) var flushes = 0

    init(side: Int, center: NotificationCenter = .default) {
        self.side = side
        tokens.append(center.token(for: .memoryPressure) { _ in
            self.flush()
        })
        tokens.append(center.token(for: .fontsReloaded) { [weak self] _ in
            self?.flush()
        })
        tokens.append(center.token(for: .localeChanged) { note in
            print("locale", note.userInfo?["identifier"] as? String ?? "?")
        })
    }

    func slot(for glyph: Glyph) -> AtlasSlot {
        if let slot = slots[glyph] { return slot }
        if cursor.x + glyph.size > side {
            cursor = (0, cursor.y + glyph.size)
        }
        if cursor.y + glyph.size > side { flush() }
        let slot = AtlasSlot(x: cursor.x, y: cursor.y, width: glyph.size)
        cursor.x += glyph.size
        slots[glyph] = slot
        return slot
    }

    private func flush() {
        slots.removeAll(keepingCapacity: true)
        cursor = (0, 0)
        flushes += 1
    }

    var occupancy: Int { slots.count }
}

final class HyphenationTable: @unchecked Sendable {
    private var token: (any NSObjectProtocol)?
    private var breaks: [String: [Int]] = [:]

    func activate() {
        token = NotificationCenter.default.addObserver(forName: .localeChanged, object: nil, queue: nil) { _ in
            self.breaks.removeAll()
        }
    }

    func deactivate() {
        if let token { NotificationCenter.default.removeObserver(token) }
        token = nil
    }

    func positions(in word: String) -> [Int] {
        if let known = breaks[word] { return known }
        let found = word.indices.enumerated().filter { "aeiou".contains(word[$0.element]) }.map(\.offset)
        if breaks.count > 2_000 { breaks.removeAll() }
        breaks[word] = found
        return found
    }
}

func typeset(_ text: String) {
    let atlas = GlyphAtlas(side: 256)
    let hyphenation = HyphenationTable()
    hyphenation.activate()
    defer { hyphenation.deactivate() }
    for scalar in text.unicodeScalars {
        _ = atlas.slot(for: Glyph(scalar: scalar.value, size: 16))
    }
    let breaks = text.split(separator: " ").map { hyphenation.positions(in: String($0)).count }
    print(atlas.occupancy, breaks)
    NotificationCenter.default.post(name: .memoryPressure, object: nil)
    NotificationCenter.default.post(name: .localeChanged, object: nil, userInfo: ["identifier": "pt_BR"])
    print(atlas.flushes)
}

typeset("pack my box with five dozen jugs")
typeset("sphinx of black quartz judge my vow")
