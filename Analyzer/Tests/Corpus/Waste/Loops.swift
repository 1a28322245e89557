/// Loops that keep what they make.
final class Picture {
    let pixels: [UInt8]

    init(level: Int) { pixels = Array(repeating: UInt8(truncatingIfNeeded: level), count: 16_384) }
}

final class Keeper {
    private var objects: [AnyObject] = []

    func keep<Object: AnyObject>(_ object: Object) -> Object {
        objects.append(object)
        return object
    }
}

func brightness(_ level: Int, _ keeper: Keeper) -> Int { Int(keeper.keep(Picture(level: level)).pixels[0]) }

func brightness(ofLevels count: Int) -> Int {
    let keeper = Keeper()  // doubt: temporary-peak
    var sum = 0
    for level in 0..<count { sum += brightness(level, keeper) }
    return sum
}

func brightnessByPass(ofLevels count: Int) -> Int {
    var sum = 0
    for level in 0..<count {
        let keeper = Keeper()  // silent: temporary-peak
        sum += brightness(level, keeper)
    }
    return sum
}

func brightnessOfFew() -> Int {
    let keeper = Keeper()  // silent: temporary-peak
    var sum = 0
    for level in 0..<10 { sum += brightness(level, keeper) }
    return sum
}

/// A keeper that is read.
final class Album {
    private var pages: [Picture] = []

    func add(_ picture: Picture) { pages.append(picture) }
    func first() -> Picture? { pages.first }
}

func fill(_ count: Int) {
    let album = Album()  // silent: temporary-peak
    for level in 0..<count {
        album.add(Picture(level: level))
        if album.first() == nil { break }
    }
}

final class Strip {
    private var shots: [Picture] = []
    var first: Picture? { shots.first }

    func add(_ picture: Picture) { shots.append(picture) }
}

func fillStrip(_ count: Int) {
    let strip = Strip()  // silent: temporary-peak
    for level in 0..<count {
        strip.add(Picture(level: level))
        if strip.first == nil { break }
    }
}

func keepUntilTheEnd(_ count: Int) {
    let keeper = Keeper()  // silent: temporary-peak
    for level in 0..<count { _ = brightness(level, keeper) }
    withExtendedLifetime(keeper) {}
}
