/// The picture behind a level.
final class Backdrop {
    let pixels: [UInt8]

    @inline(never)
    init(level: Int) {
        pixels = Array(repeating: UInt8(truncatingIfNeeded: level), count: 32_768)
    }
}

/// Keeps the backdrops of levels, which can be made again.
///
/// Unchecked: it is used on the main thread, and by a warning, which comes while that thread waits.
final class BackdropCache: @unchecked Sendable {
    private var backdrops: [Int: Backdrop] = [:]

    var count: Int { backdrops.count }

    @inline(never)
    func backdrop(ofLevel level: Int) -> Backdrop {
        if let backdrop = backdrops[level] { return backdrop }
        let backdrop = Backdrop(level: level)
        backdrops[level] = backdrop
        return backdrop
    }

    @inline(never)
    func removeAll() {
        backdrops.removeAll()
    }
}

/// Keeps what could be made again when memory is short.
enum IgnoredMemoryWarning: Fault {
    static let name = "memory-warning"
    static let summary = "A cache ignores the memory warning: what could be made again stays."
    static let defaultPresses = 64
    static let pressLimit = 10_000

    static func commit(presses: Int) {
        // The fault: nobody tells the cache.
        warn(BackdropCache(), levels: presses)
    }

    static func commitCured(presses: Int) {
        let cache = BackdropCache()
        // The cure.
        MemoryWarning.observe { [weak cache] in cache?.removeAll() }
        warn(cache, levels: presses)
    }

    @inline(never)
    static func warn(_ cache: BackdropCache, levels: Int) {
        let bytes = (1...levels).reduce(0) { $0 + cache.backdrop(ofLevel: $1).pixels.count }
        MemoryWarning.send()
        say("showed \(bytes) bytes of backdrops and kept \(cache.count) after the warning")
    }
}
