import Foundation

/// The head of a request, as far as it matters here.
package struct HTTPRequest: Equatable, Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
    }

    /// Path and query.
    package var target: String
    package var method: Method

    package struct Refusal: Error, Equatable { package var status: Int }

    package init(target: String, method: Method = .get) { (self.target, self.method) = (target, method) }

    /// - Throws: it is no request, or none that the rules allow. One with a body is none.
    package init(head: [UInt8], _ rules: RequestRules = .figures) throws(Refusal) {
        let lines = Self.lines(head)
        let words = lines.first?.split(separator: 0x20, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let words, words.count == 3, words[1].hasPrefix("/"),
            words[1].utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            words[2].utf8.count == 8, words[2].hasPrefix("HTTP/1."), words[2].last?.isNumber == true
        else { throw Refusal(status: 400) }
        guard let method = Method(rawValue: words[0]), rules.methods.contains(method) else {
            throw Refusal(status: 405)
        }
        var fields = Fields()
        for line in lines.dropFirst() {
            guard let (name, value) = Self.field(line) else { throw Refusal(status: 400) }
            try fields.note(name, value, rules)
        }
        let needsHost = words[2] != "HTTP/1.0" || rules.takesOwnOrigin
        guard fields.hosts.count == 1 || fields.hosts.isEmpty && !needsHost else { throw Refusal(status: 400) }
        let own = fields.hosts.first.map { "http://" + $0 }
        guard fields.origins.allSatisfy({ $0 == own }) else { throw Refusal(status: 403) }
        (self.target, self.method) = (words[1], method)
    }

    /// What matters of the lines behind the first.
    private struct Fields {
        var hosts: [String] = []
        var origins: [String] = []

        mutating func note(_ name: String, _ value: String, _ rules: RequestRules) throws(Refusal) {
            switch name {
            case "host":
                hosts.append(value)
                if !rules.allows(host: value) { throw Refusal(status: 421) }
            case "origin":
                origins.append(value)
                if !rules.takesOwnOrigin { throw Refusal(status: 403) }
            case "sec-fetch-site" where !rules.allows(site: value.lowercased()): throw Refusal(status: 403)
            case "content-length" where rules.methods.contains(.post) && value != "0": throw Refusal(status: 413)
            case "transfer-encoding" where rules.methods.contains(.post): throw Refusal(status: 413)
            default: break
            }
        }
    }

    /// Up to the empty line.
    private static func lines(_ head: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = head.startIndex
        for end in head.indices.dropLast() where end >= start && head[end] == 0x0d && head[end + 1] == 0x0a {
            if end == start { return lines }
            lines.append(head[start..<end])
            start = end + 2
        }
        return start < head.endIndex ? lines + [head[start...]] : lines
    }

    /// Name in lowercase and value; nil: it is no field line of RFC 9112, but perhaps the rest of another one, or it has a
    /// space before the colon or a control character.
    private static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: 0x3a), colon > line.startIndex else { return nil }
        let (name, value) = (line[..<colon], line[(colon + 1)...])
        let signs = Set("!#$%&'*+-.^_`|~".utf8)
        func isOfName(_ byte: UInt8) -> Bool {
            let small = byte | 0x20
            return (0x61...0x7a).contains(small) || (0x30...0x39).contains(byte) || signs.contains(byte)
        }
        guard name.allSatisfy(isOfName), value.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
            return nil
        }
        let text = String(decoding: value, as: UTF8.self)
        return (
            String(decoding: name, as: UTF8.self).lowercased(),
            text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        )
    }
}
