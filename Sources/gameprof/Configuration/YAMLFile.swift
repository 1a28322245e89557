import Foundation
import GameprofBasics

/// A YAML file of the user's: a budget, or suppressions.
enum YAMLFile {
    /// Its text, and how errors call it: by the path that was given. Throws `YAMLFileError`.
    static func read(path: String) throws -> (text: String, name: String) {
        guard let data = InputFile.contents(path) else {
            throw YAMLFileError(file: path, sentence: "the file cannot be read")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw YAMLFileError(file: path, sentence: "the file is not UTF-8 text")
        }
        return (text, path)
    }
}
