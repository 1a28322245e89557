import Foundation

/// Lives as long as the program.
final class MetricsRegistry {
    static let global = MetricsRegistry()

    private var samples: [String: [Double]] = [:]  // suspect: only-grows
    private var names: Set<String> = []  // suspect: only-grows
    private var window: [Double] = []  // no-finding: only-grows
    private var handlers: [UUID: () -> Void] = [:]  // no-finding: only-grows
    private var ring = [Double](repeating: 0, count: 64)  // no-finding: only-grows
    private var position = 0

    func record(_ value: Double, for name: String) {
        samples[name, default: []].append(value)
        names.insert(name)
        window.append(value)
        if window.count > 100 { window.removeFirst(window.count - 100) }
        ring[position % ring.count] = value
        position += 1
    }

    func onFlush(_ handler: @escaping () -> Void) -> UUID {
        let identifier = UUID()
        handlers[identifier] = handler
        return identifier
    }

    func removeHandler(_ identifier: UUID) {
        handlers.removeValue(forKey: identifier)
    }
}

enum Localization {
    nonisolated(unsafe) private static var missing: [String] = []  // suspect: only-grows
    nonisolated(unsafe) private static var table: [String: String] = [:]  // no-finding: only-grows

    static func text(_ key: String) -> String {
        guard let text = table[key] else {
            missing.append(key)
            return key
        }
        return text
    }

    static func load(_ url: URL) {
        table = [:]
        table["hello"] = "Hallo"
    }
}

nonisolated(unsafe) var openDocuments: [String] = []  // suspect: only-grows
nonisolated(unsafe) var launchArguments: [String] = []  // no-finding: only-grows

func open(_ name: String) {
    openDocuments.append(name)
}

func parse(_ arguments: [String]) {
    launchArguments = arguments
}

/// Local and short-lived: grows and goes.
struct ReportWriter {
    private var lines: [String] = []  // no-finding: only-grows

    mutating func add(_ line: String) {
        lines.append(line)
    }

    var text: String { lines.joined(separator: "\n") }
}

final class TextBuilder {
    private var parts: [String] = []  // no-finding: only-grows

    func append(_ part: String) -> TextBuilder {
        parts.append(part)
        return self
    }
}

/// A cache that throws away the oldest.
final class ThumbnailCache {
    static let shared = ThumbnailCache()

    private var images: [String: Data] = [:]  // no-finding: only-grows
    private var order: [String] = []  // no-finding: only-grows

    func store(_ image: Data, for key: String) {
        images[key] = image
        order.append(key)
        if order.count > 50 { images[order.removeFirst()] = nil }
    }
}

/// A cache that throws away nothing.
final class GlyphCache {
    private var glyphs: [String: Data] = [:]  // suspect: only-grows

    func glyph(_ key: String) -> Data {
        if let glyph = glyphs[key] { return glyph }
        let glyph = Data(key.utf8)
        glyphs[key] = glyph
        return glyph
    }
}
