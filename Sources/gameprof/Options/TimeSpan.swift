import ArgumentParser

/// A time as options take it: 2s, 500ms, 10m, 1h, or seconds.
enum TimeSpan {
    /// - Throws: a sentence that says what the option takes.
    static func check(_ text: String, of option: String) throws {
        guard milliseconds(text) == nil else { return }
        throw ValidationError("\(option) needs a time of 1 ms to 1,000,000 s, as 10m, 30s or 500ms.")
    }

    /// Nil: it is none of 1 ms to 1,000,000 s.
    static func milliseconds(_ text: String) -> UInt64? {
        let units = [("ms", 1.0), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)]
        let unit = units.first { text.hasSuffix($0.0) }
        let (digits, factor) = (text.dropLast(unit?.0.count ?? 0), unit?.1 ?? 1_000)
        guard let number = Double(digits), case let time = number * factor, time >= 1, time <= 1e9 else { return nil }
        return UInt64(time.rounded())
    }
}
