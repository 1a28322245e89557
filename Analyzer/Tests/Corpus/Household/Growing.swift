import Foundation

enum Registry {
    nonisolated(unsafe) private static var plugins: [String: AnyObject] = [:]  // no-finding: only-grows
    nonisolated(unsafe) private static var events: [String] = []  // suspect: only-grows
    nonisolated(unsafe) private static var recent: [String] = []  // no-finding: only-grows

    static func register(_ plugin: AnyObject, as name: String) { plugins[name] = plugin }
    static func note(_ event: String) {
        events.append(event)
        recent.append(event)
        if recent.count > 100 { recent.removeFirst(50) }
    }
}

final class ImageCache {
    static let shared = ImageCache()
    private var images: [String: [UInt8]] = [:]  // suspect: only-grows
    private let limited = NSCache<NSString, NSData>()  // no-finding: only-grows
    private var keys: Set<String> = []  // suspect: only-grows

    func image(_ name: String) -> [UInt8] {
        if let known = images[name] { return known }
        let made = [UInt8](repeating: 0, count: 1000)
        images[name] = made
        keys.insert(name)
        limited.setObject(NSData(), forKey: name as NSString)
        return made
    }
}

final class Sessions {
    static let shared = Sessions()
    private var open: [Int: String] = [:]  // no-finding: only-grows
    private var history: [Int] = []  // suspect: only-grows

    func begin(_ id: Int) {
        open[id] = "open"
        history.append(id)
    }

    func end(_ id: Int) { open[id] = nil }
}

/// A document lives as long as its window: its lines are what it is for.
final class Document {
    private(set) var lines: [String] = []  // no-finding: only-grows
    func type(_ line: String) { lines.append(line) }
}
