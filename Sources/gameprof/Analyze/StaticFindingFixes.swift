import Foundation
import GameprofAnalysis
import GameprofBasics

/// Shows the edits that are safe, then applies them.
struct StaticFindingFixes {
    var entries: [Analysis.Entry]
    var isDryRun: Bool

    /// Files that were changed. A file that has changed since it was looked at is left alone.
    func run() throws -> Int {
        var changes: [(path: String, text: [UInt8])] = []
        let byFile = Dictionary(grouping: entries.filter { $0.suspect.edit != nil }) { $0.suspect.file }
        for (path, entries) in byFile.sorted(by: { $0.key < $1.key }) {
            guard let bytes = RegularFile.contents(path).map({ Array($0) }) else {
                throw ToolError(.wrongUsage, "\(path) cannot be read.")
            }
            let edits = entries.compactMap(\.suspect.edit)
            guard edits.allSatisfy({ $0.contentHash == SourceEdit.hash(of: bytes) }),
                let changed = SourceEdit.apply(edits, to: bytes)
            else {
                StandardError.say("\(path) changed since the analysis and is not edited.")
                continue
            }
            let diff = SourceEdit.diff(
                String(decoding: bytes, as: UTF8.self), String(decoding: changed, as: UTF8.self), path: path)
            let lines = diff.split(separator: "\n", omittingEmptySubsequences: false).map {
                PlainText.clean(String($0).replacing("\t", with: "    "))
            }
            StandardError.write(lines.joined(separator: "\n"))
            changes.append((path, changed))
        }
        guard !isDryRun else { return 0 }
        for change in changes { try AtomicFile.write(change.text, to: change.path, needsFile: true) }
        return changes.count
    }
}
