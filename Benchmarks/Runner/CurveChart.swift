import Foundation

/// A curve with logarithmic axes, as a part of an SVG picture.
struct CurveChart {
    let curve: Curve
    let lines: [(name: String, points: [(size: Int, nanoseconds: Double)])]

    private static let width = 440.0, height = 300.0
    private static let left = 58.0, right = 14.0, top = 34.0, bottom = 44.0
    private static let colours = ["unrecorded": "#888", "gameprof": "#2f6fde"]

    /// All charts, two in a row.
    static func page(_ charts: [CurveChart]) -> String {
        let rows = (charts.count + 1) / 2
        let parts = charts.enumerated().map { index, chart in
            "<g transform=\"translate(\(Double(index % 2) * width) \(Double(index / 2) * height))\">\(chart.drawing)</g>"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(2 * width) \(Double(rows) * height)" \
            font-family="sans-serif" font-size="11">
            <style>
            text { fill: #333 } .grid { stroke: #ccc } .page { fill: #fff }
            @media (prefers-color-scheme: dark) { text { fill: #ddd } .grid { stroke: #444 } .page { fill: #1a1a1a } }
            </style>
            <rect class="page" width="100%" height="100%"/>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    private var drawing: String {
        let costs = lines.flatMap { $0.points.map(\.nanoseconds) }.filter { $0 > 0 }
        guard let first = curve.sizes.first, let last = curve.sizes.last, let least = costs.min(),
            let most = costs.max()
        else { return "" }
        let lowest = pow(10, floor(log10(least)))
        let highest = pow(10, ceil(log10(most)))
        func x(_ size: Double) -> Double {
            Self.left + (Self.width - Self.left - Self.right) * log(size / Double(first))
                / log(Double(last) / Double(first))
        }
        func y(_ cost: Double) -> Double {
            Self.height - Self.bottom
                - (Self.height - Self.top - Self.bottom) * log(cost / lowest) / log(max(highest / lowest, 10))
        }
        var parts = [text("Time an object: " + curve.title, Self.left, 18, "start", weight: "bold")]
        for decade in sequence(first: lowest, next: { $0 * 10 }).prefix(while: { $0 <= highest * 1.001 }) {
            parts.append(line(Self.left, y(decade), Self.width - Self.right, y(decade)))
            parts.append(text(Self.duration(decade), Self.left - 6, y(decade) + 4, "end"))
        }
        for size in curve.sizes {
            parts.append(text(Self.short(size), x(Double(size)), Self.height - Self.bottom + 16, "middle"))
        }
        parts.append(text(curve.horizontal, Self.width / 2 + 20, Self.height - 8, "middle"))
        var lowestLabel = -Double.infinity
        for one in lines.sorted(by: {
            $0.points[$0.points.count - 1].nanoseconds > $1.points[$1.points.count - 1].nanoseconds
        }) {
            let places = one.points.map { (x(Double($0.size)), y($0.nanoseconds)) }
            lowestLabel = max(places[places.count - 1].1 - 7, lowestLabel + 13)
            parts += drawn(one.name, places, label: lowestLabel)
        }
        return parts.joined(separator: "\n")
    }

    private func drawn(_ name: String, _ places: [(Double, Double)], label: Double) -> [String] {
        let colour = Self.colours[name] ?? "#d9822b"
        let path = places.map { String(format: "%.1f,%.1f", $0.0, $0.1) }.joined(separator: " ")
        return ["<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\"/>"]
            + places.map {
                String(
                    format: "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%@\"/>", $0.0, $0.1, colour as NSString)
            } + [text(name, Self.width - Self.right, label, "end", weight: "bold", colour: colour)]
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        String(format: "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x1, y1, x2, y2)
    }

    private func text(
        _ words: String, _ x: Double, _ y: Double, _ anchor: String, weight: String = "normal", colour: String? = nil
    ) -> String {
        let place = String(format: "x=\"%.1f\" y=\"%.1f\"", x, y)
        let style = colour.map { " style=\"fill:\($0)\"" } ?? ""
        return "<text \(place) text-anchor=\"\(anchor)\" font-weight=\"\(weight)\"\(style)>\(words)</text>"
    }

    private static func duration(_ nanoseconds: Double) -> String {
        nanoseconds < 1e3
            ? String(format: "%g ns", nanoseconds)
            : nanoseconds < 1e6
                ? String(format: "%g µs", nanoseconds / 1e3) : String(format: "%g ms", nanoseconds / 1e6)
    }

    private static func short(_ size: Int) -> String {
        size < 10_000 ? "\(size)" : size < 1_000_000 ? "\(size / 1_000) k" : "\(size / 1_000_000) M"
    }
}
