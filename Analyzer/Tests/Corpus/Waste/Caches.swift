/// Caches, and who hears that memory is short.
enum Instrumentation {
    static func onMemoryWarning(_ handler: @escaping () -> Void) { handlers.append(handler) }
    nonisolated(unsafe) static var handlers: [() -> Void] = []
}

final class PictureCache {
    private var pictures: [Int: Picture] = [:]

    func picture(_ level: Int) -> Picture {
        if let picture = pictures[level] { return picture }
        let picture = Picture(level: level)
        pictures[level] = picture
        return picture
    }

    func flush() { pictures.removeAll() }
}

func show(_ cache: PictureCache) { _ = cache.picture(1) }

enum Showing {
    static func untold() {
        show(PictureCache())  // doubt: memory-warning
    }

    static func told() {
        let cache = PictureCache()  // silent: memory-warning
        Instrumentation.onMemoryWarning { [weak cache] in cache?.flush() }
        show(cache)
    }
}

func showOnce() {
    let cache = PictureCache()  // silent: memory-warning
    show(cache)
}

final class Gallery {
    private let cache = PictureCache()  // silent: memory-warning

    init() { Instrumentation.onMemoryWarning { [weak self] in self?.cache.flush() } }
}

/// Hears it itself.
final class HearingCache {
    private var pictures: [Int: Picture] = [:]

    init() { Instrumentation.onMemoryWarning { [weak self] in self?.pictures.removeAll() } }

    func picture(_ level: Int) -> Picture {
        if let picture = pictures[level] { return picture }
        let picture = Picture(level: level)
        pictures[level] = picture
        return picture
    }
}

/// Never has more than a hundred.
final class BoundedCache {
    private var pictures: [Int: Picture] = [:]

    func picture(_ level: Int) -> Picture {
        if let picture = pictures[level] { return picture }
        if pictures.count == 100 { pictures.removeAll() }
        let picture = Picture(level: level)
        pictures[level] = picture
        return picture
    }
}

/// Emptied between levels.
final class LevelCache {
    private var pictures: [Int: Picture] = [:]

    func picture(_ level: Int) -> Picture {
        if let picture = pictures[level] { return picture }
        let picture = Picture(level: level)
        pictures[level] = picture
        return picture
    }

    func clear() { pictures.removeAll() }
}

final class Stage {
    private let cache = LevelCache()  // silent: memory-warning
    private let bounded = BoundedCache()  // silent: memory-warning
    private let hearing = HearingCache()  // silent: memory-warning

    func next() { cache.clear() }
}

/// Told from elsewhere.
enum Caches { static let drawings = PictureCache() }  // silent: memory-warning

final class Museum {
    static let shared = Museum()
    let paintings = PictureCache()  // silent: memory-warning
}

/// Emptied by who is given it.
final class GivenCache {
    private var pictures: [Int: Picture] = [:]

    func picture(_ level: Int) -> Picture {
        if let picture = pictures[level] { return picture }
        let picture = Picture(level: level)
        pictures[level] = picture
        return picture
    }

    func flush() { pictures.removeAll() }
}

struct App {
    let given: GivenCache

    init(given: GivenCache) {
        self.given = given
        Instrumentation.onMemoryWarning { Caches.drawings.flush() }
        Instrumentation.onMemoryWarning { Museum.shared.paintings.flush() }
        Instrumentation.onMemoryWarning { given.flush() }
    }
}

func start() -> App { App(given: GivenCache()) }  // silent: memory-warning
