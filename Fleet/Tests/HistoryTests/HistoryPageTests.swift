import Foundation
import HistoryModel
import HistoryPage
import Testing

struct HistoryPageTests {
    private func history(_ name: String, commits: Int, figures: Int, finding: String) -> ScenarioHistory {
        let runs = (0..<commits).map { number in
            Run.test(
                number, scenario: name, findings: (0..<20).map { .test("\(finding)\($0)") },
                figures: (0..<figures).map { figure in
                    .init(name: "\(name)\(figure)", unit: .bytes, values: [Double(1_000 + number * figure)])
                })
        }
        return ScenarioHistory(branch: "main", scenario: name, timeline: Timeline(runs))
    }

    @Test("hostile names are text on the page and on the terminal")
    func hostileNames() throws {
        let name = "</script><script>alert(1)</script>\u{1b}]0;x\u{7}\"'&\u{202e}\n"
        let histories = [history(name, commits: 3, figures: 2, finding: name)]
        let page = HistoryPage.render(histories)
        #expect(!page.contains("<script>alert") && !page.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" })
        #expect(page.components(separatedBy: "<script>").count == 2)
        let text = HistoryText.render(histories)
        #expect(!text.unicodeScalars.contains { ($0.value < 32 && $0 != "\n") || $0 == "\u{202e}" })
    }

    @Test("a large history still makes a page of at most 2 MB")
    func size() {
        let histories = (0..<150).map { history("scenario \($0)", commits: 60, figures: 12, finding: "f\($0) ") }
        let page = HistoryPage.render(histories)
        #expect(page.utf8.count <= HistoryPage.sizeLimit)
        #expect(page.contains("more scenarios are in the history"))
    }

    @Test("a page needs nothing from outside")
    func offline() {
        let page = HistoryPage.render([history("a", commits: 5, figures: 2, finding: "f")])
        #expect(page.contains("default-src 'none'"))
        for word in ["http://", "https://", "@import", "url("] { #expect(!page.contains(word)) }
    }

    @Test("the same history is the same page, whatever was added first")
    func deterministic() {
        let runs = (0..<40).map { Run.test($0, findings: $0 > 20 ? [.test("A")] : []) }
        func page(_ runs: [Run]) -> String {
            HistoryPage.render([ScenarioHistory(branch: "main", scenario: "level", timeline: Timeline(runs))])
        }
        #expect(page(runs) == page(runs.reversed()))
    }

    @Test("an empty history is a page")
    func empty() {
        #expect(HistoryPage.render([]).contains("No runs yet"))
        #expect(HistoryText.render([]) == "The history is empty.\n")
    }
}
