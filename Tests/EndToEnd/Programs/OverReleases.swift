// Textures that an atlas holds, and that something releases once too often; or nothing does. No two functions have the same code:
// the optimiser would make them one.
#if canImport(Glibc)
import Glibc
#endif

final class Texture {
    let number: Int
    init(_ number: Int) { self.number = number }
    @inline(never) func draw() -> Int { number + 1 }
}

final class Atlas {
    var textures: [Texture] = []
    @inline(never) func load(_ count: Int) { for number in 0..<count { textures.append(Texture(number)) } }
    @inline(never) func draw() -> Int { textures.reduce(0) { $0 + $1.draw() } }
    @inline(never) func unload() { textures.removeAll() }
}

nonisolated(unsafe) let atlas = Atlas()
nonisolated(unsafe) var cover: Texture?

@inline(never) func pass(_ texture: Texture) -> UnsafeMutableRawPointer { Unmanaged.passUnretained(texture).toOpaque() }
@inline(never) func passRetained(_ texture: Texture) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(texture).toOpaque()
}

/// The culprit of `callback`.
@inline(never) func takeUnowned(_ context: UnsafeMutableRawPointer) -> Int {
    Unmanaged<Texture>.fromOpaque(context).takeRetainedValue().draw() + 3
}

/// One of both must not take it.
@inline(never) func showProgress(_ context: UnsafeMutableRawPointer) -> Int {
    Unmanaged<Texture>.fromOpaque(context).takeRetainedValue().draw()
}
@inline(never) func finish(_ context: UnsafeMutableRawPointer) -> Int {
    Unmanaged<Texture>.fromOpaque(context).takeRetainedValue().draw() * 2
}

/// A slot is filled by an assignment after it was given up.
final class Slot {
    let texture: UnsafeMutablePointer<Texture?>
    init() { texture = calloc(1, MemoryLayout<Texture?>.stride)!.assumingMemoryBound(to: Texture?.self) }
    @inline(never) func take(_ new: Texture) { texture.pointee = new }
    @inline(never) func give() { texture.deinitialize(count: 1) }
}

@inline(never) func drawBySlot(_ slot: Slot, _ number: Int) {
    slot.take(atlas.textures[number])
    slot.give()
}

@inline(never) func keep(_ texture: Texture) { _ = Unmanaged.passRetained(texture) }
@inline(never) func drop(_ texture: Texture) { Unmanaged.passUnretained(texture).release() }
@inline(never) func open(_ number: Int) { keep(atlas.textures[number]) }
@inline(never) func close(_ number: Int) { drop(atlas.textures[number]) }
@inline(never) func evict(_ number: Int) { if number > 0 { drop(atlas.textures[number]) } }

final class Tiles {
    let tiles = UnsafeMutablePointer<Texture>.allocate(capacity: 2)
    @inline(never) func fill() { for number in 0..<2 { (tiles + number).initialize(to: atlas.textures[number]) } }
    @inline(never) func clearLast() { (tiles + 1).deinitialize(count: 1) }
    @inline(never) func clear() { tiles.deinitialize(count: 2) }
}

final class Sprite {
    unowned(unsafe) let texture: Texture
    init(_ texture: Texture) { self.texture = texture }
    @inline(never) func draw() -> Int { texture.draw() }
}

final class Shadow {
    unowned let texture: Texture
    init(_ texture: Texture) { self.texture = texture }
    @inline(never) func draw() -> Int { texture.draw() }
}

@inline(never) func makeSprite() -> Sprite { Sprite(atlas.textures[0]) }
@inline(never) func makeShadow() -> Shadow { Shadow(atlas.textures[0]) }
@inline(never) func makeCover() { cover = Texture(7) }
@inline(never) func drawCover() -> Int { cover.map { $0.draw() } ?? 0 }

@main enum OverReleases {
    static func main() {
        atlas.load(3)
        var total = 0
        switch CommandLine.arguments.last {
        case "callback": total += takeUnowned(pass(atlas.textures[1]))
        case "twice":
            let context = passRetained(atlas.textures[1])
            total += showProgress(context) + finish(context)
        case "slot":
            let slot = Slot()
            for number in 0..<6 { drawBySlot(slot, number % 2) }
        case "one-slot":
            let slot = Slot()
            for _ in 0..<6 { drawBySlot(slot, 1) }
        case "helper":
            open(1)
            close(1)
            evict(1)
        case "range":
            let tiles = Tiles()
            tiles.fill()
            tiles.clearLast()
            tiles.clear()
        case "variable":
            makeCover()
            total += takeUnowned(pass(cover!))
            total += drawCover()
        case "unload":
            let sprite = makeSprite()
            atlas.unload()
            total += sprite.draw()
        default:
            let shadow = makeShadow()
            atlas.unload()
            total += shadow.draw()
        }
        total += atlas.draw()
        print("done", total)
    }
}
