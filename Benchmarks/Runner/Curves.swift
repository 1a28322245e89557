import Foundation

/// What one more event, object, thread or frame costs as their number grows: where cost is a straight line, so are these.
struct Curve {
    var title: String
    var horizontal: String
    var sizes: [Int]
    /// Of one event or object, from how long the run with this size took.
    var nanoseconds: (_ size: Int, _ run: Run) -> Double
    var variants: (_ size: Int) -> [Variant]

    /// By name of variant: size and nanoseconds.
    func measured(rounds: Int) -> [(name: String, points: [(size: Int, nanoseconds: Double)])] {
        var lines: [(name: String, points: [(size: Int, nanoseconds: Double)])] = []
        print("## \(title)")
        for size in sizes {
            let variants = variants(size)
            var text = "\(size)"
            for (variant, runs) in zip(variants, interleave(variants, rounds: rounds)) {
                guard !runs.contains(where: { $0.status & 0x7f != 0 || $0.seconds.isNaN }) else { continue }
                let cost = median(runs.map { nanoseconds(size, $0) })
                if let line = lines.firstIndex(where: { $0.name == variant.name }) {
                    lines[line].points.append((size, cost))
                } else {
                    lines.append((variant.name, [(size, cost)]))
                }
                text += String(format: "   %@ %.1f ns", variant.name as NSString, cost)
            }
            print(text)
        }
        return lines
    }
}

extension Rows {
    /// Measures all curves and writes them as one picture.
    func writeCurves(to file: String, largest: Int) throws {
        let drawn = curves(largest: largest).map { CurveChart(curve: $0, lines: $0.measured(rounds: min(rounds, 3))) }
        try CurveChart.page(drawn).write(toFile: file, atomically: true, encoding: .utf8)
    }

    private func curves(largest: Int) -> [Curve] {
        [
            Curve(
                title: "allocated and freed", horizontal: "objects, each in the place of one of 1,024",
                sizes: sizes(from: 100_000, to: largest, by: 10), nanoseconds: { $1.seconds * 1e9 / Double($0) },
                variants: { exact(["mixed", "1", String($0)], peer: $0 <= 100_000_000) }),
            Curve(
                title: "of a heap, with its leak check",
                horizontal: "objects with three random references each, checked for leaks",
                sizes: sizes(from: 10_000, to: largest / 20, by: 10),
                nanoseconds: { $1.wallSeconds * 1e9 / Double($0) },
                variants: leakSearch),
            Curve(
                title: "by threads", horizontal: "threads, each with 2 million objects",
                sizes: sizes(from: 1, to: 64, by: 2), nanoseconds: { $1.seconds * 1e9 / 2e6 },
                variants: { exact(["loop", String($0), "2000000"], peer: $0 <= 16) }),
            Curve(
                title: "by depth of the stack", horizontal: "frames of recursion, an object in each",
                sizes: sizes(from: 4, to: 1024, by: 4), nanoseconds: { $1.seconds * 1e9 / 1e6 },
                variants: { exact(["chains", "1", "1000000", String($0)], peer: true) }),
        ]
    }

    private func sizes(from first: Int, to last: Int, by factor: Int) -> [Int] {
        var sizes = Array(sequence(first: first) { $0 > last / factor ? nil : $0 * factor })
        if let end = sizes.last, end < last { sizes.append(last) }
        return sizes
    }

    private func exact(_ arguments: [String], peer: Bool) -> [Variant] {
        let command = [programs + "/AllocateFree"] + arguments
        let record = [tools + "/gameprof", "record", "--instruments", "allocations", "--output"]
        let heaptrack = peer ? find("heaptrack") : nil
        return [
            Variant(name: "unrecorded", arguments: command),
            Variant(name: "gameprof", arguments: record + [scratch + "/curve.gptrace", "--"] + command),
        ]
            + (heaptrack.map { [Variant(name: "heaptrack", arguments: [$0, "-o", scratch + "/heaptrack"] + command)] }
                ?? [])
    }

    private func leakSearch(of objects: Int) -> [Variant] {
        let program = programs + "/ScatteredObjects"
        let record = [tools + "/gameprof", "record", "--instruments", "leaks", "--output"]
        return [
            Variant(name: "unrecorded", arguments: [program, String(objects)]),
            Variant(
                name: "gameprof", arguments: record + [scratch + "/curve.gptrace", "--", program, String(objects)]),
            Variant(
                name: "LeakSanitizer", arguments: [program + "-lsan", String(objects)],
                environment: ["LSAN_OPTIONS": "detect_leaks=1"]),
        ]
    }
}
