/// A time as options take it: 2s, 500ms, or seconds.
enum TimeSpan {
    /// Nil: it is none of 1 ms to 1,000,000 s.
    static func milliseconds(_ text: String) -> UInt64? {
        let (digits, factor) =
            text.hasSuffix("ms") ? (text.dropLast(2), 1.0) : (text.hasSuffix("s") ? text.dropLast() : text[...], 1_000)
        guard let number = Double(digits), case let time = number * factor, time >= 1, time <= 1e9 else { return nil }
        return UInt64(time.rounded())
    }
}
