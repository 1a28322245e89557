// A bounded image cache behind a singleton that is half full when the program ends.
import Foundation

final class Image {
    let name: String
    let pixels: [UInt8]
    init(name: String, pixels: [UInt8]) {
        self.name = name
        self.pixels = pixels
    }
}
final class ImageCache {
    nonisolated(unsafe) static let shared = ImageCache()
    private var images: [String: Image] = [:]
    private var order: [String] = []
    private let limit = 800
    private init() {}
    func image(_ name: String, load: (String) -> Image) -> Image {
        if let known = images[name] { return known }
        let image = load(name)
        images[name] = image
        order.append(name)
        if order.count > limit { images[order.removeFirst()] = nil }
        return image
    }
    var count: Int { images.count }
}
final class Decoder {
    func decode(_ name: String) -> Image {
        let packed = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* name.utf8.count) }
        var pixels: [UInt8] = []
        for byte in packed {
            pixels.append(byte)
            pixels.append(255 - byte)
        }
        return Image(name: name, pixels: pixels)
    }
}
final class Screen {
    let title: String
    private(set) var images: [Image] = []
    init(title: String) { self.title = title }
    func show(_ names: [String], decoder: Decoder) {
        images = names.map { ImageCache.shared.image($0, load: decoder.decode) }
    }
}
let decoder = Decoder()
var seed: UInt64 = 1
var shown = 0
for number in 0..<250 {
    let screen = Screen(title: "Gallery \(number)")
    let names = (0..<6).map { _ -> String in
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return "photo-\(Int(seed >> 33) % 600).jpg"
    }
    screen.show(names, decoder: decoder)
    shown += screen.images.count
}
print(shown, ImageCache.shared.count)
