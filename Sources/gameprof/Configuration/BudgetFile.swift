import GameprofCheck
import Yams

extension Budget {
    /// Reads a YAML budget. Throws `YAMLFileError` with line and column.
    public static func read(path: String) throws -> Budget {
        let (text, name) = try YAMLFile.read(path: path)
        return try read(yaml: text, file: name)
    }

    /// `file`: how errors call it.
    public static func read(yaml: String, file: String) throws -> Budget {
        do {
            guard let root = try Yams.compose(yaml: yaml) else {
                throw YAMLFileError(file: file, sentence: "the budget is empty; the key scenarios is missing")
            }
            return try BudgetParser(file: file).budget(root)
        } catch let error as YamlError {
            throw YAMLFileError(file: file, error)
        }
    }
}
