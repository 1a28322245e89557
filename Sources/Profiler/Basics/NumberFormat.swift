/// Numbers as people read them, the same in every locale.
package enum NumberFormat {
    /// 1,204
    package static func count(_ value: UInt64) -> String {
        let digits = Array(String(value))
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
            result.append(digit)
        }
        return result
    }

    package static func count(_ value: Int) -> String { (value < 0 ? "-" : "") + count(UInt64(value.magnitude)) }

    /// "1 object", "27 objects"
    package static func count(_ value: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(count(value)) \(value == 1 ? noun : plural ?? noun + "s")"
    }

    package static func count(_ value: UInt64, _ noun: String) -> String { count(Int(clamping: value), noun) }

    /// "1 object is", "27 objects are"
    package static func are(_ value: Int, _ noun: String) -> String {
        "\(count(value, noun)) \(value == 1 ? "is" : "are")"
    }

    /// 96 B, 4.1 KB, 46 MB; a KB has 1,024 bytes.
    package static func bytes(_ value: UInt64) -> String {
        guard value >= 1024 else { return "\(value) B" }
        var scaled = Double(value) / 1024
        for unit in ["KB", "MB", "GB"] {
            if scaled < 1023.5 { return "\(digits(scaled)) \(unit)" }
            scaled /= 1024
        }
        return "\(digits(scaled)) TB"
    }

    /// 0.84 s, 12.3 s, 2 min 5 s
    package static func seconds(_ value: Double) -> String {
        if value >= 120 {
            let whole = Int(min(value, 1e18).rounded())
            return "\(whole / 60) min \(whole % 60) s"
        }
        if value <= 0 { return "0 s" }
        if value < 0.001 { return "\(digits(value * 1e6)) µs" }
        if value < 0.1 { return "\(digits(value * 1e3)) ms" }
        return value < 10 ? "\(fixed(value, 2)) s" : "\(fixed(value, 1)) s"
    }

    /// 17 ns, 4.1 µs, 12 ms, 1.25 s
    package static func nanoseconds(_ value: UInt64) -> String {
        value < 1000 ? "\(value) ns" : seconds(Double(value) / 1e9)
    }

    /// The time of a game's frame: 51 µs, 8.1 ms, 130 ms, 1.25 s
    package static func frame(_ nanoseconds: UInt64) -> String {
        (100_000_000..<1_000_000_000).contains(nanoseconds)
            ? "\(fixed(Double(nanoseconds) / 1e6, 0)) ms" : self.nanoseconds(nanoseconds)
    }

    /// A value of the program: 12, -3.25, 1.5e+30
    package static func number(_ value: Double) -> String {
        let rounded = (value * 1000).rounded() / 1000
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int(rounded)) : String(rounded)
    }

    private static func digits(_ value: Double) -> String { value < 9.95 ? fixed(value, 1) : fixed(value, 0) }

    /// With so many decimals, a point between.
    package static func fixed(_ value: Double, _ decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = UInt64(min(max(0, value) * scale, 1e18).rounded())
        guard decimals > 0 else { return String(scaled) }
        let fraction = String(scaled % UInt64(scale))
        return "\(scaled / UInt64(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
