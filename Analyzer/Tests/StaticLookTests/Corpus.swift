import Foundation
import StaticFindingModel
import StaticLook

/// The samples below `Tests/Corpus`, a module in each folder. Comments say what is to be found: `// suspect: rule`, and
/// where a rule must report nothing: `// no-finding: rule`.
struct Corpus {
    struct Mark: Hashable, Comparable, CustomStringConvertible {
        var file: String
        var line: Int
        var rule: String

        var description: String { "\(file):\(line) \(rule)" }

        static func < (left: Self, right: Self) -> Bool {
            (left.file, left.line, left.rule) < (right.file, right.line, right.rule)
        }
    }

    /// How a rule did.
    struct Score {
        var suspects = 0
        var trueNegatives = 0
        var found = 0
        var falseAlarms = 0

        var recall: Double { suspects == 0 ? 1 : Double(found) / Double(suspects) }
        var precision: Double { found + falseAlarms == 0 ? 1 : Double(found) / Double(found + falseAlarms) }
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Corpus").path

    var suspects: Set<Mark> = []
    var trueNegatives: Set<Mark> = []
    /// Static findings of at least medium confidence.
    var reported: Set<Mark> = []

    static func look() throws -> Corpus {
        var corpus = Corpus()
        for module in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            let path = "\(folder)/\(module)"
            let list = try Analyzer().analyze([path])
            for suspect in list.suspects where suspect.confidence >= .medium {
                corpus.reported.insert(
                    Mark(file: String(suspect.file.dropFirst(folder.count + 1)), line: suspect.line, rule: suspect.rule)
                )
            }
            for file in try FileManager.default.contentsOfDirectory(atPath: path) where file.hasSuffix(".swift") {
                try corpus.read("\(module)/\(file)")
            }
        }
        return corpus
    }

    private mutating func read(_ file: String) throws {
        let text = try String(contentsOfFile: "\(Self.folder)/\(file)", encoding: .utf8)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for found in line.matches(of: /(suspect|no-finding): ([a-z-]+)/) {
                let mark = Mark(file: file, line: index + 1, rule: String(found.2))
                if found.1 == "suspect" { suspects.insert(mark) } else { trueNegatives.insert(mark) }
            }
        }
    }

    var missed: [Mark] { suspects.subtracting(reported).sorted() }
    var falseAlarms: [Mark] { reported.subtracting(suspects).sorted() }

    var byRule: [String: Score] {
        var result: [String: Score] = [:]
        for mark in suspects {
            result[mark.rule, default: Score()].suspects += 1
            if reported.contains(mark) { result[mark.rule]?.found += 1 }
        }
        for mark in trueNegatives { result[mark.rule, default: Score()].trueNegatives += 1 }
        for mark in falseAlarms { result[mark.rule, default: Score()].falseAlarms += 1 }
        return result
    }

    var total: Score {
        byRule.values.reduce(into: Score()) { sum, score in
            sum.suspects += score.suspects
            sum.trueNegatives += score.trueNegatives
            sum.found += score.found
            sum.falseAlarms += score.falseAlarms
        }
    }

    /// The table that the documentation holds.
    var table: String {
        var lines = [
            "| rule | finds | defects | true negatives | precision | recall |", "|---|---|---|---|---|---|",
        ]
        func row(_ name: String, _ summary: String, _ score: Score) -> String {
            "| \(name) | \(summary) | \(score.suspects) | \(score.trueNegatives) | \(Self.text(score.precision)) | "
                + "\(Self.text(score.recall)) |"
        }
        for rule in Rules.list { lines.append(row("`\(rule.name)`", rule.summary, byRule[rule.name] ?? Score())) }
        lines.append(row("all", "", total))
        return lines.joined(separator: "\n")
    }

    private static func text(_ share: Double) -> String { String(format: "%.2f", share) }
}
