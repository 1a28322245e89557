import Foundation
import StaticFindingModel
import StaticLook
import Testing

/// The programs below `Tests/Endings`, each of one file. What is lost bears the comment `// leak`, or `// doubt` where that
/// is only suspected; everything else lets go in some way: by a setter that takes nil, a task, a function elsewhere, a token.
struct EndingTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Endings").path

    static func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    @Test(
        "what a program ends is no accusation, what it does not end is one", arguments: try files())
    func tellsWhatEnds(file: String) throws {
        let path = "\(Self.folder)/\(file)"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let leaks = Set(lines.indices.filter { lines[$0].contains("// leak") }.map { $0 + 1 })
        let suspects = try Analyzer().analyze([path]).suspects
        let reported = Set(suspects.filter { $0.confidence >= .medium }.map(\.line))
        #expect(reported == leaks)
        let doubts = lines.indices.filter { lines[$0].contains("// doubt") }.map { $0 + 1 }
        #expect(Set(doubts).isSubset(of: suspects.map(\.line)))
    }
}
