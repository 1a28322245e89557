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
    /// Static findings of at least medium confidence, and those that name no cause.
    var byRule: [String: (right: Int, wrong: Int)] = [:]
    var wrong: [String] = []

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
        for suspect in suspects where suspect.confidence >= .medium {
            if program.causes.contains(where: { $0.isNamed(by: suspect, besides: program.decoys) }) {
                byRule[suspect.rule, default: (0, 0)].right += 1
            } else {
                byRule[suspect.rule, default: (0, 0)].wrong += 1
                wrong.append("\(program.file):\(suspect.line) \(suspect.rule)")
            }
        }
    }

    /// Of the cycles those that are named.
    var recall: Double { Double(named["cycle"] ?? 0) / Double(max(1, causes["cycle"] ?? 0)) }
}
