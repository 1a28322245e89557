import SourceModel

/// Finds `// gameprof:ignore reason`.
enum IgnoreComments {
    private static let mark = Array("gameprof:ignore".utf8)

    /// Reasons by the line that they silence: their own, or the next when nothing but the comment stands there.
    static func find(in bytes: [UInt8], lines: LineTable) -> [Int: String] {
        var result: [Int: String] = [:]
        for position in positions(in: bytes) {
            let line = lines.line(at: position)
            let text = lines.text(ofLine: line)
            guard let comment = text.range(of: "//"), let mark = text.range(of: "gameprof:ignore"),
                comment.lowerBound < mark.lowerBound
            else { continue }
            let before = text[..<comment.lowerBound].allSatisfy(\.isWhitespace)
            let reason = text[mark.upperBound...].drop { $0.isWhitespace || $0 == ":" }
            result[before ? line + 1 : line] = reason.isEmpty ? "no reason given" : String(reason)
        }
        return result
    }

    private static func positions(in bytes: [UInt8]) -> [Int] {
        guard bytes.count >= mark.count else { return [] }
        var result: [Int] = []
        var index = 0
        while index <= bytes.count - mark.count {
            if bytes[index] == mark[0], bytes[index..<(index + mark.count)].elementsEqual(mark) {
                result.append(index)
                index += mark.count
            } else {
                index += 1
            }
        }
        return result
    }
}

extension StringProtocol {
    /// The first place of `needle`.
    fileprivate func range(of needle: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(needle) {
                return start..<(index(start, offsetBy: needle.count))
            }
            start = index(after: start)
        }
        return nil
    }
}
