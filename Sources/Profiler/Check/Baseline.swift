import Foundation
import GameprofAnalysis
import GameprofBasics

/// What is accepted until it is resolved: the findings and counts of an earlier run. Kept beside the sources, sorted and
/// minimal, so that a review shows what was added to it.
public struct Baseline: Codable, Hashable, Sendable {
    public var schema = "gameprof-baseline"
    public var version = 1
    public var scenarios: [String: Scenario] = [:]

    public init() {}

    /// What is accepted of one scenario.
    public struct Scenario: Codable, Hashable, Sendable {
        /// By kind, title and signature.
        public var findings: [Entry] = []
        /// By the measure's name.
        public var measures: [String: Double] = [:]
    }

    /// An accepted finding. Title and kind are for people; the signature alone decides.
    public struct Entry: Codable, Hashable, Sendable {
        public var kind: Finding.Kind
        public var title: String
        public var signature: String
        public var count: Int

        public init(_ finding: Finding) {
            kind = finding.kind
            title = finding.title
            signature = finding.signature
            count = finding.count
        }
    }

    /// With sorted keys and findings; ends with a newline.
    public func render() throws -> String {
        var sorted = self
        for name in sorted.scenarios.keys {
            sorted.scenarios[name]?.findings.sort {
                ($0.kind.rawValue, $0.title, $0.signature) < ($1.kind.rawValue, $1.title, $1.signature)
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(sorted), as: UTF8.self) + "\n"
    }

    /// Reads the file at `path`. Throws `BaselineError`.
    public static func read(path: String) throws -> Baseline {
        guard let data = InputFile.contents(path) else {
            throw BaselineError(description: "\(PlainText.clean(path)) cannot be read.")
        }
        return try read(json: data, file: path)
    }

    /// `file`: how errors call it.
    public static func read(json: Data, file: String) throws -> Baseline {
        let file = PlainText.clean(file)
        let baseline: Baseline
        do {
            baseline = try JSONDecoder().decode(Baseline.self, from: json)
        } catch let error as DecodingError {
            throw BaselineError(description: "\(file) is not a baseline: \(reason(error)).")
        }
        guard baseline.schema == "gameprof-baseline" else {
            throw BaselineError(description: "\(file) is not a baseline but \(PlainText.clean(baseline.schema)).")
        }
        guard baseline.version == 1 else {
            throw BaselineError(
                description: "\(file) has version \(baseline.version), but this gameprof reads version 1.")
        }
        for (name, scenario) in baseline.scenarios.sorted(by: { $0.key < $1.key }) {
            let name = PlainText.clean(name)
            if scenario.findings.contains(where: { $0.count < 0 }) {
                throw BaselineError(description: "\(file) is not a baseline: a count in \(name) is negative.")
            }
            if let measure = scenario.measures.filter({ !(0...1e18).contains($0.value) }).keys.min() {
                throw BaselineError(
                    description: "\(file) is not a baseline: \(PlainText.clean(measure)) in \(name) is not a measure.")
            }
        }
        return baseline
    }

    private static func reason(_ error: DecodingError) -> String {
        func place(_ path: [any CodingKey]) -> String {
            path.isEmpty ? "" : " in " + path.map(\.stringValue).joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context):
            return "the key \(key.stringValue) is missing" + PlainText.clean(place(context.codingPath))
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "a value has another kind" + PlainText.clean(place(context.codingPath))
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? "it is not JSON" : "a value is not known" + PlainText.clean(place(context.codingPath))
        @unknown default: return "it cannot be understood"
        }
    }
}

/// Why a baseline could not be read, as one sentence.
public struct BaselineError: Error, CustomStringConvertible, Equatable {
    public let description: String
}
