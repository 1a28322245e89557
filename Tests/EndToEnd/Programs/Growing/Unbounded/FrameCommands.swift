// Draw commands of each frame are also appended to a capture list that nobody reads.
import Foundation

struct Colour { var red: Float, green: Float, blue: Float }
class DrawCommand {
    let layer: Int
    init(layer: Int) { self.layer = layer }
    func execute(on canvas: Canvas) {}
}
final class RectangleCommand: DrawCommand {
    let x: Float, y: Float, colour: Colour
    init(layer: Int, x: Float, y: Float, colour: Colour) {
        self.x = x
        self.y = y
        self.colour = colour
        super.init(layer: layer)
    }
    override func execute(on canvas: Canvas) { canvas.fill(x, y, colour) }
}
final class TextCommand: DrawCommand {
    let text: String
    init(layer: Int, text: String) {
        self.text = text
        super.init(layer: layer)
    }
    override func execute(on canvas: Canvas) { canvas.write(text) }
}
final class Canvas {
    private(set) var filled = 0, letters = 0
    private var pixels = [Float](repeating: 0, count: 64 * 64)
    func fill(_ x: Float, _ y: Float, _ colour: Colour) {
        pixels[(Int(x) & 63) * 64 + (Int(y) & 63)] = colour.red
        filled += 1
    }
    func write(_ text: String) { letters += text.count }
}
final class Renderer {
    private var queue: [DrawCommand] = []
    private var captured: [DrawCommand] = []
    let canvas = Canvas()
    func submit(_ command: DrawCommand) {
        queue.append(command)
        captured.append(command)
    }
    func flush() {
        for command in queue.sorted(by: { $0.layer < $1.layer }) { command.execute(on: canvas) }
        queue.removeAll(keepingCapacity: true)
    }
    var capturedCount: Int { captured.count }
}
final class Sprite {
    var x: Float = 0, y: Float = 0, dx: Float
    init(dx: Float) { self.dx = dx }
    func step() {
        x += dx
        if x > 60 || x < 0 { dx = -dx }
        y = abs(sin(x)) * 60
    }
}
final class Demo {
    private let renderer = Renderer()
    private var sprites = (0..<6).map { Sprite(dx: Float($0) * 0.3 + 0.1) }
    func run(frames: Int) {
        for frame in 0..<frames {
            for (layer, sprite) in sprites.enumerated() {
                sprite.step()
                renderer.submit(
                    RectangleCommand(layer: layer, x: sprite.x, y: sprite.y, colour: Colour(red: 1, green: 0, blue: 0)))
            }
            renderer.submit(TextCommand(layer: 9, text: "frame \(frame) of the demonstration"))
            renderer.flush()
        }
        print(renderer.canvas.filled, renderer.canvas.letters, renderer.capturedCount)
    }
}
Demo().run(frames: 500)
