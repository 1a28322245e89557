import Foundation

/// Where profiles are kept, by what it takes.
package enum ProfileStore: String, CaseIterable, Sendable {
    case pyroscope, parca
}

/// Why a profile cannot be sent, as one sentence.
package struct StoreRequestError: Error, CustomStringConvertible, Equatable {
    package let description: String
}

/// A store, and what the profiles that it gets are called.
package struct StoreDestination: Sendable {
    private let store: ProfileStore
    private let url: StoreURL
    private let service: String
    private let labels: [String: String]
    private let headers: [(name: String, value: String)]

    /// `base`: the store's URL, with the path in front of its API. `service`: what the profiles are of. `headers`: of every request,
    /// beside its own.
    /// - Throws: for a URL or labels that the store could not take.
    package init(
        _ base: String, store: ProfileStore, service: String, labels: [String: String],
        headers: [(name: String, value: String)] = []
    ) throws(StoreRequestError) {
        url = try StoreURL(base)
        (self.store, self.service, self.labels, self.headers) = (store, service, labels, headers)
        try StoreLabels.check(labels)
        if store == .pyroscope {
            for text in [service] + labels.values.sorted() where !Self.isPyroscopeName(text) {
                throw StoreRequestError(
                    description: "“\(text)” cannot be a name for Pyroscope: it is empty or has one of {},=\".")
            }
        }
    }

    package func request(_ profile: StoredProfile) throws -> StoreRequest {
        switch store {
        case .pyroscope:
            let (begin, end) = (profile.begun / 1_000_000_000, profile.ended / 1_000_000_000)
            // The server takes the body for the profile itself where the format is named: a form would be refused.
            let query = [
                ("name", pyroscopeName), ("from", "\(begin)"), ("until", "\(max(begin + 1, end))"),
                ("format", "pprof"), ("spyName", "gameprof"),
            ]
            return StoreRequest(
                url: url.appending("/ingest", query: query),
                headers: [("Content-Type", "application/octet-stream")] + headers,
                body: Data(profile.pprof))
        case .parca:
            return StoreRequest(
                url: url.appending("/api/profiles/writeraw"), headers: [("Content-Type", "application/json")] + headers,
                body: try parcaBody(profile))
        }
    }

    /// The marks of `service{key=value,…}` have no escape.
    private static func isPyroscopeName(_ text: String) -> Bool {
        !text.isEmpty && !text.contains { "{},=\"".contains($0) || $0.isNewline || $0 == "\0" }
    }

    private var pyroscopeName: String {
        let pairs = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        return pairs.isEmpty ? service : "\(service){\(pairs)}"
    }

    /// `WriteRawRequest` of parca/profilestore/v1alpha1 in the JSON of protocol buffers. Parca reads gzip alone.
    private func parcaBody(_ profile: StoredProfile) throws -> Data {
        struct Request: Encodable {
            struct Series: Encodable {
                let labels: LabelSet
                let samples: [Sample]
            }
            struct LabelSet: Encodable { let labels: [Label] }
            struct Label: Encodable { let name, value: String }
            struct Sample: Encodable { let rawProfile: Data }
            let series: [Series]
            let normalized: Bool
        }
        var all = labels
        all["__name__"] = profile.subject == .memory ? "memory" : "process_cpu"
        if all["job"] == nil { all["job"] = service }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(
            Request(
                series: [
                    .init(
                        labels: .init(
                            labels: all.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }),
                        samples: [.init(rawProfile: Data(Gzip.stored(profile.pprof)))])
                ], normalized: true))
    }
}
