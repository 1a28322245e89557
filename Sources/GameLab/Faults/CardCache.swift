/// The picture on the front of a card.
final class CardImage {
    let pixels: [UInt8]

    @inline(never)
    init(type: Int) {
        pixels = Array(repeating: UInt8(truncatingIfNeeded: type), count: 4_096)
    }
}

/// Keeps the pictures that were shown.
final class CardCache {
    /// Unsafe: used on the main thread alone.
    nonisolated(unsafe) static let shared = CardCache()

    private var images: [String: CardImage] = [:]

    var count: Int { images.count }

    @inline(never)
    func image(forType type: Int, game: Int) -> CardImage {
        // The fault: the key differs in each game, so nothing is ever found, and nothing is ever thrown away.
        let key = "game \(game), card \(type)"
        if let image = images[key] { return image }
        let image = CardImage(type: type)
        images[key] = image
        return image
    }
}

/// Lets a cache grow from game to game; everything in it stays reachable.
enum CardCaching: Fault {
    static let name = "card-cache"
    static let summary = "A cache grows with every game, because its keys never repeat; it stays reachable."
    static let defaultPresses = 12
    static let pressLimit = 10_000
    static let cardTypes = 18

    static func commit(presses: Int) {
        var bytes = 0
        for game in 1...presses {
            bytes += showCards(ofGame: game)
        }
        say("showed \(bytes) bytes of pictures in \(presses) games and kept \(CardCache.shared.count) images")
    }

    @inline(never)
    static func showCards(ofGame game: Int) -> Int {
        (0..<cardTypes).reduce(0) { bytes, type in
            bytes + CardCache.shared.image(forType: type, game: game).pixels.count
        }
    }
}

// MARK: The cure: the key is what the picture depends on

extension CardCache {
    @inline(never)
    func image(forType type: Int) -> CardImage {
        let key = "card \(type)"
        if let image = images[key] { return image }
        let image = CardImage(type: type)
        images[key] = image
        return image
    }
}

extension CardCaching {
    static func commitCured(presses: Int) {
        let cache = CardCache()
        var bytes = 0
        for _ in 1...presses {
            bytes += (0..<cardTypes).reduce(0) { $0 + cache.image(forType: $1).pixels.count }
        }
        say("showed \(bytes) bytes of pictures in \(presses) games and kept \(cache.count) images")
    }
}
