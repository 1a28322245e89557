/// A pattern in which `*` stands for any characters and `?` for one. It must match the whole text.
public struct GlobPattern: Codable, Hashable, Sendable {
    public let text: String

    public init(_ text: String) { self.text = text }

    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Greedy with one point to fall back to: linear for one star, never exponential.
    public func matches(_ subject: String) -> Bool {
        let pattern = Array(text.unicodeScalars)
        let subject = Array(subject.unicodeScalars)
        var (p, s) = (0, 0)
        var star: (pattern: Int, subject: Int)?
        while s < subject.count {
            if p < pattern.count, pattern[p] == "*" {
                star = (p, s)
                p += 1
            } else if p < pattern.count, pattern[p] == "?" || pattern[p] == subject[s] {
                p += 1
                s += 1
            } else if let back = star {
                star = (back.pattern, back.subject + 1)
                p = back.pattern + 1
                s = back.subject + 1
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == "*" }
    }
}
