import Foundation

/// How regularly frames came: the time from each frame to the next, in a fixed number of buckets of 10 µs.
struct FrameTimes {
    static let framesPerSecond: UInt64 = 60
    /// Nanoseconds.
    static let frame = 1_000_000_000 / framesPerSecond

    private static let bucket: UInt64 = 10_000
    private var buckets = [Int](repeating: 0, count: 20_000)
    private var count = 0
    private var longest: UInt64 = 0
    /// Frames that came half a frame too late or more: what a player sees as a hitch.
    private(set) var hitches = 0
    private var last: UInt64?

    /// A frame is done at this moment (monotonic nanoseconds).
    mutating func note(_ now: UInt64) {
        defer { last = now }
        guard let last, now > last else { return }
        let time = now - last
        buckets[min(Int(time / Self.bucket), buckets.count - 1)] += 1
        count += 1
        longest = max(longest, time)
        if time > Self.frame * 3 / 2 { hitches += 1 }
    }

    /// `600 frames, p50 16.67 ms, p99 16.90 ms, longest 17.20 ms, 0 hitches`
    var summary: String {
        "\(count) frames, p50 \(milliseconds(0.5)) ms, p99 \(milliseconds(0.99)) ms, "
            + "longest \(Self.text(longest)) ms, \(hitches) hitches"
    }

    private func milliseconds(_ share: Double) -> String {
        let wanted = Int((Double(count) * share).rounded(.up))
        var seen = 0
        for (index, number) in buckets.enumerated() {
            seen += number
            if seen >= wanted { return Self.text(UInt64(index) * Self.bucket) }
        }
        return Self.text(longest)
    }

    private static func text(_ nanoseconds: UInt64) -> String { String(format: "%.2f", Double(nanoseconds) / 1e6) }
}
