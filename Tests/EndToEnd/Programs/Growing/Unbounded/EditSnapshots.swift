// A drawing program stores a copy of the drawing for each stroke, without a bound.
import Foundation

struct Point { var x: Double, y: Double }
final class Stroke {
    let points: [Point]
    let width: Double
    init(points: [Point], width: Double) {
        self.points = points
        self.width = width
    }
}
final class Version {
    let strokes: [Stroke]
    let number: Int
    init(strokes: [Stroke], number: Int) {
        self.strokes = strokes
        self.number = number
    }
}
final class Drawing {
    private(set) var strokes: [Stroke] = []
    func add(_ stroke: Stroke) {
        strokes.append(stroke)
        if strokes.count > 40 { strokes.removeFirst() }
    }
    func erase(near point: Point) {
        strokes.removeAll { $0.points.contains { abs($0.x - point.x) < 1 && abs($0.y - point.y) < 1 } }
    }
}
final class VersionStore {
    private var versions: [Version] = []
    func save(_ drawing: Drawing) { versions.append(Version(strokes: drawing.strokes, number: versions.count)) }
    func restore() -> Version? { versions.last }
    var count: Int { versions.count }
}
final class Tool {
    private var angle = 0.0
    func stroke(_ number: Int) -> Stroke {
        angle += 0.7
        let points = (0..<20).map {
            Point(x: cos(angle) * Double($0) + Double(number % 50), y: sin(angle) * Double($0))
        }
        return Stroke(points: points, width: 1 + Double(number % 4))
    }
}
final class Exporter {
    func svg(_ drawing: Drawing) -> String {
        drawing.strokes.map { stroke in
            "<path d=\"" + stroke.points.map { "\(Int($0.x)) \(Int($0.y))" }.joined(separator: "L") + "\"/>"
        }.joined()
    }
}
final class Editor {
    private let drawing = Drawing(), versions = VersionStore(), tool = Tool(), exporter = Exporter()
    private var exported = 0
    func work(strokes: Int) {
        for number in 0..<strokes {
            drawing.add(tool.stroke(number))
            versions.save(drawing)
            if number % 30 == 0 { drawing.erase(near: Point(x: 10, y: 2)) }
            if number % 100 == 0 { exported += exporter.svg(drawing).utf8.count }
        }
        print(
            drawing.strokes.count, "strokes", versions.count, "versions", exported, "bytes",
            versions.restore()?.number ?? 0)
    }
}
Editor().work(strokes: 900)
