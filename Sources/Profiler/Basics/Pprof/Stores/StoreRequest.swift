import Foundation

/// A POST request that gives a profile to a store.
package struct StoreRequest: Sendable {
    package var url: String
    /// In order; names and values without line breaks.
    package var headers: [(name: String, value: String)]
    package var body: Data

    package init(url: String, headers: [(name: String, value: String)], body: Data) {
        (self.url, self.headers, self.body) = (url, headers, body)
    }
}

/// Who asks, for stores that want to know.
package enum StoreToken {
    /// The header of a token; none for none.
    package static func headers(_ token: String?) throws(StoreRequestError) -> [(name: String, value: String)] {
        guard let token, !token.isEmpty else { return [] }
        guard token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw StoreRequestError(description: "The token has a character that no HTTP header may have.")
        }
        return [("Authorization", "Bearer \(token)")]
    }
}

/// The URL of a store, with the path in front of its API.
package struct StoreURL: Sendable {
    private let stem: String

    package init(_ base: String) throws(StoreRequestError) {
        guard let parts = URLComponents(string: base), ["http", "https"].contains(parts.scheme?.lowercased() ?? ""),
            parts.host?.isEmpty == false, parts.query == nil, parts.fragment == nil
        else { throw StoreRequestError(description: "“\(base)” is not an http or https URL of a store.") }
        stem = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    package func appending(_ path: String, query: [(name: String, value: String)] = []) -> String {
        let pairs = query.map { "\($0.name)=\(Self.percentEncoded($0.value))" }.joined(separator: "&")
        return stem + path + (pairs.isEmpty ? "" : "?" + pairs)
    }

    private static func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-._~".unicodeScalars.contains(scalar))
            return isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}

/// Names and values that the user gives to profiles.
package enum StoreLabels {
    /// Of `name=value`; of a name that comes twice the last value counts.
    package static func parse(_ texts: [String]) throws(StoreRequestError) -> [String: String] {
        var labels: [String: String] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw StoreRequestError(description: "“\(text)” is not a label; it must be name=value.")
            }
            labels[parts[0]] = parts[1]
        }
        try check(labels)
        return labels
    }

    package static func check(_ labels: [String: String]) throws(StoreRequestError) {
        for name in labels.keys.sorted() where !isName(name) {
            throw StoreRequestError(
                description: "“\(name)” is not a label name; use letters, digits and underscores, with no digit first.")
        }
    }

    private static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil && !name.hasPrefix("__")
    }
}
