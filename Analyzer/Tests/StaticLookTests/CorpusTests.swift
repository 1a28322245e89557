import Foundation
import Testing

struct CorpusTests {
    @Test func findsEveryDefectAndReportsNothingElse() throws {
        let corpus = try Corpus.look()
        #expect(corpus.suspects.count >= 60)
        #expect(corpus.trueNegatives.count >= 60)
        #expect(corpus.missed == [])
        #expect(corpus.falseAlarms == [])
    }

    /// The table of the documentation is made here: GAMEPROF_RECORD_GOLDEN=1 writes it anew and fails.
    @Test func documentationHoldsTheTable() throws {
        let table = try Corpus.look().table(beside: [Unseen.look(.first), Unseen.look(.third)])
        let url = URL(fileURLWithPath: Corpus.folder).appending(path: "../../../Documentation/Analyze.md")
            .standardizedFileURL
        let text = try String(contentsOf: url, encoding: .utf8)
        let (begin, end) = ("<!-- table of rules: begin -->\n", "\n<!-- table of rules: end -->")
        let parts = text.components(separatedBy: begin)
        let rest = try #require(parts.last?.components(separatedBy: end))
        try #require(parts.count == 2 && rest.count == 2)
        if ProcessInfo.processInfo.environment["GAMEPROF_RECORD_GOLDEN"] == "1" {
            try (parts[0] + begin + table + end + rest[1]).write(to: url, atomically: true, encoding: .utf8)
            Issue.record("The table was recorded anew.")
        } else {
            #expect(rest[0] == table)
        }
    }
}
