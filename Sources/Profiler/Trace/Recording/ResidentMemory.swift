/// Resident memory over time in a bounded number of points: the highest of each of equal parts, which become twice as long
/// when there are too many. Records may come in any order.
public struct ResidentMemory: Sendable {
    /// The most points.
    static let limit = 512

    /// By part; 0: none was recorded there.
    private var highest: [UInt64] = []
    /// Nanoseconds of a part.
    private var width: UInt64 = 1_000_000
    /// Bytes.
    public private(set) var peak: UInt64 = 0

    public init() {}

    public var isEmpty: Bool { peak == 0 }

    public mutating func add(_ record: ResidentRecord) {
        while record.time / width >= UInt64(Self.limit) { halve() }
        let part = Int(record.time / width)
        if part >= highest.count { highest += [UInt64](repeating: 0, count: part + 1 - highest.count) }
        highest[part] = max(highest[part], record.bytes)
        peak = max(peak, record.bytes)
    }

    private mutating func halve() {
        width *= 2
        highest = stride(from: 0, to: highest.count, by: 2).map { part in
            max(highest[part], part + 1 < highest.count ? highest[part + 1] : 0)
        }
    }

    /// Nanoseconds since recording began, where their part begins, and bytes, in order of time.
    public var points: [(time: UInt64, bytes: UInt64)] {
        highest.enumerated().compactMap { part, bytes in bytes > 0 ? (UInt64(part) * width, bytes) : nil }
    }
}
