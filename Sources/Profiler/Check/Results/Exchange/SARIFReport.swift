import Foundation
import GameprofBasics

/// Results in the Static Analysis Results Interchange Format, version 2.1.0, which code hosts and editors read.
public enum SARIFReport {
    /// A rule that results name.
    public struct Rule: Hashable, Sendable {
        public var id: String
        /// In a line.
        public var summary: String
    }

    /// GitHub refuses a run with more results.
    static let resultLimit = 25_000

    /// With sorted keys; ends with a newline. Rules that results name and `rules` lacks are added by their name. Beyond
    /// 25,000 results the least severe are left out.
    /// - Parameter root: folder below which files are named by their path from it.
    public static func render(_ results: [Diagnosis], rules: [Rule], root: String, version: String) throws -> String {
        var known = rules
        var results = results
        if results.count > resultLimit {
            results = Array(results.sorted { $0.severity < $1.severity }.prefix(resultLimit))
        }
        for result in results where !known.contains(where: { $0.id == result.rule }) {
            known.append(Rule(id: result.rule, summary: result.rule))
        }
        let run = Log.Run(
            tool: .init(
                driver: .init(
                    version: version,
                    rules: known.map(rule))),
            originalUriBaseIds: ["ROOT": .init(uri: uri(of: root.hasSuffix("/") ? root : root + "/"))],
            results: results.map { result($0, known, root) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(Log(runs: [run])), as: UTF8.self) + "\n"
    }

    private static func rule(_ rule: Rule) -> Log.Rule {
        let summary = Log.Text(text: PlainText.clean(rule.summary))
        return Log.Rule(id: rule.id, shortDescription: summary, fullDescription: summary, help: summary)
    }

    private static func result(_ one: Diagnosis, _ rules: [Rule], _ root: String) -> Log.Result {
        let text = one.fix.map { "\(one.message) Fix: \($0)." } ?? one.message
        return Log.Result(
            ruleId: one.rule, ruleIndex: rules.firstIndex { $0.id == one.rule } ?? 0, level: one.severity.rawValue,
            message: .init(text: PlainText.cleanLines(text)), locations: [location(one.place, root)],
            partialFingerprints: ["gameprof/v1": one.fingerprint, "primaryLocationLineHash": one.fingerprint],
            suppressions: one.suppression.map {
                [.init(kind: one.isSuppressedInSource ? "inSource" : "external", justification: PlainText.clean($0))]
            },
            properties: one.properties.isEmpty ? nil : one.properties.mapValues(PlainText.clean))
    }

    private static func location(_ place: Diagnosis.Place, _ root: String) -> Log.Location {
        let folder = root.hasSuffix("/") ? root : root + "/"
        let isBelow = place.file.hasPrefix(folder)
        let isRelative = !place.file.hasPrefix("/")
        let path = isBelow ? String(place.file.dropFirst(folder.count)) : place.file
        let artifact = Log.Artifact(
            uri: isBelow || isRelative ? escaped(path) : uri(of: path), uriBaseId: isBelow || isRelative ? "ROOT" : nil)
        let region = Log.Region(startLine: max(1, place.line ?? 1), startColumn: place.column)
        return Log.Location(physicalLocation: .init(artifactLocation: artifact, region: region))
    }

    private static func uri(of path: String) -> String { "file://" + escaped(path) }

    private static func escaped(_ path: String) -> String {
        let plain = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
        return plain.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
    }

    /// The format's own words.
    struct Log: Encodable {
        var schema = "https://json.schemastore.org/sarif-2.1.0.json"
        var version = "2.1.0"
        var runs: [Run]

        enum CodingKeys: String, CodingKey {
            case schema = "$schema"
            case version, runs
        }

        struct Run: Encodable {
            var tool: Tool
            var columnKind = "unicodeCodePoints"
            var originalUriBaseIds: [String: Base]
            var results: [Result]
        }

        struct Tool: Encodable { var driver: Driver }

        struct Driver: Encodable {
            var name = "gameprof"
            var version: String
            var rules: [Rule]
        }

        struct Rule: Encodable {
            var id: String
            var shortDescription: Text
            var fullDescription: Text
            var help: Text
        }

        struct Text: Encodable { var text: String }
        struct Base: Encodable { var uri: String }

        struct Result: Encodable {
            var ruleId: String
            var ruleIndex: Int
            var level: String
            var message: Text
            var locations: [Location]
            var partialFingerprints: [String: String]
            var suppressions: [Suppressed]?
            var properties: [String: String]?
        }

        struct Suppressed: Encodable {
            var kind: String
            var justification: String
        }

        struct Location: Encodable { var physicalLocation: Physical }

        struct Physical: Encodable {
            var artifactLocation: Artifact
            var region: Region
        }

        struct Artifact: Encodable {
            var uri: String
            var uriBaseId: String?
        }

        struct Region: Encodable {
            var startLine: Int
            var startColumn: Int?
        }
    }
}
