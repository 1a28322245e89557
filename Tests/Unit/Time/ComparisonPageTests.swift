import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct ComparisonPageTests {
    private static func profile(_ stacks: [(outer: String, inner: String, count: Int)]) -> Profile {
        let time = TimeFixture()
        for stack in stacks { time.sample(stack.outer, stack.inner, count: stack.count) }
        return time.profile()
    }

    private static func weights(
        before: [(outer: String, inner: String, count: Int)], after: [(outer: String, inner: String, count: Int)]
    ) -> ComparisonReport.Weights {
        .init(before: profile(before), after: profile(after), limit: 200)
    }

    @Test func bothTreesLieOverEachOther() {
        let tree = Self.weights(
            before: [("main", "deal", 10), ("main", "gone", 4)], after: [("main", "deal", 30), ("main", "new", 6)]
        ).tree
        let names = tree.nodes.dropFirst().map { tree.functions[$0.function].name }
        #expect(names.sorted() == ["deal", "gone", "main", "new"])
        func weight(_ name: String) -> ComparisonReport.Change? {
            tree.nodes.first { $0.function >= 0 && tree.functions[$0.function].name == name }?.weight
        }
        #expect(weight("main") == .init(before: 14_000_000, after: 36_000_000))
        #expect(weight("deal") == .init(before: 10_000_000, after: 30_000_000))
        #expect(weight("gone") == .init(before: 4_000_000, after: 0))
        #expect(weight("new") == .init(before: 0, after: 6_000_000))
        #expect(tree.nodes.dropFirst().allSatisfy { tree.nodes[$0.parent].width >= $0.width })
    }

    @Test func whatGrewAndWhatShrankHasItsColour() {
        let weights = Self.weights(
            before: [("main", "slow", 10), ("main", "quick", 40)], after: [("main", "slow", 40), ("main", "quick", 10)])
        let data = FlameData(
            [(tree: weights.tree, label: "CPU time", unit: .nanoseconds)], nodeLimit: 100, textLength: 100)
        let boxes = FlameDrawing(data).values["boxes"] as? [[String: Any]] ?? []
        func box(_ name: String) -> [String: Any]? { boxes.first { ($0["full"] as? String)?.hasPrefix(name) == true } }
        #expect(box("slow")?["origin"] as? String == "grew")
        #expect(box("slow")?["by"] as? String == "75")
        #expect(box("quick")?["origin"] as? String == "shrank")
        #expect(box("main")?["by"] as? String == "0")
    }

    @Test("a function of a library that changed is named with the user's function that called it")
    func usersCaller() throws {
        func profile(_ count: Int) -> TimeFixture {
            let time = TimeFixture()
            let hash = SymbolicatedFrame(function: "hash(into:)", module: "Swift", image: "game", origin: .runtime)
            time.sample(frames: [[TimeFixture.user("main")], [TimeFixture.user("deal")], [hash]], count: 900 + count)
            time.sample(frames: [[TimeFixture.user("main")], [TimeFixture.user("draw")], [hash]], count: 10)
            time.sample("main", "rest", count: 2_000)
            return time
        }
        let (before, after) = (profile(0), profile(100))
        let report = ComparisonReport(before: (before.recording, before), after: (after.recording, after))
        let time = try #require(report.time)
        let changed = try #require(time.functions.first { $0.name == "hash(into:)" })
        #expect(time.tree.usersCaller(of: changed) == "deal")
        #expect(time.tree.usersCaller(of: .init(name: "rest", module: "Game")) == nil)
        #expect(try ComparisonPage.render(report).contains("called by deal"))
    }

    @Test(arguments: ReportFixture.hostile)
    func hostileNamesStayText(_ text: String) throws {
        let time = TimeFixture()
        time.sample("main", text, count: 3)
        let page = try ComparisonPage.render(
            ComparisonReport(before: (time.recording, time), after: (time.recording, time)))
        for sign in ["<script>alert", "<img", "\u{1B}", "\u{202E}", "<\u{301}script>"] {
            #expect(!page.contains(sign))
        }
        #expect(page.contains("flame-data"))
    }
}
