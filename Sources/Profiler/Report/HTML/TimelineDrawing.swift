import GameprofAnalysis
import GameprofBasics

/// Live memory over time as a curve, the peak marked. The drawing is stretched to the page's width; its texts are not.
struct TimelineDrawing {
    /// Of the drawing, with room above the highest point for the mark of the peak.
    private static let size = (width: 1000.0, height: 100.0, top: 14.0)

    private let points: [Report.Point]
    private let peak: Report.Point
    private let start: Double
    private let span: Double
    private let top: UInt64

    /// Thins the points to `limit`, keeping each stretch's highest. Nil with fewer than two.
    init?(_ timeline: [Report.Point], limit: Int) {
        guard timeline.count > 1, let first = timeline.first, let last = timeline.last,
            let peak = timeline.max(by: { $0.liveBytes < $1.liveBytes })
        else { return nil }
        let stride = (timeline.count + limit - 1) / limit
        points = Swift.stride(from: 0, to: timeline.count, by: stride).compactMap { start in
            timeline[start..<min(start + stride, timeline.count)].max { $0.liveBytes < $1.liveBytes }
        }
        self.peak = peak
        start = first.seconds
        span = max(last.seconds - first.seconds, 1e-9)
        top = Self.roundTop(peak.liveBytes)
    }

    var values: [String: Any] {
        let curve = points.map { "\(Self.text(x($0.seconds))) \(Self.text(y($0.liveBytes)))" }.joined(separator: "L")
        let (firstX, lastX) = (x(points[0].seconds), x(points[points.count - 1].seconds))
        let bottom = Self.text(Self.size.height)
        let isRight = x(peak.seconds) > Self.size.width / 2
        return [
            "title": "Live memory over time, peak \(NumberFormat.bytes(peak.liveBytes))", "start": "\(start)",
            "span": "\(span)", "curve": "M\(curve)", "line": "M\(curve)",
            "area": "M\(Self.text(firstX)) \(bottom)L\(curve)L\(Self.text(lastX)) \(bottom)Z", "ticks": ticks,
            "times": [0, 0.5, 1].map { NumberFormat.seconds(start + $0 * span) },
            "peak": "peak \(NumberFormat.bytes(peak.liveBytes))", "peakSide": isRight ? "left" : "right",
            "peakLeft": Self.text(x(peak.seconds) / 10), "peakBottom": Self.text(100 - y(peak.liveBytes)),
        ]
    }

    private var ticks: [[String: Any]] {
        (0...4).map { step in
            let bytes = top / 4 * UInt64(step)
            return [
                "y": Self.text(y(bytes)), "at": Self.text(100 - y(bytes)), "label": NumberFormat.bytes(bytes),
            ]
        }
    }

    private func x(_ seconds: Double) -> Double { (seconds - start) / span * Self.size.width }

    private func y(_ bytes: UInt64) -> Double {
        Self.size.height - Double(bytes) / Double(top) * (Self.size.height - Self.size.top)
    }

    /// The next 4, 8, 16 … or 1, 2, 3 … round number of bytes that four ticks divide.
    private static func roundTop(_ bytes: UInt64) -> UInt64 {
        var unit: UInt64 = 4
        while unit * 8 < bytes { unit *= 2 }
        return max(4, (bytes + unit - 1) / unit * unit)
    }

    private static func text(_ value: Double) -> String { NumberFormat.fixed(value, 1) }
}
