/// Times of a recording as a report has them.
enum Seconds {
    /// Rounded to microseconds.
    static func of(_ nanoseconds: UInt64) -> Double { (Double(nanoseconds) / 1e3).rounded() / 1e6 }
}
