import Foundation
import GameprofBasics

/// Why a result could not be read, as one sentence.
public struct ResultFileError: Error, CustomStringConvertible, Equatable {
    public let description: String
}

/// A result that gameprof wrote: a report (`--json` of an instrument) or the result of a check.
public struct ResultFile: Sendable {
    /// A scenario with what was found; without an origin, which no result knows.
    public struct Scenario: Sendable {
        public var name: String
        var instruments: Set<String>
        var isComplete: Bool
        var wallSeconds: Double
        public var findings: [Run.Finding]
        public var figures: [Run.Figure]

        public func run(of origin: Run.Origin) -> Run {
            Run(
                origin: origin, scenario: name, instruments: instruments, isComplete: isComplete,
                wallSeconds: wallSeconds, findings: findings, figures: figures)
        }
    }

    public var scenarios: [Scenario]

    /// Reads the file. `scenario`: the name of a report's scenario, otherwise the program's.
    /// - Throws: `ResultFileError`.
    public init(path: String, scenario: String? = nil) throws {
        let name = PlainText.clean(path)
        guard let data = InputFile.contents(path) else {
            throw ResultFileError(description: "\(name) cannot be read.")
        }
        try self.init(data, name: name, scenario: scenario)
    }

    /// `name`: how messages call it.
    /// - Throws: `ResultFileError`.
    public init(_ data: Data, name: String, scenario: String? = nil) throws {
        func refuse(_ reason: String) -> ResultFileError { ResultFileError(description: "\(name) \(reason)") }
        let decoder = JSONDecoder()
        guard let head = try? decoder.decode(Head.self, from: data),
            ["gameprof-report", "gameprof-check"].contains(head.schema)
        else { throw refuse("is no report and no result of a check of gameprof (--json).") }
        // What a history keeps of a report is the same in its versions.
        guard head.version == 1 || head.version == 2 && head.schema == "gameprof-report" else {
            throw refuse("has version \(head.version), which this gameprof-history does not read.")
        }
        do {
            if head.schema == "gameprof-report" {
                scenarios = [try decoder.decode(ReportJSON.self, from: data).scenario(named: scenario)]
            } else {
                guard scenario == nil else {
                    throw refuse("is the result of a check, which names its scenarios itself: leave out --scenario.")
                }
                scenarios = try decoder.decode(CheckJSON.self, from: data).scenarios.map(\.scenario)
            }
        } catch let error as DecodingError {
            throw refuse("is damaged: \(Self.place(of: error)).")
        }
        for scenario in scenarios {
            let counts = scenario.findings.flatMap { [Double($0.count), Double($0.bytes)] }
            let numbers = scenario.figures.flatMap(\.values) + counts + [scenario.wallSeconds]
            guard numbers.allSatisfy({ $0 >= 0 }) else { throw refuse("holds a negative number.") }
            guard numbers.allSatisfy({ $0 <= 1e18 }) else { throw refuse("holds a number that is no figure of a run.") }
        }
    }

    private struct Head: Decodable {
        var schema: String
        var version: Int
    }

    private static func place(of error: DecodingError) -> String {
        func path(_ context: DecodingError.Context) -> String {
            let keys = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
            return PlainText.clean(keys.joined(separator: "."))
        }
        return switch error {
        case .keyNotFound(let key, let context):
            "\(path(context).isEmpty ? "it" : path(context)) lacks \(PlainText.clean(key.stringValue))"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path(context).isEmpty ? "it is no JSON" : "\(path(context)) has a value of another kind"
        @unknown default: "it cannot be decoded"
        }
    }
}
