/// Keeps temporary objects until it goes away.
final class TemporaryPool {
    private var objects: [AnyObject] = []

    @inline(never)
    func keep<Object: AnyObject>(_ object: Object) -> Object {
        objects.append(object)
        return object
    }
}

/// A small picture of a level.
final class Thumbnail {
    let pixels: [UInt8]

    @inline(never)
    init(level: Int) {
        pixels = Array(repeating: UInt8(truncatingIfNeeded: level), count: 16_384)
    }
}

/// Keeps what each pass of a loop needs for a moment until the loop has ended.
enum TemporaryPeak: Fault {
    static let name = "temporary-peak"
    static let summary = "A loop's temporary objects live until its end: nothing is lost, the peak is too high."
    static let defaultPresses = 200
    static let pressLimit = 10_000

    static func commit(presses: Int) {
        // The fault: one pool around the loop.
        let pool = TemporaryPool()
        var sum = 0
        for level in 0..<presses { sum += brightness(ofLevel: level, pool: pool) }
        say("the brightness of \(presses) levels is \(sum)")
    }

    static func commitCured(presses: Int) {
        var sum = 0
        for level in 0..<presses {
            // The cure: a pool for each pass.
            let pool = TemporaryPool()
            sum += brightness(ofLevel: level, pool: pool)
        }
        say("the brightness of \(presses) levels is \(sum)")
    }

    @inline(never)
    static func brightness(ofLevel level: Int, pool: TemporaryPool) -> Int {
        Int(pool.keep(Thumbnail(level: level)).pixels[0])
    }
}
