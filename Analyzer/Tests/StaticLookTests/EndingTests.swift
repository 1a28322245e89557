import Foundation
import StaticFindingModel
import StaticLook
import Testing

/// The programs below `Tests/Endings`, each of one file. What is lost or grows bears the comment `// leak`; everything
/// else lets go in some way: by a setter that takes nil, a task, a function elsewhere, a token, a drained list.
struct EndingTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Endings").path

    static func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    @Test(
        "what a program ends is never said with high confidence, what it does not end is said", arguments: try files())
    func tellsWhatEnds(file: String) throws {
        let path = "\(Self.folder)/\(file)"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let leaks = Set(lines.indices.filter { lines[$0].contains("// leak") }.map { $0 + 1 })
        let suspects = try Analyzer().analyze([path]).suspects
        let sure = Set(suspects.filter { $0.confidence == .high }.map(\.line))
        let reported = Set(suspects.filter { $0.confidence >= .medium }.map(\.line))
        #expect(sure.subtracting(leaks).sorted() == [], "wrong")
        #expect(leaks.subtracting(reported).sorted() == [], "missed")
    }
}
