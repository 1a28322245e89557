import Foundation
import StaticFindingModel
import StaticLook

/// The samples below `Tests/Corpus`, a module in each folder. Comments say what is to be found: `// suspect: rule`, what
/// only with low confidence: `// doubt: rule`, and where a rule must report nothing: `// no-finding: rule`, or not even
/// with low confidence: `// silent: rule`.
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
        var doubts = 0
        var trueNegatives = 0
        var found = 0
        var falseAlarms = 0

    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Corpus").path

    var suspects: Set<Mark> = []
    var doubts: Set<Mark> = []
    var trueNegatives: Set<Mark> = []
    var silent: Set<Mark> = []
    /// Static findings of at least medium confidence.
    var reported: Set<Mark> = []
    var whispered: Set<Mark> = []

    static func look() throws -> Corpus {
        var corpus = Corpus()
        for module in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            let path = "\(folder)/\(module)"
            let list = try Analyzer().analyze([path])
            for suspect in list.suspects {
                let mark = Mark(
                    file: String(suspect.file.dropFirst(folder.count + 1)), line: suspect.line, rule: suspect.rule)
                if suspect.confidence >= .medium {
                    corpus.reported.insert(mark)
                } else {
                    corpus.whispered.insert(mark)
                }
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
            for found in line.matches(of: /(suspect|doubt|no-finding|silent): ([a-z-]+)/) {
                let mark = Mark(file: file, line: index + 1, rule: String(found.2))
                switch found.1 {
                case "suspect": suspects.insert(mark)
                case "doubt": doubts.insert(mark)
                case "silent":
                    silent.insert(mark)
                    trueNegatives.insert(mark)
                default: trueNegatives.insert(mark)
                }
            }
        }
    }

    var missed: [Mark] { suspects.subtracting(reported).union(doubts.subtracting(whispered)).sorted() }
    var falseAlarms: [Mark] {
        reported.subtracting(suspects).union(whispered.intersection(silent)).sorted()
    }

    var byRule: [String: Score] {
        var result: [String: Score] = [:]
        for mark in suspects {
            result[mark.rule, default: Score()].suspects += 1
            if reported.contains(mark) { result[mark.rule]?.found += 1 }
        }
        for mark in doubts { result[mark.rule, default: Score()].doubts += 1 }
        for mark in trueNegatives { result[mark.rule, default: Score()].trueNegatives += 1 }
        for mark in falseAlarms { result[mark.rule, default: Score()].falseAlarms += 1 }
        return result
    }

    var total: Score {
        byRule.values.reduce(into: Score()) { sum, score in
            sum.suspects += score.suspects
            sum.doubts += score.doubts
            sum.trueNegatives += score.trueNegatives
            sum.found += score.found
            sum.falseAlarms += score.falseAlarms
        }
    }

    /// The table that the documentation holds. `others`: programs of people who did not know the rules.
    func table(beside others: [Unseen]) -> String {
        var lines = [
            "| rule | finds | defects: found | true negatives: reported | only suspected | by others: right, wrong |",
            "|---|---|---|---|---|---|",
        ]
        func row(_ name: String, _ summary: String, _ score: Score, _ right: Int, _ wrong: Int) -> String {
            "| \(name) | \(summary) | \(score.suspects): \(score.found) | \(score.trueNegatives): \(score.falseAlarms) | "
                + "\(score.doubts) | \(right), \(wrong) |"
        }
        func sum(_ counts: [Int]) -> Int { counts.reduce(0, +) }
        for rule in Rules.list {
            let counts = others.map { $0.byRule[rule.name] ?? (0, 0) }
            lines.append(
                row(
                    "`\(rule.name)`", rule.summary, byRule[rule.name] ?? Score(), sum(counts.map(\.right)),
                    sum(counts.map(\.wrong))))
        }
        let all = others.flatMap(\.byRule.values)
        lines.append(row("all", "", total, sum(all.map(\.right)), sum(all.map(\.wrong))))
        return lines.joined(separator: "\n")
    }
}
