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
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else {
            throw Refusal(status: 400)
        }
        guard words[0] == "GET" || words[0] == "HEAD" else { throw Refusal(status: 405) }
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].filter { $0 != " " && $0 != "\t" }
            switch parts[0].lowercased() {
            case "host" where !Self.isLocal(value): throw Refusal(status: 421)
            case "origin",
                "sec-fetch-site" where value.lowercased() == "cross-site":
                throw Refusal(status: 403)
            default: continue
            }
        }
        target = String(words[1])
        isHead = words[0] == "HEAD"
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
