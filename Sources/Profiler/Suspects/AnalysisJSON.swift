import Foundation

/// The analysis as JSON with sorted keys: equal analyses are equal bytes.
public enum AnalysisJSON {
    /// Ends with a newline.
    public static func render(_ analysis: Analysis) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(analysis), as: UTF8.self) + "\n"
    }
}
