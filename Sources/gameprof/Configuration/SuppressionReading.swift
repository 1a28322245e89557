import GameprofAnalysis
import Yams

extension Suppression {
    /// Reads a YAML list of suppressions. Throws `YAMLFileError` with line and column.
    public static func read(path: String) throws -> [Suppression] {
        let (text, name) = try YAMLFile.read(path: path)
        return try read(yaml: text, file: name)
    }

    /// `file`: how errors call it. An empty file holds no suppressions.
    public static func read(yaml: String, file: String) throws -> [Suppression] {
        do {
            guard let root = try Yams.compose(yaml: yaml) else { return [] }
            return try SuppressionParser(file: file).suppressions(root)
        } catch let error as YamlError {
            throw YAMLFileError(file: file, error)
        }
    }
}
