import Foundation
import GameprofBasics
import StaticFindingModel

/// Writes what was found and decides the exit status.
struct Output {
    var options: Options

    /// JSON has no verdict: it succeeds. Diagnostics exit with 1 when a suspect of high confidence is among them.
    func write(_ list: StaticFindingList) throws -> Int32 {
        if options.format == .json || options.output != nil {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(list) + Data("\n".utf8)
            if let output = options.output {
                try write(data, to: output)
            } else {
                try FileHandle.standardOutput.write(contentsOf: data)
            }
        }
        if let stamp = options.stamp {
            let comment = "// \(list.files) files were looked at for suspects. There is no code here.\n"
            try write(Data(comment.utf8), to: stamp)
        }
        guard options.format == .diagnostics else { return 0 }
        let shown = list.suspects.filter { $0.ignored == nil && $0.confidence >= options.confidence }
        var text = shown.map(line).joined()
        text += list.problems.map { "warning: \(clean($0))\n" }.joined()
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        return options.exitsZero || !shown.contains { $0.confidence == .high } ? 0 : 1
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private func write(_ data: Data, to path: String) throws {
        do { try OutputPlace.write(Array(data), to: path) } catch {
            throw Failure(description: "\(clean(path)) cannot be written: \(error.reason).")
        }
    }

    /// In the form of a compiler's warning, which editors and build logs know.
    private func line(_ suspect: StaticFinding) -> String {
        let place = "\(suspect.file):\(suspect.line):\(suspect.column)"
        return "\(clean(place)): warning: \(clean(suspect.message)) \(clean(suspect.fix.capitalizedFirst)). "
            + "[gameprof \(suspect.rule), \(suspect.confidence.rawValue)]\n"
    }

    /// Control characters of the source would speak to the terminal.
    private func clean(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
