/// Live memory over time as a curve, the peak marked.
struct TimelineDrawing {
    private static let size = (width: 960.0, height: 240.0)
    private static let plot = (left: 70.0, right: 940.0, top: 30.0, bottom: 205.0)

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
        let bottom = Self.text(Self.plot.bottom)
        let isRight = x(peak.seconds) > Self.size.width / 2
        return [
            "width": Self.text(Self.size.width), "height": Self.text(Self.size.height),
            "title": "Live memory over time, peak \(Quantity.bytes(peak.liveBytes))",
            "curve": "M\(curve)", "area": "M\(Self.text(firstX)) \(bottom)L\(curve)L\(Self.text(lastX)) \(bottom)Z",
            "ticks": ticks, "times": times, "peak": "peak \(Quantity.bytes(peak.liveBytes))",
            "peakX": Self.text(x(peak.seconds)), "peakY": Self.text(y(peak.liveBytes)),
            "peakTextX": Self.text(x(peak.seconds) + (isRight ? 6 : -6)),
            "peakTextY": Self.text(y(peak.liveBytes) - 9), "peakAnchor": isRight ? "end" : "start",
        ]
    }

    private var ticks: [[String: Any]] {
        (0...4).map { step in
            let bytes = top / 4 * UInt64(step)
            return [
                "left": Self.text(Self.plot.left), "right": Self.text(Self.plot.right), "y": Self.text(y(bytes)),
                "textX": Self.text(Self.plot.left - 8), "textY": Self.text(y(bytes) + 4),
                "label": Quantity.bytes(bytes),
            ]
        }
    }

    private var times: [[String: Any]] {
        [(0.0, "start"), (0.5, "middle"), (1, "end")].map { share, anchor in
            [
                "x": Self.text(Self.plot.left + share * (Self.plot.right - Self.plot.left)),
                "y": Self.text(Self.plot.bottom + 22), "anchor": anchor,
                "label": Quantity.seconds(start + share * span),
            ]
        }
    }

    private func x(_ seconds: Double) -> Double {
        Self.plot.left + (seconds - start) / span * (Self.plot.right - Self.plot.left)
    }

    private func y(_ bytes: UInt64) -> Double {
        Self.plot.bottom - Double(bytes) / Double(top) * (Self.plot.bottom - Self.plot.top)
    }

    /// The next 4, 8, 16 … or 1, 2, 3 … round number of bytes that four ticks divide.
    private static func roundTop(_ bytes: UInt64) -> UInt64 {
        var unit: UInt64 = 4
        while unit * 8 < bytes { unit *= 2 }
        return max(4, (bytes + unit - 1) / unit * unit)
    }

    private static func text(_ value: Double) -> String { Quantity.fixed(value, 1) }
}
