/// What a number counts.
public enum MeasureUnit: String, Codable, Hashable, Sendable {
    case count, bytes, share, nanoseconds

    /// `1,204`, `4.1 KB`, `12.5 %`, `2.0 ms`
    public func text(_ value: Double) -> String {
        switch self {
        case .count:
            value == value.rounded() ? NumberFormat.count(Int(clamping: value)) : NumberFormat.fixed(value, 1)
        case .bytes: NumberFormat.bytes(UInt64(clamping: Int(clamping: value)))
        case .share: "\(NumberFormat.fixed(value * 100, 1)) %"
        case .nanoseconds: NumberFormat.seconds(value / 1e9)
        }
    }

    /// A difference of less is no difference, however small the number it is compared with.
    package var slack: Double {
        switch self {
        case .count: 16
        case .bytes: 4_096
        case .share: 0.02
        case .nanoseconds: 0
        }
    }
}

extension Int {
    /// The nearest integer that there is; 0 for what is not a number.
    init(clamping value: Double) {
        self = value.isNaN ? 0 : value >= 9e18 ? .max : value <= -9e18 ? .min : Int(value.rounded())
    }
}
