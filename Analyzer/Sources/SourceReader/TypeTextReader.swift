import SourceModel
import SwiftParser
import SwiftSyntax

/// Reads a type that stands alone, in the words of a demangled name.
public enum TypeTextReader {
    /// Texts beyond this length are not read.
    private static let limit = 4_000

    public static func read(_ text: String) -> TypeReference {
        guard text.utf8.count <= limit, text.utf8.count(where: { $0 == UInt8(ascii: "(") }) < 100 else { return .other }
        var parser = Parser(text)
        let reader = TreeReader(file: SourceFile(path: "", lines: LineTable([])))
        return reader.type(TypeSyntax.parse(from: &parser))
    }
}
