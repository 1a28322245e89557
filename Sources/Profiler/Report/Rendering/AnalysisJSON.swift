import GameprofAnalysis

/// The analysis as JSON with sorted keys: equal analyses are equal bytes.
public enum AnalysisJSON {
    /// Ends with a newline.
    public static func render(_ analysis: Analysis) throws -> String {
        try JSONReport.encode(analysis)
    }
}
