import Foundation
import StaticFindingModel
import StaticLook

/// A folder of programs below `Tests/Unseen`, each of one file, by an author who did not know the rules. `truth.json` lists
/// what leaks or grows in them, and the lines that resemble a defect.
struct Unseen {
    enum Folder: String {
        case first = "."
        case third
    }

    struct Program: Decodable {
        struct Cause: Decodable {
            var line: Int
            /// Every line of which a report may speak.
            var lines: [Int]
            var kind: String
            var what: String

            /// The line, or one beside it; or the cause names the suspect's property, as `Type.property`.
            func isNamed(by suspect: StaticFinding, besides decoys: [Int]) -> Bool {
                let accepted = Set(lines + [line])
                if accepted.contains(suspect.line) { return true }
                if !decoys.contains(suspect.line), accepted.contains(where: { abs($0 - suspect.line) == 1 }) {
                    return true
                }
                let type = suspect.type.split(separator: ".").last ?? ""
                return [suspect.holder, "\(type).\(suspect.field)"].contains { name in
                    name.contains(".") && !name.hasPrefix(".") && !name.hasSuffix(".")
                        && what.range(
                            of: "(?<![\\w.])\(NSRegularExpression.escapedPattern(for: name))(?!\\w)",
                            options: .regularExpression) != nil
                }
            }
        }

        var file: String
        var causes: [Cause]
        var decoys: [Int]
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Unseen").path

    var programs = 0
    var causes: [String: Int] = [:]
    /// Causes that a suspect of at least medium confidence names.
    var named: [String: Int] = [:]
    var missed: [String] = []
    /// Static findings, and of them those that name no cause.
    var reported: [StaticFinding.Confidence: Int] = [:]
    var wrong: [StaticFinding.Confidence: [String]] = [:]

    static func look(_ set: Folder) throws -> Unseen {
        let folder = "\(folder)/\(set.rawValue)"
        let truth = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/truth.json"))
        var result = Unseen()
        for program in try JSONDecoder().decode([Program].self, from: truth) {
            result.add(program, try Analyzer().analyze(["\(folder)/\(program.file)"]).suspects)
        }
        return result
    }

    private mutating func add(_ program: Program, _ suspects: [StaticFinding]) {
        programs += 1
        for cause in program.causes {
            causes[cause.kind, default: 0] += 1
            let isNamed = suspects.contains {
                $0.confidence >= .medium && cause.isNamed(by: $0, besides: program.decoys)
            }
            if isNamed { named[cause.kind, default: 0] += 1 } else { missed.append("\(program.file):\(cause.line)") }
        }
        for suspect in suspects {
            reported[suspect.confidence, default: 0] += 1
            guard !program.causes.contains(where: { $0.isNamed(by: suspect, besides: program.decoys) }) else {
                continue
            }
            wrong[suspect.confidence, default: []].append("\(program.file):\(suspect.line) \(suspect.rule)")
        }
    }

    /// Of the causes those that are named at medium confidence or above.
    var recall: Double { Double(named.values.reduce(0, +)) / Double(max(1, causes.values.reduce(0, +))) }

    /// Of the suspects of at least that confidence those that name a cause.
    func precision(atLeast confidence: StaticFinding.Confidence) -> Double {
        let (right, all) = right(atLeast: confidence)
        return all == 0 ? 1 : Double(right) / Double(all)
    }

    private func right(atLeast confidence: StaticFinding.Confidence) -> (right: Int, all: Int) {
        let counted = StaticFinding.Confidence.allCases.filter { $0 >= confidence }
        let all = counted.reduce(0) { $0 + reported[$1, default: 0] }
        return (all - counted.reduce(0) { $0 + wrong[$1, default: []].count }, all)
    }

    /// The last line of the documentation's table.
    var row: String {
        func share(_ part: (right: Int, all: Int)) -> String {
            "\(part.right) of \(part.all) (\(String(format: "%.2f", part.all == 0 ? 1 : Double(part.right) / Double(part.all))))"
        }
        func recall(_ kind: String) -> String { "\(named[kind, default: 0]) of \(causes[kind, default: 0])" }
        let all = (named.values.reduce(0, +), causes.values.reduce(0, +))
        return "| all \(programs), every one seen by now | \(share(all)) | \(recall("cycle")), \(recall("growth")) | "
            + "\(share(right(atLeast: .high))) | \(share(right(atLeast: .medium))) |"
    }
}
