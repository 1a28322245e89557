import GameprofAnalysis
import GameprofBasics

/// Results as workflow commands, which GitHub draws beside the lines of a change.
public enum GitHubAnnotations {
    /// A line each; suppressed results are left out. Ends with a newline unless there is none.
    public static func render(_ results: [Diagnosis]) -> String {
        results.filter { $0.suppression == nil }.map { line($0) + "\n" }.joined()
    }

    private static func line(_ result: Diagnosis) -> String {
        let level = result.severity == .note ? "notice" : result.severity.rawValue
        var properties: [String] = []
        let place = result.place
        properties.append("file=\(property(place.file))")
        if let line = place.line { properties.append("line=\(line)") }
        if let column = place.column { properties.append("col=\(column)") }
        properties.append("title=\(property("gameprof: \(result.rule)"))")
        let text = result.fix.map { "\(result.message) Fix: \($0)." } ?? result.message
        return "::\(level) \(properties.joined(separator: ","))::\(data(text))"
    }

    /// A percent sign and line ends would end the command or begin an escape.
    private static func data(_ text: String) -> String {
        PlainText.cleanLines(text).replacing("%", with: "%25").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
