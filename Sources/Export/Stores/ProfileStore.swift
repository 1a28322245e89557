import Foundation
import Pprof
import Profiler

/// Where profiles are kept, by what it takes.
public enum ProfileStore: String, CaseIterable, Sendable {
    case pyroscope, parca
}

/// Why a profile cannot be sent, as one sentence.
public struct StoreRequestError: Error, CustomStringConvertible, Equatable {
    public let description: String
}

/// A POST request that gives a profile to a store.
public struct StoreRequest: Sendable {
    public var url: String
    /// In order; names and values without line breaks.
    public var headers: [(name: String, value: String)]
    public var body: Data

    /// `base`: the store's URL, with the path in front of its API. `service`: what the profile is of.
    /// - Throws: `StoreRequestError` for a URL or labels that the store could not take.
    public init(
        _ profile: Profile, to base: String, store: ProfileStore, service: String, labels: [String: String]
    ) throws {
        guard let parts = URLComponents(string: base), ["http", "https"].contains(parts.scheme?.lowercased() ?? ""),
            parts.host?.isEmpty == false, parts.query == nil, parts.fragment == nil
        else { throw StoreRequestError(description: "“\(base)” is no http or https URL of a store.") }
        for name in labels.keys.sorted() where !Self.isLabelName(name) {
            throw StoreRequestError(
                description: "“\(name)” is no name of a label: letters, digits and underscores, not a digit first.")
        }
        let stem = base.hasSuffix("/") ? String(base.dropLast()) : base
        let pprof = PprofExport.render(profile)
        switch store {
        case .pyroscope:
            let name = try Self.pyroscopeName(service, labels)
            let begin = profile.startUnixNanoseconds / 1_000_000_000
            let end = max(begin + 1, (profile.startUnixNanoseconds &+ profile.wall) / 1_000_000_000)
            let query = [
                ("name", name), ("from", "\(begin)"), ("until", "\(end)"), ("format", "pprof"), ("spyName", "gameprof"),
            ]
            url = stem + "/ingest?" + query.map { "\($0)=\(Self.percentEncoded($1))" }.joined(separator: "&")
            let boundary = "gameprof-\(Gzip.crc(Array(pprof)))-\(pprof.count)"
            headers = [("Content-Type", "multipart/form-data; boundary=\(boundary)")]
            body = Data(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"profile\"; filename=\"profile.pprof\"\r\n".utf8
            )
            body.append(Data("Content-Type: application/octet-stream\r\n\r\n".utf8))
            body.append(pprof)
            body.append(Data("\r\n--\(boundary)--\r\n".utf8))
        case .parca:
            url = stem + "/api/profiles/writeraw"
            headers = [("Content-Type", "application/json")]
            body = try Self.parcaBody(pprof, profile, service, labels)
        }
    }

    private static func isLabelName(_ name: String) -> Bool {
        name.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil && !name.hasPrefix("__")
    }

    /// `service{key=value,…}`: the marks between have no escape.
    private static func pyroscopeName(_ service: String, _ labels: [String: String]) throws -> String {
        for text in [service] + labels.values.sorted() {
            guard !text.isEmpty, !text.contains(where: { "{},=\"".contains($0) || $0.isNewline || $0 == "\0" }) else {
                throw StoreRequestError(
                    description: "“\(text)” cannot be a name for Pyroscope: it is empty or has one of {},=\".")
            }
        }
        let pairs = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        return pairs.isEmpty ? service : "\(service){\(pairs)}"
    }

    /// `WriteRawRequest` of parca/profilestore/v1alpha1 in the JSON of protocol buffers. Parca reads gzip alone.
    private static func parcaBody(
        _ pprof: Data, _ profile: Profile, _ service: String, _ labels: [String: String]
    ) throws -> Data {
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
        all["__name__"] = profile.unit == .bytes ? "memory" : "process_cpu"
        if all["job"] == nil { all["job"] = service }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(
            Request(
                series: [
                    .init(
                        labels: .init(
                            labels: all.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }),
                        samples: [.init(rawProfile: Data(Gzip.stored(Array(pprof))))])
                ], normalized: true))
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
