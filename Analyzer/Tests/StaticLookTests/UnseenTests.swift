import Foundation
import Testing

struct UnseenTests {
    @Test("programs by somebody who did not know the rules keep their recall and precision")
    func keepsItsFigures() throws {
        let unseen = try Unseen.look(.first)
        #expect(unseen.programs == 40)
        #expect(unseen.recall >= 0.9, "missed: \(unseen.missed)")
        #expect(unseen.precision(atLeast: .high) >= 0.95, "wrong: \(unseen.wrong[.high] ?? [])")
        #expect(unseen.precision(atLeast: .medium) >= 0.9, "wrong: \(unseen.wrong)")
    }

    @Test("programs that no rule was corrected for keep their recall and precision")
    func keepsItsFiguresOnTheThirdSet() throws {
        let unseen = try Unseen.look(.third)
        #expect(unseen.programs == 36)
        #expect(unseen.recall >= 0.7, "missed: \(unseen.missed)")
        #expect(unseen.precision(atLeast: .high) >= 0.95, "wrong: \(unseen.wrong[.high] ?? [])")
    }

    @Test("the documentation holds the figures of those programs")
    func documentationHoldsTheRow() throws {
        let url = URL(fileURLWithPath: Unseen.folder).appending(path: "../../../Documentation/Analyze.md")
            .standardizedFileURL
        let text = try String(contentsOf: url, encoding: .utf8)
        let row = try Unseen.look(.first).row
        #expect(text.contains(row), "\(row)")
    }
}
