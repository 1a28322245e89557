import GameprofAnalysis
import GameprofBasics
import GameprofReport

/// What may not grow from one trace to another: `--fail-on leaks,live`.
struct DiffLimits {
    private static let leaks = "leaks"
    private static let all = [leaks] + ComparisonReport.Figure.Name.allCases.map(\.rawValue)
    static var names: String { all.joined(separator: ", ") }

    private let named: [String]

    /// - Throws: `ToolError` when a name is not known.
    init(_ text: String?) throws {
        named = text?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
        guard text == nil || !named.isEmpty else {
            throw ToolError(.wrongUsage, "--fail-on takes names: \(Self.names).")
        }
        for name in named where !Self.all.contains(name) {
            let near =
                NearestName.of(name, among: Self.all).map { "; did you mean \($0)? There are " } ?? "; there are "
            throw ToolError(.wrongUsage, "--fail-on does not know \(name)\(near)\(Self.names).")
        }
    }

    /// Says what grew and throws the exit status when something did, or was not compared.
    func judge(_ report: ComparisonReport) throws {
        var sentences: [String] = []
        var missing: [String] = []
        for name in named {
            if name == Self.leaks {
                guard let rows = report.leaks else {
                    missing.append(name)
                    continue
                }
                sentences += rows.filter { $0.severity == .error && $0.count.difference > 0 }.map { row in
                    "\(row.count.before == 0 ? "new" : "more of it"): \(row.title) [\(row.signature.prefix(8))]"
                }
            } else if let figure = report.figures.first(where: { $0.name.rawValue == name }) {
                if figure.isSingleRun == true {
                    StandardError.say(
                        "--fail-on: \(ComparisonText.name(figure.name)) was recorded in one run each and is not "
                            + "compared; gameprof diff --repeat compares repeated runs.")
                }
                guard figure.change.difference > 0, !figure.isNoise else { continue }
                let (before, after) = (Double(figure.change.before), Double(figure.change.after))
                sentences.append(
                    "\(ComparisonText.name(figure.name)) grew from \(figure.unit.text(before)) to "
                        + figure.unit.text(after))
            } else {
                missing.append(name)
            }
        }
        for sentence in sentences { StandardError.say("--fail-on: \(sentence).") }
        for name in missing { StandardError.say("--fail-on: \(name) was not recorded in both traces.") }
        if !sentences.isEmpty { throw ExitStatus.findings }
        if !missing.isEmpty { throw ExitStatus.toolFailed }
    }
}
