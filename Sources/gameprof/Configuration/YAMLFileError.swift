import GameprofBasics
import Yams

/// What is wrong with a YAML file of the user's, and where.
public struct YAMLFileError: Error, CustomStringConvertible, Equatable {
    public var file: String
    public var line: Int?
    public var column: Int?
    public var sentence: String

    public var description: String {
        let place = [file, line.map(String.init), column.map(String.init)].compactMap { $0 }.joined(separator: ":")
        return PlainText.clean("\(place): \(sentence).")
    }

    init(file: String, line: Int? = nil, column: Int? = nil, sentence: String) {
        self.file = file
        self.line = line
        self.column = column
        self.sentence = sentence
    }

    init(file: String, _ node: Node, _ sentence: String) {
        self.init(file: file, line: node.mark?.line, column: node.mark?.column, sentence: sentence)
    }

    init(file: String, _ error: YamlError) {
        self.init(file: file, sentence: "this is not YAML")
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            line = mark.line
            column = mark.column
            sentence = "this is not YAML: \(problem)"
        case .duplicatedKeysInMapping(let duplicates, let context):
            line = context.mark.line
            column = context.mark.column
            sentence = "the key \(duplicates.map { "\($0)" }.sorted().joined(separator: ", ")) occurs twice"
        default: break
        }
    }
}
