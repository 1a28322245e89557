import Foundation
import Yams

extension Budget {
    /// Reads a YAML budget. Throws `BudgetError` with line and column.
    public static func read(path: String) throws -> Budget {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let data = FileManager.default.contents(atPath: path) else {
            throw BudgetError(file: name, sentence: "the file cannot be read")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw BudgetError(file: name, sentence: "the file is not UTF-8 text")
        }
        return try read(yaml: text, file: name)
    }

    /// `file`: how errors call it.
    public static func read(yaml: String, file: String) throws -> Budget {
        do {
            guard let root = try Yams.compose(yaml: yaml) else {
                throw BudgetError(file: file, sentence: "the budget is empty; the key scenarios is missing")
            }
            return try BudgetParser(file: file).budget(root)
        } catch let error as YamlError {
            throw BudgetError(file: file, error)
        }
    }
}
