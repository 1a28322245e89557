import Foundation

/// The first line of a request, as far as it matters here.
package struct HTTPRequest: Equatable {
    /// Path and query.
    package var target: String
    package var isHead: Bool

    package struct Refusal: Error, Equatable { package var status: Int }

    package init(target: String, isHead: Bool) { (self.target, self.isHead) = (target, isHead) }

    /// A page of a web site that the user visits may send requests here, under a name of its own that it lets stand for this
    /// address: `Host` must be an address, or localhost.
    package init(head: [UInt8]) throws(Refusal) {
        let lines = Self.lines(head)
        let words = lines.first?.split(separator: 0x20, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let words, words.count == 3, words[1].hasPrefix("/"),
            words[1].utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            words[2].utf8.count == 8, words[2].hasPrefix("HTTP/1."), words[2].last?.isNumber == true
        else { throw Refusal(status: 400) }
        guard words[0] == "GET" || words[0] == "HEAD" else { throw Refusal(status: 405) }
        var hosts = 0
        for line in lines.dropFirst() {
            guard let (name, value) = Self.field(line) else { throw Refusal(status: 400) }
            switch name {
            case "host":
                hosts += 1
                if !Self.isLocal(value) { throw Refusal(status: 421) }
            case "origin",
                "sec-fetch-site" where value.lowercased() == "cross-site":
                throw Refusal(status: 403)
            default: continue
            }
        }
        guard hosts == 1 || hosts == 0 && words[2] == "HTTP/1.0" else { throw Refusal(status: 400) }
        target = words[1]
        isHead = words[0] == "HEAD"
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

    private static func isLocal(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? host : String(host.prefix { $0 != ":" })
        return name.lowercased() == "localhost" || name.isEmpty || name.hasPrefix("[")
            || name.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
    }

    package static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 414: "URI Too Long"
        case 421: "Misdirected Request"
        case 503: "Service Unavailable"
        default: "Error"
        }
    }
}
