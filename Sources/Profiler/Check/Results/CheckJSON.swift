import GameprofReport

/// A diagnostic pass as JSON with sorted keys: equal results are equal bytes.
public enum CheckJSON {
    /// Ends with a newline.
    public static func render(_ result: CheckResult) throws -> String {
        try JSONReport.encode(result)
    }
}
