// Jobs in task groups; the results are collected into a table that is printed.
final class Tile: Sendable {
    let x: Int, y: Int
    let pixels: [UInt8]
    init(x: Int, y: Int, pixels: [UInt8]) {
        self.x = x
        self.y = y
        self.pixels = pixels
    }
}
final class Statistics: Sendable {
    let mean: Double
    let dark: Int
    init(mean: Double, dark: Int) {
        self.mean = mean
        self.dark = dark
    }
}
struct Mandelbrot: Sendable {
    let size: Int, step: Int
    func tile(x: Int, y: Int) -> Tile {
        var pixels: [UInt8] = []
        for row in 0..<step {
            for column in 0..<step {
                let (cr, ci) = (Double(x + column) / Double(size) * 3 - 2, Double(y + row) / Double(size) * 2 - 1)
                var (zr, zi, count) = (0.0, 0.0, 0)
                while zr * zr + zi * zi < 4, count < 60 {
                    (zr, zi) = (zr * zr - zi * zi + cr, 2 * zr * zi + ci)
                    count += 1
                }
                pixels.append(UInt8(count * 4))
            }
        }
        return Tile(x: x, y: y, pixels: pixels)
    }
}
actor Progress {
    private var done = 0
    func advance() -> Int {
        done += 1
        return done
    }
}
func render(_ set: Mandelbrot, progress: Progress) async -> [Tile] {
    await withTaskGroup(of: Tile.self) { group in
        var waiting: [(Int, Int)] = []
        for y in stride(from: 0, to: set.size, by: set.step) {
            for x in stride(from: 0, to: set.size, by: set.step) { waiting.append((x, y)) }
        }
        var tiles: [Tile] = []
        for _ in 0..<8 { if let (x, y) = waiting.popLast() { group.addTask { set.tile(x: x, y: y) } } }
        while let tile = await group.next() {
            tiles.append(tile)
            _ = await progress.advance()
            if let (x, y) = waiting.popLast() { group.addTask { set.tile(x: x, y: y) } }
        }
        return tiles
    }
}
func measure(_ tiles: [Tile]) async -> [Statistics] {
    await withTaskGroup(of: Statistics.self) { group in
        for tile in tiles {
            group.addTask {
                Statistics(
                    mean: Double(tile.pixels.reduce(0) { $0 + Int($1) }) / Double(tile.pixels.count),
                    dark: tile.pixels.filter { $0 > 200 }.count)
            }
        }
        var all: [Statistics] = []
        for await one in group { all.append(one) }
        return all
    }
}
@main struct Main {
    static func main() async {
        let progress = Progress()
        let tiles = await render(Mandelbrot(size: 240, step: 10), progress: progress)
        let statistics = await measure(tiles)
        let dark = statistics.reduce(0) { $0 + $1.dark }
        print(
            tiles.count, "tiles", dark, "dark, mean",
            Int(statistics.map(\.mean).reduce(0, +) / Double(statistics.count)))
    }
}
