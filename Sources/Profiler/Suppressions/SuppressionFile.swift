import Foundation
import Yams

extension Suppression {
    /// Reads a YAML list of suppressions. Throws `SuppressionError` with line and column.
    public static func read(path: String) throws -> [Suppression] {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SuppressionError(file: name, line: nil, column: nil, sentence: "the file cannot be read")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw SuppressionError(file: name, line: nil, column: nil, sentence: "the file is not UTF-8 text")
        }
        return try read(yaml: text, file: name)
    }

    /// `file`: how errors call it. An empty file holds no suppressions.
    public static func read(yaml: String, file: String) throws -> [Suppression] {
        do {
            guard let root = try Yams.compose(yaml: yaml) else { return [] }
            return try SuppressionParser(file: file).suppressions(root)
        } catch let error as YamlError {
            throw SuppressionError(file: file, error)
        }
    }
}

/// What is wrong with a suppression file, and where.
public struct SuppressionError: Error, CustomStringConvertible, Equatable {
    public var file: String
    public var line: Int?
    public var column: Int?
    public var sentence: String

    public var description: String {
        let place = [file, line.map(String.init), column.map(String.init)].compactMap { $0 }.joined(separator: ":")
        return PlainText.clean("\(place): \(sentence).")
    }

    init(file: String, line: Int?, column: Int?, sentence: String) {
        self.file = file
        self.line = line
        self.column = column
        self.sentence = sentence
    }

    init(file: String, _ error: YamlError) {
        self.init(file: file, line: nil, column: nil, sentence: "this is not YAML")
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            line = mark.line
            column = mark.column
            sentence = "this is not YAML: \(problem)"
        default: break
        }
    }
}
