import Foundation

/// A diagnostic pass as JSON with sorted keys: equal results are equal bytes.
public enum CheckJSON {
    /// Ends with a newline.
    public static func render(_ result: CheckResult) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(result), as: UTF8.self) + "\n"
    }
}
